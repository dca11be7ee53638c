"""Erasing a user takes along the records of mining runs that name a task or domain of his alone, on each store."""

from __future__ import annotations

from typing import Any

import pytest

import graphmem
from graphmem.graph.mapping.run import to_run
from graphmem.models.runs import MiningRun
from graphmem.ports.reading import every_node
from graphmem.transfer.erasing import erase_user


def limits(memory: graphmem.GraphMemory) -> set[tuple[str | None, str | None]]:
    """(domain, task) of the runs on record."""
    runs = (to_run(node, MiningRun) for node in every_node(memory.workspace.graph, "MiningRun"))
    return {(run.policy.get("domain"), run.policy.get("task")) for run in runs}


@pytest.mark.parametrize("user", ["ada", "서연"])
def test_runs_that_name_what_was_his_alone_go_with_him(open_memory: Any, user: str) -> None:
    for owner, domain, task in (
        (user, "이혼 상담", "카나리아"),
        ("joon", "쇼핑몰", "환불"),
        (user, "쇼핑몰", "환불"),
    ):
        open_memory(user=owner).episodes.add(
            graphmem.Episode(id=f"{owner}-{task}", goal="g", domain=domain, task=task, steps=({"action": "a"},))
        )
    memory = open_memory()
    for bounds in ({}, {"domain": "이혼 상담"}, {"task": "카나리아"}, {"domain": "쇼핑몰"}, {"task": "환불"}):
        memory.patterns.mine(**bounds)
    erased = erase_user(memory.workspace.graph, user)
    assert erased["MiningRun"] == 2
    assert limits(memory) == {(None, None), ("쇼핑몰", None), (None, "환불")}
