"""Records of runs to nodes, and back."""

from __future__ import annotations

from datetime import datetime
from typing import TypeVar

from graphmem.graph.mapping.values import content_hash, given, json_text, present, read_json
from graphmem.graph.records import NodeRecord
from graphmem.models.runs import Run

AnyRun = TypeVar("AnyRun", bound=Run)


def run_record(run: Run, recorded_at: datetime) -> NodeRecord:
    """A run as a node; its label is the name of its class."""
    properties = present(
        {
            "started_at": run.started_at,
            "ended_at": run.ended_at,
            "policy": json_text(run.policy),
            "counts": json_text(run.counts),
            "created_at": recorded_at,
            "content_hash": content_hash(run),
        }
    )
    return NodeRecord(type(run).__name__, run.id, properties)


def to_run(node: NodeRecord, kind: type[AnyRun]) -> AnyRun:
    """The run that a node holds, as the class asked for."""
    fields = given(node.properties, "started_at", "ended_at")
    return kind(
        id=node.id,
        policy=read_json(node.properties, "policy"),
        counts=read_json(node.properties, "counts"),
        **fields,
    )
