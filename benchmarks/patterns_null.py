"""Patterns claimed where nothing is planted, and planted ones that are claimed.

    python benchmarks/patterns_null.py [--corpora 100] [--seeds 20] [--generator motif_gen.py] [--processes 1]

Each setting mines fresh corpora whose outcomes depend on no pattern, and counts those with a significant
one. At 5 % an honest test has more than 8 such corpora of 100 in 6 % of all runs of this benchmark. Where
length is tied to failure an association is there, but it is that of length: the count that must stay small
is that of patterns whose length-adjusted p is significant as well.

Without --generator the corpora of the tests are mined; a generator is a module with `generate(episodes,
seed)`, IS_A and MOTIFS, and PREV, which is set to zero where nothing is to be planted.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from scipy.stats import binom

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
sys.path.insert(0, str(Path(__file__).resolve().parent))

import motif_corpus
import outcome_corpus as changes
from graphmem.patterns.advice import LATE_FROM
from graphmem.patterns.canonical import canonical_code
from graphmem.patterns.contrasts import nearest_contrast
from graphmem.patterns.discovery import discover_motifs
from graphmem.patterns.motifs import Motif
from graphmem.patterns.policy import MiningPolicy
from graphmem.patterns.records import title_of
from graphmem.patterns.statistics.judging import Judgement, judge
from patterns import Corpus, generated_corpus

LEVEL = 0.05


class Setting(NamedTuple):
    """How a corpus without an association between patterns and outcomes is made."""

    change: changes.Change
    planted: bool
    """Whether motifs are planted all the same, whose outcomes are those of all others."""


SETTINGS = {
    "plain": Setting(changes.at_random, planted=False),
    "planted, outcomes at random": Setting(changes.at_random, planted=True),
    "95 of 100 succeed": Setting(changes.imbalanced, planted=True),
    "30 % repeated tasks": Setting(changes.repeated_tasks, planted=True),
    "bursts of steps": Setting(changes.bursty, planted=True),
    "length tied to failure": Setting(changes.length_fails, planted=True),
}


class Claims(NamedTuple):
    """What is claimed of one corpus."""

    tested: int
    significant: int
    beyond_length: int
    """Those whose length-adjusted p is significant as well."""


class Found(NamedTuple):
    """Which planted motifs are claimed, in the direction they have."""

    planted: tuple[str, ...]
    late: bool | None
    """Whether the hand-over is claimed and marked as late; None: not planted."""
    contrasted: bool | None
    """Whether the planted failure is claimed with the planted answer as its contrast."""


def make_corpus(generator: str | None, episodes: int, seed: int, *, planted: bool) -> Corpus:
    """A corpus in which no task repeats."""
    if generator:
        made = generated_corpus(generator, episodes, seed, planted=planted)
    else:
        codes = {name: canonical_code(one.nodes, one.edges) for name, one in motif_corpus.PLANTED.items()}
        graphs = motif_corpus.corpus(episodes, seed, plant=planted)
        made = Corpus(graphs, motif_corpus.TAXONOMY, codes)
    return made._replace(graphs=changes.own_tasks(made.graphs))


def examined(graphs: Sequence[Any], corpus: Corpus, seed: int) -> tuple[tuple[Motif, ...], Judgement]:
    """Motifs with their verdicts."""
    policy = MiningPolicy(seed=seed)
    motifs = discover_motifs(graphs, corpus.taxonomy, policy).motifs
    return motifs, judge(motifs, graphs, policy)


def claims(seed: int, *, setting: str, generator: str | None, episodes: int) -> Claims:
    """What is claimed of one corpus of a setting."""
    change, planted = SETTINGS[setting]
    corpus = make_corpus(generator, episodes, seed, planted=planted)
    _, judgement = examined(change(corpus.graphs, random.Random(seed)), corpus, seed)
    claimed = [one for one in judgement.verdicts if one.tier == "significant"]
    beyond = [one for one in claimed if one.length_adjusted and one.length_adjusted.p <= LEVEL]
    return Claims(judgement.tested, len(claimed), len(beyond))


def found(seed: int, *, generator: str | None, episodes: int) -> Found:
    """Which planted motifs are claimed in one corpus."""
    corpus = make_corpus(generator, episodes, seed, planted=True)
    motifs, judgement = examined(corpus.graphs, corpus, seed)
    claimed = {
        motif.code for motif, one in zip(motifs, judgement.verdicts, strict=True) if one.tier == "significant"
    }
    names = tuple(name for name, code in corpus.planted.items() if code in claimed)
    if generator:
        return Found(names, None, None)
    return Found(names, *_endings(*examined(changes.outcomes_corpus(episodes, seed), corpus, seed)))


def _endings(motifs: Sequence[Motif], judgement: Judgement) -> tuple[bool, bool]:
    """Whether the hand-over is late, and whether the retries have the answer as their contrast."""
    late = contrasted = False
    titles = [title_of(motif) for motif in motifs]
    for number, (motif, verdict) in enumerate(zip(motifs, judgement.verdicts, strict=True)):
        if verdict.polarity != "negative":
            continue
        keys = {node.key for node in motif.nodes}
        late |= keys == {"sum up", "hand over"} and motif.position >= LATE_FROM
        if "retry" in keys and "quota" in keys:
            contrast = nearest_contrast(number, motifs, judgement, titles)
            contrasted |= contrast is not None and "back off" in contrast.title
    return late, contrasted


def run(work: partial[Any], seeds: Iterable[int], processes: int) -> Iterator[Any]:
    """Do the work for each seed."""
    if processes == 1:
        yield from map(work, seeds)
        return
    with ProcessPoolExecutor(processes) as pool:
        yield from pool.map(work, seeds)


def report_null(options: argparse.Namespace) -> None:
    """Print how many corpora without an association have a significant pattern."""
    print(f"{'nothing to find':30}{'corpora':>8}{'tested':>8}{'with a claim':>14}{'beyond length':>15}")
    for name in options.settings:
        work = partial(claims, setting=name, generator=options.generator, episodes=options.episodes)
        got = list(run(work, range(1, options.corpora + 1), options.processes))
        wrong, beyond = (sum(bool(one[place]) for one in got) for place in (1, 2))
        tested = sum(one.tested for one in got) / max(1, len(got))
        print(f"{name:30}{len(got):8}{tested:8.1f}{wrong:14}{beyond:15}", flush=True)
    bar = int(binom.isf(LEVEL, options.corpora, LEVEL))
    print(f"at level {LEVEL:g}, {bar} or fewer of {options.corpora} are to be expected in 95 % of runs")


def report_power(options: argparse.Namespace) -> None:
    """Print how many planted motifs are claimed."""
    for episodes in options.power:
        work = partial(found, generator=options.generator, episodes=episodes)
        got = list(run(work, range(1, options.seeds + 1), options.processes))
        mean = sum(len(one.planted) for one in got) / max(1, len(got))
        each = {name: sum(name in one.planted for one in got) for one in got for name in one.planted}
        print(f"{episodes:,} episodes: {mean:.2f} planted motifs claimed on average of {len(got)} corpora: {each}")
        if not options.generator:
            late, contrasted = (sum(bool(one[place]) for one in got) for place in (1, 2))
            print(
                f"    hand-over claimed and late in {late}, retries with their answer in {contrasted}", flush=True
            )


def main() -> None:
    """Read the options and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpora", type=int, default=100)
    parser.add_argument("--seeds", type=int, default=20, help="corpora for each size of the power measurement")
    parser.add_argument("--episodes", type=int, default=1_000, help="of a corpus with nothing to find")
    parser.add_argument("--power", type=int, nargs="*", default=[1_000, 500], metavar="EPISODES")
    parser.add_argument("--settings", nargs="*", default=list(SETTINGS), choices=SETTINGS)
    parser.add_argument("--generator", help="a generator's file; the corpora of the tests when left out")
    parser.add_argument("--processes", type=int, default=1)
    options = parser.parse_args()
    report_null(options)
    report_power(options)


if __name__ == "__main__":
    main()
