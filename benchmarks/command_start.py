"""Start of the command line beside that of a bare interpreter: what `graphmem --help` costs.

    python benchmarks/command_start.py [--rounds 20]

Both are processes of their own that take turns; the figure is the median over the rounds.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FORMS = {
    "bare interpreter": ["-c", "pass"],
    "graphmem --help": ["-m", "graphmem", "--help"],
    "import graphmem": ["-c", "import graphmem"],
}


def milliseconds(arguments: list[str]) -> float:
    """How long a process takes from its start to its end."""
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    begun = time.perf_counter()
    subprocess.run([sys.executable, *arguments], env=environ, stdout=subprocess.DEVNULL, check=True)
    return 1000 * (time.perf_counter() - begun)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=20)
    rounds = parser.parse_args().rounds
    taken = {name: [milliseconds(arguments)] for name, arguments in FORMS.items()}
    for _ in range(rounds):
        for name, arguments in FORMS.items():
            taken[name].append(milliseconds(arguments))
    bare = statistics.median(taken["bare interpreter"][1:])
    for name, all_taken in taken.items():
        median = statistics.median(all_taken[1:])
        print(f"{name:18} {median:7.1f} ms  {median / bare:5.2f} times")


if __name__ == "__main__":
    main()
