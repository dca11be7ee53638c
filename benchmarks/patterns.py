"""Mining of episode graphs: time and memory beside submine and gspan-mining, and whether planted motifs are found.

    python benchmarks/patterns.py [--sizes 10000@100 10000@10 100000@1000] [--generator motif_gen.py]

Each figure comes from a process of its own, so that its peak memory is its own; both miners start from
graphs in memory. Time is given as wall clock and as processor time, which other load disturbs less.
Without --generator the corpus of the tests is mined; a generator is a module with `generate(episodes)`
that yields dicts of nodes "S:label" and edges, an IS_A dict and MOTIFS. The other two are no dependencies of
graphmem: install them to have their rows. Both know no taxonomy, no direction between equal labels, no statistics.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import io
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from graphmem.patterns.canonical import canonical_code
from graphmem.patterns.discovery import discover_motifs
from graphmem.patterns.graphs import EpisodeGraph, GraphEdge, GraphNode, Taxonomy
from graphmem.patterns.motifs import MiningResult
from graphmem.patterns.policy import MiningPolicy
from graphmem.patterns.statistics.judging import Judgement, judge

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

import motif_corpus
from submine_oracle import SubmineCorpus, one_edge_a_pair

SIZES = ["1000@3", "10000@100", "10000@10", "100000@1000"]
MINERS = ["submine", "gspan-mining", "graphmem", "graphmem with taxonomy", "graphmem with statistics"]
KINDS: dict[str, Any] = {"S": "action", "T": "tool", "C": "concept", "E": "symptom", "K": "cause"}
TYPES = {"USES": "USED", "RAISES": "RAISED", "FIXES": "FIXED"}
MEBIBYTE = 1024


class Corpus(NamedTuple):
    """What is mined, and the codes of the motifs that are planted in it."""

    graphs: list[EpisodeGraph]
    taxonomy: Taxonomy
    planted: dict[str, str]


def own_corpus(episodes: int) -> Corpus:
    """The corpus of the tests: converging causes, joins, generalised nodes, equal and Korean labels."""
    planted = {name: canonical_code(motif.nodes, motif.edges) for name, motif in motif_corpus.PLANTED.items()}
    return Corpus(motif_corpus.corpus(episodes), motif_corpus.TAXONOMY, planted)


def generated_corpus(path: str, episodes: int, seed: int = 7, *, planted: bool = True) -> Corpus:
    """The corpus of a generator given as a file; with `planted` False its shares of motifs, PREV, are zero."""
    spec = importlib.util.spec_from_file_location("generator", path)
    if spec is None or spec.loader is None:
        sys.exit(f"{path} is no Python module; give the path of a generator")
    generator: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generator)
    if not planted:
        generator.PREV = dict.fromkeys(generator.PREV, 0.0)
    graphs = [
        EpisodeGraph(
            episode=f"{number:07d}",
            nodes=tuple(_node(label) for label in episode["nodes"]),
            edges=tuple(GraphEdge(one, other, _type(kind)) for one, other, kind in episode["edges"]),
            outcome=episode["outcome"],
            domain=episode["domain"],
            steps=len(episode["order"]),
        )
        for number, episode in enumerate(generator.generate(episodes, seed))
    ]
    parents = {key[2:]: (above[2:],) for key, above in generator.IS_A.items() if above != "C:Concept"}
    codes = {
        name: canonical_code([_node(label)[:2] for label in nodes], [(a, b, _type(kind)) for a, b, kind in edges])
        for name, (nodes, edges) in generator.MOTIFS.items()
    }
    return Corpus(graphs, Taxonomy(parents), codes)


def _node(label: str) -> GraphNode:
    return GraphNode(KINDS[label[0]], label[2:], label[2:])


def _type(kind: str) -> Any:
    return TYPES.get(kind, kind)


def timed(work: Callable[[], Any]) -> tuple[Any, dict[str, float]]:
    """Do the work; its result, seconds, processor seconds and the peak memory of the process in MiB."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MEBIBYTE
    wall, processor = time.perf_counter(), time.process_time()
    result = work()
    figures = {"seconds": time.perf_counter() - wall, "processor": time.process_time() - processor}
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MEBIBYTE
    return result, {**figures, "peak": peak, "before": before}


def measure(miner: str, episodes: int, min_support: int, generator: str | None) -> dict[str, Any]:
    """One figure: mine a fresh corpus."""
    corpus = generated_corpus(generator, episodes) if generator else own_corpus(episodes)
    if miner == "submine":
        return measure_submine(corpus, min_support)
    if miner == "gspan-mining":
        return measure_gspan_mining(corpus, min_support)
    return measure_graphmem(corpus, miner, min_support)


