"""Boundaries of conversations: accuracy on labelled messages, closings found in ordinary chat, and speed.

    python benchmarks/boundaries.py [--show N] [--set SET] [--data FOLDER]

The labelled messages are this project's own (tests/data/boundaries). The chat lines are evaluation data that
is not part of the repository: FOLDER (or GRAPHMEM_DATA) holds ko-chat/ChatbotData.csv.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import random
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from graphmem.episodes.boundaries import Boundary, detect_boundary

LABELLED = Path(__file__).resolve().parent.parent / "tests" / "data" / "boundaries"
MOMENT = datetime(2024, 3, 1, 9, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Line:
    """A message as the detector reads it."""

    text: str
    at: datetime = MOMENT
    role: str = "user"


BEFORE = Line("", MOMENT - timedelta(minutes=1))


def labelled() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every labelled message with its language."""
    for path in sorted(LABELLED.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            yield path.stem, json.loads(line)


def answer(row: dict[str, Any]) -> Boundary:
    """The boundary that is found for a labelled message."""
    at = datetime.fromisoformat(row["at"]) if "at" in row else MOMENT
    previous: Line | None = BEFORE
    if "previous" in row:
        given = row["previous"]
        previous = None if given is None else Line("", datetime.fromisoformat(given))
    return detect_boundary(Line(row["text"], at, row.get("role", "user")), previous)


def score(only: str | None) -> None:
    """Print the accuracy of each set and every miss."""
    right: Counter[tuple[str, str]] = Counter()
    counted: Counter[tuple[str, str]] = Counter()
    misses = defaultdict(list)
    for language, row in labelled():
        if only is not None and row["set"] != only:
            continue
        found = answer(row)
        place = (row["set"], language)
        counted[place] += 1
        right[place] += found.decision == row["label"]
        if found.decision != row["label"]:
            misses[place].append(f"    {row['label']} but {found.decision} ({found.why}): {row['text']!r}")
    for place in sorted(counted):
        print(f"{' '.join(place)}: {right[place]} of {counted[place]} right ({right[place] / counted[place]:.1%})")
        print("".join(f"{miss}\n" for miss in misses[place]), end="")


def ordinary(data: Path, shown: int) -> None:
    """Count what ordinary chat lines are taken for."""
    with (data / "ko-chat" / "ChatbotData.csv").open(encoding="utf-8") as file:
        lines = [Line(row["Q"]) for row in csv.DictReader(file)]
    begin = time.process_time()
    found = [(line, detect_boundary(line, BEFORE)) for line in lines]
    took = (time.process_time() - begin) / len(lines)
    closed = [(line, boundary) for line, boundary in found if boundary.ends]
    started = [(line, boundary) for line, boundary in found if boundary.decision == "start"]
    print(f"{len(lines):,} chat lines: {len(closed)} closings, {len(started)} new topics")
    print(f"{took * 1e6:.1f} us of processor time a line")
    sample = random.Random(7).sample(closed, min(shown, len(closed)))
    for line, boundary in sample + started[:shown]:
        print(f"    {boundary.decision}, {boundary.cue}: {line.text}")


def main() -> None:
    """Score, then count."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--show", type=int, default=0, help="chat lines that are printed")
    parser.add_argument("--set", dest="only", help="only this labelled set")
    parser.add_argument(
        "--data", type=Path, default=os.environ.get("GRAPHMEM_DATA"), help="folder of evaluation data"
    )
    options = parser.parse_args()
    score(options.only)
    if options.data is None:
        print("no folder of evaluation data: chat lines are not counted")
    else:
        ordinary(Path(options.data), options.show)


if __name__ == "__main__":
    main()
