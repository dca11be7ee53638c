"""Says under which conditions figures were measured: machine class, versions, date.

Leaves out names of hosts, users and folders: a report may be published as it is.
"""

from __future__ import annotations

import os
import platform
import sys
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path


def conditions(*packages: str) -> str:
    """A line on the machine, one on the software, as comments of a report.

    Args:
        packages: Distributions whose versions matter beside graphmem's.
    """
    software = ", ".join(f"{name} {_version(name)}" for name in ("graphmem", *packages))
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
    return (
        f"{datetime.now(UTC):%Y-%m-%d} · {_processor()}, {os.cpu_count()} cores, {_memory()} · load {load:.1f}\n"
        f"{platform.system()} · Python {platform.python_version()} · {software}"
    )


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "from its folder" if name == "graphmem" else "absent"


def _processor() -> str:
    """The model of the processor; its architecture where the system does not tell."""
    told = Path("/proc/cpuinfo")
    lines = told.read_text(encoding="utf-8").splitlines() if told.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.machine()


def _memory() -> str:
    if sys.platform != "linux":
        return "memory unknown"
    return f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GB"
