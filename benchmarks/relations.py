"""English relations by rules: right and found on labelled sentences, samples to read, training, speed.

    python benchmarks/relations.py semeval FILE [--from N] [--first N] [--part odd] [--rules] [--weights WEIGHTS]
    python benchmarks/relations.py train FILE WEIGHTS [--from N] [--first N]
    python benchmarks/relations.py folds FILE [--lexicon TSV] [--embedder use]
    python benchmarks/relations.py sample FILE --relation is_a [--count 50] [--seed 6] [--part odd] [--chat]
    python benchmarks/relations.py speed FILE [--sentences 100000]

FILE of `semeval`, `train`, `folds` and `speed` is the training file of SemEval-2010 task 8, that of `sample` the
same, the documents of HotpotQA (a JSON object, title to sentences), or with `--chat` the conversations of LoCoMo.
None of them is part of the repository; where one is not there the command says so and ends well. `--lexicon TSV`
gives nouns their classes (edges of WordNet), `--embedder use` their vectors; both must be as in training.

A triple counts where it joins the two nominals that a sentence marks: P_pair is right of found, R is right of
labelled, reversed those that are right but for their direction.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path

import relations_training as training
import semeval_task8 as semeval
from graphmem.embedders.cached import CachedEmbedder
from graphmem.embedders.use import UseEmbedder
from graphmem.language.extraction import ExtractedRelation, Genre
from graphmem.language.relations.english.relations import english_relations
from graphmem.language.relations.second_stage import SecondStage, Vectors, prose_relations
from graphmem.ports.text_analyzer import Sentence
from graphmem.text.second_stage_weights import read_weights, write_weights
from graphmem.text.spacy import SpacyAnalyzer

Read = Callable[[Sentence], Sequence[ExtractedRelation]]

_PARTS = {"all": slice(None), "even": slice(0, None, 2), "odd": slice(1, None, 2)}
"""Which of a row are read; the first is even."""


def main() -> None:
    """Print what was asked for."""
    asked = _parser().parse_args()
    if not asked.file.is_file():
        print(f"skipped: {asked.file} is not there; it is evaluation data that is not part of the repository")
        return
    asked.run(asked)


def score(asked: argparse.Namespace) -> None:
    """Print precision over pairs, recall and reversed direction, of each relation and each rule."""
    sentences = _labelled(asked)
    _print_scores(sentences, _parsed(sentences), _reader(asked), rules=asked.rules)


def folds(asked: argparse.Namespace) -> None:
    """Print the scores of the second stage on each quarter of a file, learned on the other three."""
    sentences = _labelled(asked)
    parsed, vectors, lexicon = _parsed(sentences), _vectors(asked), training.lexicon_of(asked.lexicon)
    cuts = [len(sentences) * place // 4 for place in range(5)]
    for first, last in pairwise(cuts):
        others, their = sentences[:first] + sentences[last:], parsed[:first] + parsed[last:]
        stage = SecondStage(training.train(others, their, vectors, lexicon), vectors, lexicon)
        print(f"sentences {first + 1:,} to {last:,}", flush=True)
        _print_scores(
            sentences[first:last], parsed[first:last], partial(prose_relations, stage=stage), rules=False
        )


def _print_scores(
    sentences: Sequence[semeval.Marked], parses: Sequence[tuple[Sentence, ...]], read: Read, *, rules: bool
) -> None:
    found, right, turned = Counter[str](), Counter[str](), Counter[str]()
    for marked, parsed in zip(sentences, parses, strict=True):
        relations = [one for sentence in parsed for one in read(sentence)]
        asserted = [one for one in relations if one.factuality == "asserted"]
        seen: set[str] = set()
        for one, reverse in semeval.joining(marked, asserted):
            same = one.relation == marked.relation
            for key in {one.relation.value, f"{one.relation.value} {one.rule}"} - seen:
                seen.add(key)
                found[key] += 1
                right[key] += same and reverse == marked.reverse
                turned[key] += same and reverse != marked.reverse
    labelled = Counter(marked.relation for marked in sentences)
    for key in semeval.RELATIONS.values():
        print(
            f"{key:10} P_pair {right[key] / max(1, found[key]):.3f} ({right[key]} of {found[key]})  "
            f"R {right[key] / max(1, labelled[key]):.3f} (of {labelled[key]})  "
            f"reversed {turned[key] / max(1, found[key]):.3f} ({turned[key]})"
        )
    for key in sorted(one for one in found if " " in one and rules):
        print(f"  {key.partition(' ')[2]:28} {right[key]:4} of {found[key]:4}")


def train(asked: argparse.Namespace) -> None:
    """Learn weights of the second stage and write them."""
    sentences = _labelled(asked)
    weights = training.train(sentences, _parsed(sentences), _vectors(asked), training.lexicon_of(asked.lexicon))
    write_weights(asked.output, weights)
    print(f"learned {len(weights.names):,} features of {len(weights.classes)} classes: {asked.output}")


def sample(asked: argparse.Namespace) -> None:
    """Print relations of a kind to be read, each with its sentence."""
    genre: Genre = "chat" if asked.chat else "prose"
    texts = _messages(asked.file) if asked.chat else _documents(asked.file, asked.part)
    found = [
        one
        for sentences in SpacyAnalyzer().analyze(texts)
        for sentence in sentences
        for one in english_relations(sentence, genre)
        if one.factuality == "asserted" and one.relation.value in asked.relation and asked.rule in one.rule
    ]
    print(f"{len(found)} found, {min(asked.count, len(found))} of them with seed {asked.seed}")
    for one in random.Random(asked.seed).sample(found, min(asked.count, len(found))):
        print(f"{one.rule}: {one.head.name} -> {one.tail.name} || {' '.join(one.sentence.split())[:300]}")


def speed(asked: argparse.Namespace) -> None:
    """Print sentences a second of processor time, of the parse and of the rules, and memory as it goes."""
    texts = [marked.text for marked in semeval.read(asked.file)]
    analyzer, done, parsing, ruling = SpacyAnalyzer(), 0, 0.0, 0.0
    analyzer.analyze(texts[:100])
    while done < asked.sentences:
        # a word of its own in each sentence, as new texts have
        batch = [f"{text} Item zq{done + place}x." for place, text in enumerate(texts[:5_000])]
        started = time.process_time()
        parsed = [sentence for sentences in analyzer.analyze(batch) for sentence in sentences]
        parsing += time.process_time() - started
        started = time.process_time()
        for sentence in parsed:
            english_relations(sentence)
        ruling += time.process_time() - started
        done += len(parsed)
        both = done / (parsing + ruling)
        apart = f"parse {done / parsing:.0f}/s  rules {done / ruling:.0f}/s"
        print(f"{done:8,} sentences  {both:.0f}/s  {apart}  {_mib()}", flush=True)


def _mib() -> str:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return f"{pages * 4096 / 2**20:.0f} MiB"


def _labelled(asked: argparse.Namespace) -> list[semeval.Marked]:
    return semeval.read(asked.file)[asked.start :][: asked.first][_PARTS[asked.part]]


def _parsed(sentences: Sequence[semeval.Marked]) -> list[tuple[Sentence, ...]]:
    return SpacyAnalyzer().analyze([one.text for one in sentences])


def _reader(asked: argparse.Namespace) -> Read:
    if asked.weights is None:
        return english_relations
    if asked.stage is None:
        lexicon = training.lexicon_of(asked.lexicon)
        asked.stage = SecondStage(read_weights(asked.weights), _vectors(asked), lexicon, asked.accepts)
    return partial(prose_relations, stage=asked.stage)


def _vectors(asked: argparse.Namespace) -> Vectors | None:
    return CachedEmbedder(UseEmbedder(), capacity=50_000).embed if asked.embedder == "use" else None


def _documents(path: Path, part: str) -> list[str]:
    if path.suffix == ".TXT":
        return [marked.text for marked in semeval.read(path)]
    documents = json.loads(path.read_text(encoding="utf-8"))
    return ["".join(documents[title]) for title in sorted(documents)[_PARTS[part]]]


def _messages(path: Path) -> list[str]:
    return list(_turns(json.loads(path.read_text(encoding="utf-8"))))


def _turns(conversations: list[dict[str, dict[str, object]]]) -> Iterator[str]:
    for one in conversations:
        for turns in one["conversation"].values():
            if isinstance(turns, list):
                yield from (turn["text"] for turn in turns)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, run in (
        ("semeval", score),
        ("train", train),
        ("folds", folds),
        ("sample", sample),
        ("speed", speed),
    ):
        command = commands.add_parser(name)
        command.set_defaults(run=run)
        command.add_argument("file", type=Path)
        if name in {"semeval", "train", "folds"}:
            command.add_argument("--from", dest="start", type=int, default=0, help="sentences to leave out first")
            command.add_argument("--first", type=int, help="sentences to read")
            command.add_argument("--part", choices=[*_PARTS], default="all", help="every second of these")
            command.add_argument("--lexicon", type=Path, help="edges of WordNet's nouns, tab-separated")
            command.add_argument("--embedder", choices=["none", "use"], default="none")
    commands.choices["semeval"].add_argument("--rules", action="store_true", help="count each rule as well")
    commands.choices["semeval"].add_argument("--weights", type=Path, help="use the second stage")
    commands.choices["semeval"].add_argument("--accepts", type=float, default=0.6)
    commands.choices["semeval"].set_defaults(stage=None)
    commands.choices["train"].add_argument("output", type=Path)
    commands.choices["sample"].add_argument("--relation", nargs="+", required=True)
    commands.choices["sample"].add_argument("--rule", default="", help="part of the rule's name")
    commands.choices["sample"].add_argument("--count", type=int, default=50)
    commands.choices["sample"].add_argument("--seed", type=int, default=6)
    commands.choices["sample"].add_argument("--part", choices=[*_PARTS], default="all")
    commands.choices["sample"].add_argument("--chat", action="store_true")
    commands.choices["speed"].add_argument("--sentences", type=int, default=100_000)
    return parser


if __name__ == "__main__":
    main()
