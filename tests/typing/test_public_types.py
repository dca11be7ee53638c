"""What a type checker sees of the public names; mypy checks it, pytest only imports it."""

from __future__ import annotations

from datetime import datetime
from typing import assert_type

import networkx as nx
import pandas as pd

import graphmem
from graphmem.consolidation.plan import ConsolidationPlan, ConsolidationReport
from graphmem.episodes.similar import SimilarEpisode
from graphmem.graph.records import Saved
from graphmem.models.comparison import VariantComparison
from graphmem.models.memories import Memory
from graphmem.patterns.entering import EnteredPattern
from graphmem.patterns.matrix import PatternMatrix
from graphmem.ports.listing import Listing
from graphmem.ports.rows import Rows


def test_the_types_of_the_public_names_are_the_documented_ones() -> None:
    assert callable(check)


def check(memory: graphmem.GraphMemory, episode: graphmem.Episode) -> None:
    """Never called: what is written here must type-check."""
    assert_type(graphmem.open("memory.db", tenant="acme", max_refused=3), graphmem.GraphMemory)
    with graphmem.open() as opened:
        assert_type(opened, graphmem.GraphMemory)
    assert_type(memory.remember("x"), Memory)
    found = memory.recall("x", limit=3, kinds=["message"], as_of=None, recipe="lexical")
    assert_type(found, graphmem.RecallResult)
    for item in found:
        assert_type(item, graphmem.Recalled)
        assert_type(item.at, datetime | None)
        assert_type(item.score, float)
    assert_type(memory.context("x", budget=800), str)
    assert_type(memory.consolidate(), ConsolidationReport)
    assert_type(memory.consolidate(plan=True), ConsolidationPlan)
    assert_type(memory.query("reports/growth", days=30), Rows)
    assert_type(memory.query("reports/growth").to_frame(), pd.DataFrame)
    assert_type(memory.messages.add("x", role="user", at=None), graphmem.Message)
    assert_type(memory.messages.list(), Listing[graphmem.Message])
    assert_type(memory.episodes.add_many([episode]), Saved)
    assert_type(memory.episodes.get("e"), graphmem.Episode)
    assert_type(memory.episodes.set_outcome("e", "success"), graphmem.Episode)
    assert_type(memory.episodes.similar("x"), tuple[SimilarEpisode, ...])
    assert_type(memory.episodes.graph("e"), nx.MultiDiGraph[str])
    assert_type(memory.concepts.relate("a", "is_a", "b"), graphmem.Relation)
    assert_type(memory.facts.history("Ada"), tuple[Memory, ...])
    assert_type(memory.procedures.list(), Listing[graphmem.Procedure])
    assert_type(memory.patterns.list(), Listing[graphmem.Pattern])
    assert_type(memory.patterns.match(["a", {"action": "b"}]), tuple[EnteredPattern, ...])
    assert_type(memory.patterns.compare("v1", {"model": "m"}), VariantComparison)
    assert_type(memory.patterns.matrix(), PatternMatrix)
    assert_type(memory.patterns.to_frame(), pd.DataFrame)
