from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from graphmem.errors import InvalidInputError
from graphmem.patterns.graphs import EpisodeGraph, GraphEdge, GraphNode, Taxonomy, independence_unit

STEP = GraphNode("action", "deploy", "Deploy")


def test_an_edge_to_a_node_that_is_not_there_is_refused() -> None:
    with pytest.raises(InvalidInputError, match=r"episode 'e1' has an edge 0-NEXT->1"):
        EpisodeGraph(episode="e1", nodes=(STEP,), edges=(GraphEdge(0, 1, "NEXT"),))


def test_a_node_without_a_key_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="an empty key"):
        EpisodeGraph(episode="e1", nodes=(GraphNode("action", "", ""),))


def test_ancestors_are_found_over_every_parent() -> None:
    taxonomy = Taxonomy({"감": ("과일", "식물"), "과일": ("음식",), "식물": ("생물",)})
    assert taxonomy.ancestors("감") == {"과일", "식물", "음식", "생물"}
    assert taxonomy.ancestors("음식") == set()


def test_a_key_is_no_ancestor_of_itself_even_on_a_cycle() -> None:
    taxonomy = Taxonomy({"a": ("b",), "b": ("a", "top"), "leaf": ("a",)})
    assert taxonomy.ancestors("a") == {"top"}
    assert taxonomy.ancestors("b") == {"top"}
    assert taxonomy.ancestors("leaf") == {"a", "b", "top"}


def test_a_task_is_the_unit_before_a_session_before_a_day_before_the_episode() -> None:
    start = datetime(2026, 3, 1, 23, 30, tzinfo=UTC)
    everything = {"task": "t", "session": "s", "user_id": "u", "started_at": start}
    assert independence_unit("e", **everything) == "task:t"  # type: ignore[arg-type]
    assert independence_unit("e", session="s", user_id="u", started_at=start) == "session:s"
    assert independence_unit("e", user_id="u", started_at=start) == "day:2026-03-01:u"
    assert independence_unit("e", user_id="u") == "episode:e"


def test_the_day_of_a_user_is_that_of_utc() -> None:
    seoul = timezone(timedelta(hours=9))
    early = datetime(2026, 3, 2, 8, 0, tzinfo=seoul)
    assert independence_unit("e", user_id="u", started_at=early) == "day:2026-03-01:u"


def test_a_task_called_like_a_session_is_another_unit() -> None:
    assert independence_unit("e", task="x") != independence_unit("e", session="x")
