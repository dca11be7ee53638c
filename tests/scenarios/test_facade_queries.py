"""The named queries give the same rows in Cypher and over the port."""

from __future__ import annotations

import graphmem
from graphmem.reports.named import NAMED_REPORTS


def test_every_named_query_has_its_equal_over_the_port(sampled: graphmem.GraphMemory) -> None:
    sampled.consolidate()
    sampled.remember("나는 커피를 좋아한다")
    sampled.messages.add("안녕")
    sampled.concepts.add(graphmem.Concept(name="외톨이"))
    for head, tail in (("누수", "곰팡이"), ("곰팡이", "누수")):
        sampled.concepts.relate(head, "causes", tail)
    sampled.procedures.add(graphmem.Procedure(id="p", name="환불", steps=("조회", "환불"), successes=2))
    for name, report in NAMED_REPORTS.items():
        given = report.parameters(name, {})
        over_the_port = report.answer(sampled.workspace.graph, sampled.workspace.now(), **given)
        assert over_the_port, name
        assert sampled.query(name).to_dicts() == over_the_port, name
        if "limit" in given:
            assert sampled.query(name, limit=1).to_dicts() == over_the_port[:1], name
