"""Relative times: how many are resolved as labelled, and which are not.

    python benchmarks/relative_times.py

The labelled sentences are this project's own (tests/data/facts/times.jsonl).
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from labelled_times import Span, found, read_labelled


def main() -> None:
    """Print what is right by language, and what is wrong."""
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for one in read_labelled():
        language = "Korean" if one.is_korean else "English"
        total[language] += 1
        if found(one) == one.expected:
            right[language] += 1
        else:
            print(
                f"wrong: {one.text} said {one.said_at:%Y-%m-%d}: {_shown(found(one))}, not {_shown(one.expected)}"
            )
    for language, count in total.items():
        print(f"{language}: {right[language]} of {count} ({right[language] / count:.3f})")
    print(f"both: {right.total()} of {total.total()} ({right.total() / total.total():.3f})")


def _shown(span: Span | None) -> str:
    if span is None:
        return "nothing"
    return " to ".join("further notice" if end is None else f"{end:%Y-%m-%dT%H:%MZ}" for end in span)


if __name__ == "__main__":
    main()
