"""Relations by rules over the surface, without a parser: right and found on labelled sentences.

    python benchmarks/surface_relations.py FILE [--wrong RULE]

FILE is the training file of SemEval-2010 task 8, which is not part of the repository; where it is not there the
command says so and ends well. What is counted is said in benchmarks/relations.py.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

import semeval_task8 as semeval
from graphmem.language.relations.extractor import Extractor
from graphmem.text.plain import PlainAnalyzer


def main() -> None:
    """Print right and found of each relation and each rule."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--wrong", help="print wrong triples of this rule")
    asked = parser.parse_args()
    if not asked.file.is_file():
        print(f"skipped: {asked.file} is not there; it is evaluation data that is not part of the repository")
        return
    score(semeval.read(asked.file), asked.wrong)


def score(sentences: list[semeval.Marked], wrong: str | None) -> None:
    """Print precision over pairs and recall."""
    found: Counter[tuple[str, str]] = Counter()
    right: Counter[tuple[str, str]] = Counter()
    extractor = Extractor(PlainAnalyzer())
    texts = (marked.text for marked in sentences)
    for marked, extraction in zip(sentences, extractor.extract_many(texts), strict=True):
        counted: set[tuple[str, str]] = set()
        for one, reverse in semeval.joining(marked, extraction.relations):
            is_right = one.relation == marked.relation and reverse == marked.reverse
            for key in {(one.relation.value, ""), (one.relation.value, one.rule)} - counted:
                counted.add(key)
                found[key] += 1
                right[key] += is_right
            if wrong == one.rule and not is_right:
                print(f"{marked.relation or '-':10} {one.head.name} -> {one.tail.name} | {marked.text}")
    labelled = Counter(marked.relation for marked in sentences)
    for relation, rule in sorted(found):
        counts = f"{right[relation, rule]} of {found[relation, rule]}"
        recall = "" if rule else f"  R {right[relation, rule] / max(1, labelled[relation]):.3f}"
        share = right[relation, rule] / found[relation, rule]
        print(f"{relation:10} {rule:28} {counts:12} P_pair {share:.3f}{recall}")


if __name__ == "__main__":
    main()
