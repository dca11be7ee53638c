"""Korean relations and mentions by morphemes: own labelled sentences, prose to read, names, speed.

    python benchmarks/relations_ko.py labelled [--part "set aside"] [--show]
    python benchmarks/relations_ko.py sample [--half read] [--count 25] [--seed 25]
    python benchmarks/relations_ko.py names [--plain]
    python benchmarks/relations_ko.py speed [--sentences 100000]

The labelled sentences are this project's own (tests/data/relations/ko.jsonl); their even lines are set aside.
KorQuAD and KLUE are evaluation data that is not part of the repository: --data FOLDER (or GRAPHMEM_DATA) holds
korquad/KorQuAD_v1.0_dev.json and klue/klue-ner-v1.1_dev.tsv; where they are not there the command says so and
ends well. Articles of KorQuAD with an even number are for tuning, those with an odd one to be read.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import random
import resource
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from graphmem.graph.keys import canonical_key
from graphmem.language.extraction import ExtractedRelation
from graphmem.language.relations.korean import korean_mentions, korean_relations
from graphmem.language.relations.mentions import mentions_of
from graphmem.ports.text_analyzer import TextAnalyzer
from graphmem.text.kiwi import KiwiAnalyzer
from graphmem.text.plain import PlainAnalyzer

ROOT = Path(__file__).resolve().parent.parent
LABELLED = ROOT / "tests" / "data" / "relations" / "ko.jsonl"
DATA = Path(os.environ.get("GRAPHMEM_DATA", ROOT.parent / "shared" / "data"))
NAMES = frozenset({"PS", "LC", "OG"})
"""Kinds of names in KLUE: persons, places, organisations; dates, times and quantities are none."""

CLASSES = {
    "is_a": ("is_a.", "instance_of."),
    "brings about": ("causes.유발", "causes.로_인한", "causes.원인"),
    "clause causes": ("causes.로_인해", "causes.때문에", "causes.기_때문에", "causes.아서"),
    "part_of": ("part_of.",),
}
"""Rules that are read together, by the beginnings of their names."""

Key = tuple[str, str, str]


def main() -> None:
    """Print what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    commands = parser.add_subparsers(dest="command", required=True)
    labelled = commands.add_parser("labelled")
    labelled.add_argument("--part", choices=("tuning", "set aside"), default="tuning")
    labelled.add_argument("--show", action="store_true", help="print what was missed and what was too much")
    sampled = commands.add_parser("sample")
    sampled.add_argument("--half", choices=("tune", "read"), default="tune")
    sampled.add_argument("--count", type=int, default=25)
    sampled.add_argument("--seed", type=int, default=25)
    names = commands.add_parser("names")
    names.add_argument("--plain", action="store_true", help="without morphemes")
    speed = commands.add_parser("speed")
    speed.add_argument("--sentences", type=int, default=100_000)
    asked = parser.parse_args()
    match asked.command:
        case "labelled":
            score(asked.part, show=asked.show)
        case "sample":
            sample(asked.data, asked.half, asked.count, asked.seed)
        case "names":
            recall_names(asked.data, PlainAnalyzer() if asked.plain else KiwiAnalyzer())
        case _:
            measure_speed(asked.data, asked.sentences)


def score(part: str, *, show: bool) -> None:
    """Print precision, recall and F1 of what is asserted, and how often the rest is set aside rightly."""
    analyzer = KiwiAnalyzer()
    counts: Counter[str] = Counter()
    for row in map(json.loads, LABELLED.read_text(encoding="utf-8").splitlines()):
        if row["part"] == part:
            _compare(row, _found(analyzer, row), counts, show=show)
    right, extra, missed = counts["right"], counts["extra"], counts["missed"]
    print(
        f"{part}: {counts['sentences']} sentences, precision {right / (right + extra):.3f}, "
        f"recall {right / (right + missed):.3f}, F1 {2 * right / (2 * right + extra + missed):.3f} "
        f"({right} right, {extra} too much, {missed} missed); "
        f"not asserted: {counts['set aside']} of {counts['not asserted']} with the right factuality, "
        f"{counts['asserted wrongly']} asserted"
    )


def _found(analyzer: TextAnalyzer, row: dict[str, Any]) -> dict[Key, str]:
    return {
        (one.head.key, one.relation.value, one.tail.key): one.factuality
        for sentence in analyzer.analyze([row["text"]])[0]
        for one in korean_relations(sentence, row["genre"])
    }


def _compare(row: dict[str, Any], found: dict[Key, str], counts: Counter[str], *, show: bool) -> None:
    wanted = {
        (canonical_key(one["head"]) or "", one["relation"], canonical_key(one["tail"]) or ""): one.get(
            "factuality", "asserted"
        )
        for one in row["relations"]
    }
    asserted = {key for key, factuality in found.items() if factuality == "asserted"}
    stated = {key for key, factuality in wanted.items() if factuality == "asserted"}
    counts["sentences"] += 1
    counts["right"] += len(asserted & stated)
    counts["extra"] += len(asserted - stated)
    counts["missed"] += len(stated - asserted)
    for key in wanted.keys() - stated:
        counts["not asserted"] += 1
        counts["set aside"] += found.get(key) == wanted[key]
        counts["asserted wrongly"] += found.get(key) == "asserted"
    if show and found != wanted:
        print(row["text"])
        print("   labelled", {key: wanted[key] for key in wanted if found.get(key) != wanted[key]})
        print("   found   ", {key: found[key] for key in found if found[key] != wanted.get(key)})


