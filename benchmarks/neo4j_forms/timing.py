"""Times forms that take turns, so that a busy machine slows both."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence


class Timed:
    """Wall and CPU time of a form, round by round."""

    def __init__(self) -> None:
        self.walls: list[float] = []
        self.cpus: list[float] = []

    def __call__(self, work: Callable[[], object]) -> None:
        """Do the work once and keep its times."""
        wall, cpu = time.perf_counter(), time.process_time()
        work()
        self.walls.append(time.perf_counter() - wall)
        self.cpus.append(time.process_time() - cpu)


def ratio(raw: Timed, ours: Timed) -> float:
    """Our rate over the raw one: the median over rounds."""
    return statistics.median(a / b for a, b in zip(raw.walls, ours.walls, strict=True))


def report(what: str, count: int, raw: Timed, ours: Timed, bar: str) -> None:
    """Print both rates, their ratio, the client's processor time and the bar."""
    rates = [count / min(timed.walls) for timed in (raw, ours)]
    cpu = 1000 * min(ours.cpus) / count
    raw_cpu = 1000 * min(raw.cpus) / count
    print(
        f"{what:34} raw {rates[0]:8,.0f}/s  ours {rates[1]:8,.0f}/s  ratio {ratio(raw, ours):.2f} ({bar})"
        f"  client CPU {cpu:.3f} ms (raw {raw_cpu:.3f})",
        flush=True,
    )


def alternating(forms: Sequence[Callable[[int], object]], count: int, warm: int = 15) -> list[float]:
    """Median milliseconds of each form; they take turns."""
    times: list[list[float]] = [[] for _ in forms]
    for number in range(warm + count):
        for place, form in enumerate(forms):
            begun = time.perf_counter()
            form(number)
            if number >= warm:
                times[place].append(1000 * (time.perf_counter() - begun))
    return [statistics.median(found) for found in times]
