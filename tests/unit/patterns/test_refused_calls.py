"""Values of another kind than asked for are refused in graphmem's own error, and nothing is written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from graphmem.episodes.service import EpisodesService
from graphmem.errors import InvalidInputError
from graphmem.models.episode import Episode
from graphmem.patterns.service import PatternsService
from workspaces import desk

CALLS: dict[str, Callable[[Any], object]] = {
    "workers as text": lambda patterns: patterns.mine(workers="2"),
    "a domain that is a number": lambda patterns: patterns.mine(domain=3),
    "a moment in words": lambda patterns: patterns.mine(since="어제"),
    "an id that is a number": lambda patterns: patterns.get(3),
    "a list of tiers": lambda patterns: patterns.list(tier=["significant"]),
    "a tool in bytes": lambda patterns: patterns.list(tool=b"sh"),
    "a time as text": lambda patterns: patterns.list(since="2026-01-01"),
    "a limit as text": lambda patterns: patterns.list(limit="3"),
    "a cursor that is a number": lambda patterns: patterns.list(after=3),
    "a budget as text": lambda patterns: patterns.block(budget="800"),
    "a block's limit as text": lambda patterns: patterns.block(limit="3"),
    "no such language": lambda patterns: patterns.block(language=82),
    "steps that are none": lambda patterns: patterns.match([3]),
    "no steps": lambda patterns: patterns.match(None),
    "variants that are numbers": lambda patterns: patterns.compare(3, 4),
    "no such filter": lambda patterns: patterns.matrix(colour="red"),
    "nothing to forget": lambda patterns: patterns.forget(None),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS.keys())
def test_a_value_of_another_kind_is_refused(call: Callable[[Any], object], tmp_path: Path) -> None:
    workspace = desk(tmp_path).workspace()
    EpisodesService(workspace).add(Episode(id="e1", goal="환불"))
    patterns = PatternsService(workspace)
    with pytest.raises(InvalidInputError):
        call(patterns)
    assert patterns.last_run() is None
