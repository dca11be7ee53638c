"""The contract of the store port as tests: a store passes when a subclass of each class here does.

    class TestMyStore(StoreContract):
        @pytest.fixture
        def open_store(self, tmp_path): ...

`StoreContract` shares one store between tests, each with its own tenant. `StoreSchemaContract` changes
the schema or the embedder of a whole store, so it wants a store that nobody else uses.

What the port leaves open is settled here: a root owns what hangs on it by HAS_STEP or HAS_FINDING;
walking ends when `expand` meets its limit, and edges to nodes left out are left out; cosines are equal
when they agree to 5 decimals; nodes without search_text count in no average of the ranking.
"""

from __future__ import annotations

import pytest

_PARTS = (
    "concurrency",
    "edges",
    "fixtures",
    "nodes",
    "operations",
    "paging",
    "searching",
    "tenants",
    "trees",
    "vectors",
)
pytest.register_assert_rewrite(*(f"{__name__}.{part}" for part in _PARTS))

from graphmem.testing.store.concurrency import ConcurrencyContract  # noqa: E402 (assertions are rewritten first)
from graphmem.testing.store.edges import EdgeContract  # noqa: E402 (as above)
from graphmem.testing.store.nodes import NodeContract  # noqa: E402 (as above)
from graphmem.testing.store.operations import OperationContract  # noqa: E402 (pytest must know the modules before they load)
from graphmem.testing.store.paging import PagingContract  # noqa: E402 (as above)
from graphmem.testing.store.schema import StoreSchemaContract  # noqa: E402 (pytest must know the modules before they load)
from graphmem.testing.store.searching import SearchContract  # noqa: E402 (as above)
from graphmem.testing.store.tenants import TenantContract  # noqa: E402 (as above)
from graphmem.testing.store.trees import TreeContract  # noqa: E402 (as above)
from graphmem.testing.store.vectors import VectorContract  # noqa: E402 (as above)


class StoreContract(
    NodeContract,
    TreeContract,
    EdgeContract,
    PagingContract,
    SearchContract,
    VectorContract,
    TenantContract,
    ConcurrencyContract,
    OperationContract,
):
    """Everything about the data of tenants."""


__all__ = ["StoreContract", "StoreSchemaContract"]
