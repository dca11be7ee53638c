"""Mining as the corpus grows, whole and in partitions: processor time and peak memory.

    python benchmarks/mining_scale.py [--sizes 1000@10 10000@100 1000000@10000/4] [--plot growth.svg]

A size is EPISODES@SUPPORT, with /PARTITIONS where the episodes are searched in parts; each figure comes from
a process of its own. The corpus is that of the tests, with its taxonomy. Processor time is what other load
disturbs least; the peak holds the episodes themselves, `before` is the memory before mining.
"""

from __future__ import annotations

import argparse
import gc
import json
import subprocess
import sys
from math import log10
from pathlib import Path
from typing import Any

from graphmem.patterns.discovery import discover_motifs
from graphmem.patterns.policy import MiningPolicy

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

import motif_corpus
from patterns import timed

SIZES = [
    "1000@10",
    "3000@30",
    "10000@100",
    "30000@300",
    "100000@1000",
    "100000@1000/4",
    "1000000@10000",
    "1000000@10000/4",
]
WIDTH, HEIGHT, MARGIN = 560, 320, 56


def measure(size: str) -> dict[str, Any]:
    """One figure: make a corpus and mine it."""
    episodes, _, rest = size.partition("@")
    support, _, parts = rest.partition("/")
    gc.disable()  # millions of small values that all stay: looking for cycles among them doubles the time
    graphs = motif_corpus.corpus(int(episodes))
    gc.freeze()
    gc.enable()
    policy = MiningPolicy(min_support=int(support), partitions=int(parts or 1))
    result, figures = timed(lambda: discover_motifs(graphs, motif_corpus.TAXONOMY, policy))
    return {**figures, "episodes": int(episodes), "frequent": result.frequent, "closed": len(result.motifs)}


def in_own_process(size: str) -> dict[str, Any]:
    """Measure in a fresh interpreter."""
    done = subprocess.run([sys.executable, __file__, "--one", size], check=True, capture_output=True, text=True)
    figures: dict[str, Any] = json.loads(done.stdout)
    return figures


def plot(figures: list[dict[str, Any]]) -> str:
    """Processor seconds over episodes as SVG, both axes logarithmic."""
    points = [(one["episodes"], one["processor"]) for one in figures]
    xs = range(3, 1 + int(log10(max(x for x, _ in points))))
    ys = range(-2, 3)

    def place(x: float, y: float) -> tuple[float, float]:
        wide = (log10(x) - 3) / (max(xs[-1], 5) - 3)
        high = (log10(y) + 2) / 4
        return MARGIN + wide * (WIDTH - 2 * MARGIN), HEIGHT - MARGIN - high * (HEIGHT - 2 * MARGIN)

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-size="12">',
        "<style>text { font-family: sans-serif }</style>",
        "<title>Mining at 1 % support: processor seconds over episodes</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
    ]
    for power in xs:
        x, y = place(10**power, 0.01)
        lines.append(f'<line x1="{x:.0f}" y1="{y:.0f}" x2="{x:.0f}" y2="{MARGIN}" stroke="#ddd"/>')
        lines.append(f'<text x="{x:.0f}" y="{y + 18:.0f}" text-anchor="middle">{10**power:,}</text>')
    for power in ys:
        x, y = place(1000, 10.0**power)
        lines.append(f'<line x1="{x:.0f}" y1="{y:.0f}" x2="{WIDTH - MARGIN}" y2="{y:.0f}" stroke="#ddd"/>')
        lines.append(f'<text x="{x - 6:.0f}" y="{y + 4:.0f}" text-anchor="end">{10.0**power:g}</text>')
    spots = [place(*point) for point in points]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in spots)
    lines.append(f'<polyline points="{path}" fill="none" stroke="#1f6f8b" stroke-width="2"/>')
    for (x, y), (_, seconds) in zip(spots, points, strict=True):
        lines.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="#1f6f8b"/>')
        lines.append(f'<text x="{x + 6:.1f}" y="{y + 16:.1f}">{seconds:.2f} s</text>')
    lines.append(
        f'<text x="{WIDTH / 2}" y="{HEIGHT - 8}" text-anchor="middle">episodes, support 1 % of them</text>'
    )
    lines.append(f'<text x="{MARGIN}" y="20">processor seconds</text>')
    return "\n".join([*lines, "</svg>", ""])


def main() -> None:
    """Read the options and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", nargs="+", default=SIZES, metavar="EPISODES@SUPPORT[/PARTITIONS]")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="Write the whole corpora's growth as SVG.")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measure(options.one)))
        return
    found = []
    print(f"{'corpus':>18}{'seconds':>9}{'processor':>10}{'before MiB':>11}{'peak MiB':>10}{'closed':>8}")
    for size in options.sizes:
        figures = in_own_process(size)
        found += [] if "/" in size else [figures]
        print(
            f"{size:>18}{figures['seconds']:9.2f}{figures['processor']:10.2f}{figures['before']:11.0f}"
            f"{figures['peak']:10.0f}{figures['closed']:8}",
            flush=True,
        )
    if options.plot:
        options.plot.write_text(plot(found), encoding="utf-8")


if __name__ == "__main__":
    main()