def sample(data: Path, half: str, count: int, seed: int) -> None:
    """Print what is asserted in one half of KorQuAD: counts, and a sample of each class of rules to read."""
    analyzer = KiwiAnalyzer()
    found: dict[str, list[ExtractedRelation]] = defaultdict(list)
    rules: Counter[tuple[str, str]] = Counter()
    for paragraph in _paragraphs(data, odd=half == "read"):
        for sentence in analyzer.analyze([paragraph])[0]:
            for one in korean_relations(sentence, "prose"):
                rules[one.rule, one.factuality] += 1
                if one.factuality == "asserted":
                    found[_class_of(one.rule)].append(one)
    for (rule, factuality), number in sorted(rules.items()):
        print(f"{number:5} {factuality:10} {rule}")
    chance = random.Random(seed)
    for name, relations in found.items():
        print(f"\n== {name}: {min(count, len(relations))} of {len(relations)}")
        for one in chance.sample(relations, min(count, len(relations))):
            print(f"{one.head.name} | {one.relation.value} | {one.tail.name}   [{one.rule}]\n      {one.sentence}")


def _class_of(rule: str) -> str:
    return next(name for name, starts in CLASSES.items() if rule.startswith(starts))


def recall_names(data: Path, analyzer: TextAnalyzer) -> None:
    """Print how many of KLUE's names are mentions, by kind, to the character."""
    named: Counter[str] = Counter()
    hit: Counter[str] = Counter()
    mentions = 0
    for text, spans in _klue(data):
        found = {
            (one.start, one.end)
            for sentence in analyzer.analyze([text])[0]
            for one in (korean_mentions(sentence) if sentence.tokens else mentions_of(sentence))
        }
        mentions += len(found)
        for start, end, kind in spans:
            if kind in NAMES:
                named[kind] += 1
                hit[kind] += (start, end) in found
    for kind in sorted(named):
        print(f"{kind}: {hit[kind] / named[kind]:.3f} of {named[kind]}")
    total = sum(named.values())
    print(f"{analyzer.name}: recall {sum(hit.values()) / max(total, 1):.3f} of {total} names, {mentions} mentions")


def measure_speed(data: Path, wanted: int) -> None:
    """Print sentences a second of the analyzer and of the rules, and memory as it goes."""
    analyzer = KiwiAnalyzer()
    analyzer.analyze(["모델을 읽는 문장이다."])
    texts = [*_paragraphs(data, odd=True), *_paragraphs(data, odd=False)]
    done, analysis, rules = 0, 0.0, 0.0
    for number, text in enumerate(itertools.cycle(texts)):
        began = time.process_time()
        (sentences,) = analyzer.analyze([text])
        cut = time.process_time()
        for sentence in sentences:
            korean_relations(sentence, "prose")
            korean_mentions(sentence)
        analysis, rules = analysis + cut - began, rules + time.process_time() - cut
        done += len(sentences)
        if number % 1000 == 0 or done >= wanted:
            print(f"{done:7} sentences, {_resident_mb():5.0f} MB")
        if done >= wanted:
            break
    print(
        f"kiwi {done / analysis:.0f} sentences/s, rules and mentions {done / rules:.0f}/s, "
        f"together {done / (analysis + rules):.0f}/s of processor time; peak "
        f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB"
    )


def _resident_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 1e6


def _paragraphs(data: Path, *, odd: bool) -> Iterator[str]:
    articles = json.loads(_present(data / "korquad" / "KorQuAD_v1.0_dev.json").read_text(encoding="utf-8"))["data"]
    for number, article in enumerate(articles):
        if number % 2 == odd:
            yield from (paragraph["context"] for paragraph in article["paragraphs"])


def _klue(data: Path) -> Iterator[tuple[str, list[tuple[int, int, str]]]]:
    """Sentences with the spans of their entities; the file holds one character a line."""
    block: list[tuple[str, str]] = []
    for line in _present(data / "klue" / "klue-ner-v1.1_dev.tsv").read_text(encoding="utf-8").split("\n"):
        character, _, tag = line.partition("\t")
        if tag and not line.startswith("##"):
            block.append((character, tag))
        elif not line and block:
            yield "".join(character for character, _ in block), _spans([tag for _, tag in block])
            block = []


def _spans(tags: Sequence[str]) -> list[tuple[int, int, str]]:
    found: list[tuple[int, int, str]] = []
    for place, tag in enumerate(tags):
        if tag.startswith("B-"):
            found.append((place, place + 1, tag[2:]))
        elif tag.startswith("I-") and found and found[-1][1] == place:
            found[-1] = (found[-1][0], place + 1, found[-1][2])
    return found


def _present(path: Path) -> Path:
    if not path.is_file():
        print(f"skipped: {path} is not there; it is evaluation data that is not part of the repository")
        raise SystemExit(0)
    return path


if __name__ == "__main__":
    main()
