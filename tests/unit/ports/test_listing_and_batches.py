from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphmem.episodes.views import episodes_frame
from graphmem.errors import GraphMemError, InvalidInputError, NotFoundError
from graphmem.models.checking import checked, refusals
from graphmem.models.procedure import Procedure
from graphmem.ports.batches import BATCH_CHARACTERS, batches
from graphmem.ports.listing import Listing, read_all, read_page
from graphmem.ports.rows import Rows
from graphmem.testing.builders import memory
from workspaces import desk


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, BATCH_CHARACTERS)), max_size=30), st.integers(1, 5))
def test_batches_keep_all_items_in_order_and_within_their_bounds(items: list[tuple[int, int]], size: int) -> None:
    found = list(batches(items, key=lambda item: str(item[0]), weight=lambda item: item[1], size=size))
    assert [item for batch in found for item in batch] == items
    for batch in found:
        assert 1 <= len(batch) <= size
        assert len({item[0] for item in batch}) == len(batch)
        assert len(batch) == 1 or sum(item[1] for item in batch) <= BATCH_CHARACTERS


def test_a_stream_is_read_only_as_far_as_needed() -> None:
    stream = iter(range(100))
    first = next(batches(stream, key=str, weight=lambda _: 1, size=3))
    # one more is read to know that the batch is full
    assert (first, next(stream)) == ([0, 1, 2], 4)


_OWNERS = st.lists(st.sampled_from(["ada", "bob", None]), min_size=1, max_size=14)


@settings(max_examples=25, deadline=None)
@given(owners=_OWNERS, times=st.lists(st.integers(0, 3), min_size=14, max_size=14), limit=st.integers(1, 6))
def test_pages_over_two_filters_are_those_of_one_sorted_list(
    tmp_path_factory: pytest.TempPathFactory, owners: Sequence[str | None], times: list[int], limit: int
) -> None:
    at_hand = desk(tmp_path_factory.mktemp("listing"))
    workspace = at_hand.workspace(user="ada")
    records = [
        memory(f"m{number:02}", kind=f"k{times[number]}")
        if owner is None
        else memory(f"m{number:02}", kind=f"k{times[number]}", user_id=owner)
        for number, owner in enumerate(owners)
    ]
    with workspace.graph.transaction() as transaction:
        transaction.save_nodes(records)
    seen = [record for record in records if workspace.sees(record)]
    filters = workspace.filters("Memory")
    for order, falling in (("kind", False), ("-kind", True)):
        ordered = sorted(seen, key=lambda record: record.id)
        ordered.sort(key=lambda record: str(record.properties["kind"]), reverse=falling)
        expected = [record.id for record in ordered]
        found = read_all(workspace.graph, "Memory", filters, order=order, limit=limit)
        assert [record.id for record in found] == expected
    assert len(read_page(workspace.graph, "Memory", filters, limit=limit).records) == min(limit, len(seen))
    at_hand.store.close()


def test_a_page_is_a_sequence_of_its_items() -> None:
    page = Listing(("a", "b"), None)
    assert (list(page), len(page)) == (["a", "b"], 2)


def test_a_table_without_pandas_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    for call in (Rows(({"a": 1},)).to_frame, lambda: episodes_frame([])):
        with pytest.raises(GraphMemError, match=r"pip install 'graphmem\[frames\]'"):
            call()


def test_a_refused_field_is_named_by_its_place() -> None:
    with pytest.raises(InvalidInputError, match=r"procedure: steps\.1: a name is blank; successes: "):
        checked(Procedure, {"id": "p", "name": "n", "steps": ["a", " "], "successes": -1})


def test_only_plain_value_errors_become_refusals() -> None:
    with pytest.raises(InvalidInputError, match="no key"), refusals():
        raise ValueError("no key")
    with pytest.raises(NotFoundError), refusals():
        raise NotFoundError("episode", "e1")


def test_a_workspace_of_nobody_sees_everything(tmp_path: Path) -> None:
    at_hand = desk(tmp_path)
    assert at_hand.workspace().sees(memory("m", user_id="ada"))
    assert not at_hand.workspace(user="bob").sees(memory("m", user_id="ada"))
    assert at_hand.workspace(user="bob").sees(memory("m"))