def measure_graphmem(corpus: Corpus, miner: str, min_support: int) -> dict[str, Any]:
    """Mine with what the miner's name says; statistics are computed on top of the taxonomy."""
    taxonomy = Taxonomy() if miner == "graphmem" else corpus.taxonomy
    policy = MiningPolicy(min_support=min_support)
    tests = "statistics" in miner

    def work() -> tuple[MiningResult, Judgement | None]:
        result = discover_motifs(corpus.graphs, taxonomy, policy)
        return result, judge(result.motifs, corpus.graphs, policy) if tests else None

    (result, judgement), figures = timed(work)
    verdicts = judgement.verdicts if judgement else [None] * len(result.motifs)
    pairs = zip(result.motifs, verdicts, strict=True)
    found = {motif.code for motif, verdict in pairs if verdict is None or verdict.tier != "candidate"}
    missing = sorted(name for name, code in corpus.planted.items() if code not in found)
    return {**figures, "frequent": result.frequent, "closed": len(result.motifs), "missing": missing}


def measure_submine(corpus: Corpus, min_support: int) -> dict[str, Any]:
    """The same graphs, without taxonomy, without direction between equal labels."""
    try:
        from submine.algorithms import gspan_cpp  # noqa: PLC0415 (a yardstick, not a dependency)
    except ImportError:
        return {}
    text = SubmineCorpus([one_edge_a_pair(graph) for graph in corpus.graphs])
    records, figures = timed(lambda: text.mine(gspan_cpp, min_support))
    return {**figures, "frequent": len(records)}


def measure_gspan_mining(corpus: Corpus, min_support: int) -> dict[str, Any]:
    """The same text, read from a file as that library wants it; nothing of what it finds is printed."""
    try:
        from gspan_mining.gspan import gSpan  # noqa: PLC0415 (a yardstick, not a dependency)
    except ImportError:
        return {}
    text = SubmineCorpus([one_edge_a_pair(graph) for graph in corpus.graphs]).text
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        path = Path(folder) / "graphs.txt"
        path.write_text(text, encoding="utf-8")
        # fewest nodes to report out of reach: reporting is not mining, and needs an older pandas
        miner = gSpan(str(path), min_support=min_support, max_num_vertices=5, min_num_vertices=1_000)
        _, figures = timed(miner.run)
    return {**figures, "frequent": len(miner._frequent_subgraphs)}  # noqa: SLF001 (it offers no other way)


def in_own_process(miner: str, size: str, generator: str | None) -> dict[str, Any]:
    """Measure in a fresh interpreter."""
    command = [sys.executable, __file__, "--one", miner, "--sizes", size]
    command += ["--generator", generator] if generator else []
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    figures: dict[str, Any] = json.loads(done.stdout)
    return figures


def report(sizes: list[str], generator: str | None) -> None:
    """Print the table."""
    print(
        f"{'corpus':>14}  {'miner':24}{'seconds':>9}{'processor':>10}{'peak MiB':>10}{'frequent':>10}{'closed':>8}"
    )
    for size in sizes:
        for miner in MINERS:
            figures = in_own_process(miner, size, generator)
            if not figures:
                print(f"{size:>14}  {miner:24} not installed")
                continue
            print(
                f"{size:>14}  {miner:24}{figures['seconds']:9.2f}{figures['processor']:10.2f}"
                f"{figures['peak']:10.0f}{figures['frequent']:10,}{figures.get('closed', '-'):>8}"
                f"{_planted(miner, figures)}"
            )


def _planted(miner: str, figures: dict[str, Any]) -> str:
    said = {"graphmem with taxonomy": "closed", "graphmem with statistics": "more than chance"}.get(miner)
    if said is None:
        return ""
    missing = figures["missing"]
    return f"  planted motifs not {said}: {', '.join(missing)}" if missing else f"  all planted motifs {said}"


def main() -> None:
    """Read the options and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", nargs="+", default=SIZES, metavar="EPISODES@SUPPORT")
    parser.add_argument("--generator", help="a generator's file; the corpus of the tests when left out")
    parser.add_argument("--one", choices=MINERS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        episodes, min_support = map(int, options.sizes[0].split("@"))
        print(json.dumps(measure(options.one, episodes, min_support, options.generator)))
    else:
        report(options.sizes, options.generator)


if __name__ == "__main__":
    main()
