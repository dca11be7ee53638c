"""Each statement names its tenant; those that look after a whole store are counted out, with the reason."""

from __future__ import annotations

import re

import pytest

from graphmem.queries import query, query_names

WHOLE_STORE = {
    "graph/count_missing_vectors": "a count for doctor",
    "graph/count_words": "sets the counts of all tenants anew, by tenant",
    "graph/drop_text_index": "schema",
    "graph/drop_vector_index": "schema",
    "graph/drop_vectors": "the set of vectors that a re-embedding left behind",
    "graph/heap": "the server's memory",
    "graph/hold_vectors": "the state of the store",
    "graph/indexes": "schema",
    "graph/migrations": "schema",
    "graph/orphans": "counts for doctor, edges between tenants among them",
    "graph/record_migration": "schema",
    "graph/server": "the server's version",
    "graph/set_state": "the state of the store",
    "graph/state": "the state of the store",
    "graph/switch_vectors": "the state of the store, and every tenant's version",
    "graph/tenants": "names of tenants",
}
"""None of them gives content of a record."""

IN_THE_SEARCH = {"graph/frequencies"}
"""The tenant is part of the full-text query, which is a parameter."""


@pytest.mark.parametrize("name", [*query_names("graph"), *query_names("reports")])
def test_a_statement_matches_only_its_own_tenant(name: str) -> None:
    if name in WHOLE_STORE or name in IN_THE_SEARCH:
        assert "tenant" not in query(name).params, f"{name} needs no exception"
        return
    found = query(name)
    assert "tenant" in found.params
    assert re.search(r"\btenant: \$tenant\b|\.tenant = \$tenant\b", found.text)


def test_every_exception_is_a_statement() -> None:
    assert WHOLE_STORE.keys() | IN_THE_SEARCH <= set(query_names("graph"))
