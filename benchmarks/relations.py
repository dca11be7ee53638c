"""English relations by rules: right and found on labelled sentences, samples to read, speed.

    python benchmarks/relations.py semeval FILE [--first N] [--from N] [--rules]
    python benchmarks/relations.py sample FILE... [--relation is_a] [--count 50] [--seed 6] [--chat]
    python benchmarks/relations.py speed FILE [--sentences 100000]

FILE of `semeval` is the training file of SemEval-2010 task 8, which is not part of the repository; where it is not
there the command says so and ends well. A triple counts where it joins the two nominals that a sentence marks:
P_pair is right of found, R is right of labelled, reversed those that are right but for their direction.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import semeval_task8 as semeval
from graphmem.language.extraction import ExtractedRelation
from graphmem.language.relations.english.relations import english_relations
from graphmem.text.spacy import SpacyAnalyzer

Extract = Callable[[str], Sequence[ExtractedRelation]]


def main() -> None:
    """Print what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    scored = commands.add_parser("semeval")
    scored.add_argument("file", type=Path)
    scored.add_argument("--from", dest="start", type=int, default=0, help="sentences to leave out at the start")
    scored.add_argument("--first", type=int, help="sentences to read")
    scored.add_argument("--rules", action="store_true", help="count each rule as well")
    scored.add_argument("--wrong", help="print wrong triples of this rule")
    asked = parser.parse_args()
    if not asked.file.is_file():
        print(f"skipped: {asked.file} is not there; it is evaluation data that is not part of the repository")
        return
    sentences = semeval.read(asked.file)[asked.start :][: asked.first]
    score(sentences, asked.rules, asked.wrong)


def score(sentences: Sequence[semeval.Marked], rules: bool, wrong: str | None) -> None:
    """Print precision over pairs, recall and reversed direction, of each relation and each rule."""
    found: Counter[tuple[str, str]] = Counter()
    right: Counter[tuple[str, str]] = Counter()
    turned: Counter[tuple[str, str]] = Counter()
    for marked, relations in zip(sentences, _extracted(sentences), strict=True):
        asserted = [one for one in relations if one.factuality == "asserted"]
        seen: set[tuple[str, str]] = set()
        for one, reverse in semeval.joining(marked, asserted):
            for key in ((one.relation.value, ""), (one.relation.value, one.rule)):
                if key in seen:
                    continue
                seen.add(key)
                found[key] += 1
                same = one.relation == marked.relation
                right[key] += same and reverse == marked.reverse
                turned[key] += same and reverse != marked.reverse
            if wrong == one.rule and not (one.relation == marked.relation and reverse == marked.reverse):
                print(f"{marked.relation or '-':10} {one.head.name} -> {one.tail.name} | {marked.text}")
    labelled = Counter(marked.relation for marked in sentences)
    for relation in semeval.RELATIONS.values():
        key = (relation, "")
        print(
            f"{relation:10} P_pair {right[key] / max(1, found[key]):.3f} ({right[key]} of {found[key]})  "
            f"R {right[key] / max(1, labelled[relation]):.3f} (of {labelled[relation]})  "
            f"reversed {turned[key] / max(1, found[key]):.3f} ({turned[key]})"
        )
    if rules:
        for key in sorted(one for one in found if one[1]):
            print(f"  {key[1]:28} {right[key]:4} of {found[key]:4}")


def _extracted(sentences: Iterable[semeval.Marked]) -> list[list[ExtractedRelation]]:
    parsed = SpacyAnalyzer().analyze([one.text for one in sentences])
    return [[relation for sentence in one for relation in english_relations(sentence)] for one in parsed]


if __name__ == "__main__":
    main()
