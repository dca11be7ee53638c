"""Extraction: sentences a second, and memory over many of them.

    python benchmarks/extraction.py [--analyzer plain|spacy|kiwi|auto] [--sentences 100000] [--chat] [FILE...]

Without FILE the texts are made: each number gives another sentence out of a few forms, so that no cache of words
helps. With FILE (HotpotQA documents, SWE-agent trajectories, any text) its paragraphs are read, again and again.
One process, one thread.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import time
from collections.abc import Iterable, Iterator
from itertools import cycle, islice
from pathlib import Path

from graphmem.adapters import make_analyzer
from graphmem.language.extraction import Extraction, Genre
from graphmem.language.relations.extractor import Extractor
from graphmem.settings import load_settings

FORMS = (
    "The outage of service {0} was caused by a full disk on host-{0}.",
    "We restarted the API gateway in region {0}, and the PoolExhausted_{0} error went away.",
    "Overheating of rack {0} leads to failures, slow responses and timeouts.",
    "Nobody knows why the payment service answered so slowly on day {0}.",
    "Cities such as Seoul, Busan and Town{0} are served from one data center.",
    "{0}번 서버의 메모리 누수는 결제 서비스의 지연을 유발했다.",
    "어제 서울에서 API 게이트웨이가 {0}번 멈췄고, 우리는 다시 시작했다.",
    "고래{0}호는 포유류의 일종이 아니라 배의 이름이다.",
)
PARTS = 10
"""Times at which memory is looked at."""


def main() -> None:
    """Print what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--analyzer", default="plain", choices=["plain", "spacy", "kiwi", "auto"])
    parser.add_argument("--sentences", type=int, default=100_000)
    parser.add_argument("--chat", action="store_true")
    parser.add_argument("file", type=Path, nargs="*")
    asked = parser.parse_args()
    if missing := [path for path in asked.file if not path.is_file()]:
        print(f"skipped: {missing[0]} is not there; it is evaluation data that is not part of the repository")
        return
    extractor = Extractor(make_analyzer(load_settings({"analyzer": asked.analyzer})))
    texts = cycle(list(paragraphs(asked.file))) if asked.file else made(asked.analyzer)
    measure(extractor, texts, asked.sentences, "chat" if asked.chat else "prose")


def measure(extractor: Extractor, texts: Iterable[str], sentences: int, genre: Genre) -> None:
    """Print sentences a second, what is found, and how memory grows, part by part."""
    waiting = iter(texts)
    list(extractor.extract_many(islice(waiting, 50), genre))  # loads models, compiles patterns
    kept = [text for text, _ in zip(waiting, range(sentences), strict=False)]
    counts = [len(found) for found in extractor.analyzer.analyze(kept[:2_000])]
    per_text = sum(counts) / len(counts)
    needed = max(1, round(sentences / per_text / PARTS))
    concepts = relations = rejected = texts_read = 0
    began = time.process_time()
    for part in range(PARTS):
        batch = islice(cycle(kept), part * needed % len(kept), part * needed % len(kept) + needed)
        for found in extractor.extract_many(batch, genre):
            concepts, relations, rejected = _added((concepts, relations, rejected), found)
            texts_read += 1
        seconds = time.process_time() - began
        read = texts_read * per_text
        print(
            f"{extractor.analyzer.name:12} {read:9,.0f} sentences  {read / seconds:8,.0f} a second of CPU"
            f"  {_mebibytes():6,.0f} MiB"
        )
    print(f"{concepts:,} concepts, {relations:,} relations, {rejected:,} rejected")


def _added(counts: tuple[int, int, int], found: Extraction) -> tuple[int, int, int]:
    return (
        counts[0] + len(found.concepts),
        counts[1] + len(found.relations),
        counts[2] + len(found.rejected),
    )


def made(analyzer: str) -> Iterator[str]:
    """Sentences without end, of the languages that the analyzer parses."""
    languages = {"spacy": FORMS[:5], "kiwi": FORMS[5:]}.get(analyzer, FORMS)
    return (form.format(number) for number, form in enumerate(cycle(languages)))


def paragraphs(paths: Iterable[Path]) -> Iterator[str]:
    """The paragraphs of files: of JSON every text with a blank in it, else what blank lines part."""
    for path in paths:
        text = path.read_text(encoding="utf-8")
        if path.suffix in {".json", ".traj"}:
            yield from _texts(json.loads(text))
        elif path.suffix == ".jsonl":
            yield from (part for line in text.splitlines() for part in _texts(json.loads(line)))
        else:
            yield from filter(str.strip, text.split("\n\n"))


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield from [value] if " " in value else []
    elif isinstance(value, dict):
        yield from (text for part in value.values() for text in _texts(part))
    elif isinstance(value, list):
        yield from (text for part in value for text in _texts(part))


def _mebibytes() -> float:
    """Memory in use now; the highest so far where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


if __name__ == "__main__":
    main()
