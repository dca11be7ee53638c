"""The statements of cypher/graph by name, and their texts with stand-ins filled in.

Texts are remembered: there are few of them, and the server plans a text once.
"""

from __future__ import annotations

from functools import lru_cache

from graphmem.queries import Query, query

STATE = query("graph/state")
BEGIN = query("graph/begin")
NEW_TENANT = query("graph/new_tenant")
FINISH = query("graph/finish")
HOLD_VECTORS = query("graph/hold_vectors")
SAVE_TREES = query("graph/save_trees")
CLEAR_TREES = query("graph/clear_trees")
SAVE_NODES = query("graph/save_nodes")
HASHES = query("graph/hashes")
SAVE_EDGES = query("graph/save_edges")
CREATE_EDGES = query("graph/create_edges")
CREATE_EDGES_INTO = query("graph/create_edges_into")
SET_PROPERTIES = query("graph/set_properties")
REMOVE_NODES = query("graph/remove_nodes")
REMOVE_EDGES = query("graph/remove_edges")
REMOVE_EDGES_INTO = query("graph/remove_edges_into")
GET_NODES = query("graph/get_nodes")
EDGES_OUT = query("graph/edges_out")
EDGES_IN = query("graph/edges_in")
COUNT = query("graph/count")
COUNT_UP_TO = query("graph/count_up_to")
SCAN = query("graph/scan")
SCAN_SELECTED = query("graph/scan_selected")
SCAN_RISING = query("graph/scan_rising")
SCAN_FALLING = query("graph/scan_falling")
SELECTED_RISING = query("graph/selected_rising")
SELECTED_FALLING = query("graph/selected_falling")
NEAREST = query("graph/nearest")
NEAREST_V5 = query("graph/nearest.v5")
NEAREST_EXACT = query("graph/nearest_exact")
WORDS = query("graph/words")
FREQUENCIES = query("graph/frequencies")
CANDIDATES = query("graph/candidates")
TENANTS = query("graph/tenants")
ERASE_TENANT = query("graph/erase_tenant")
IDS_OF_USER = query("graph/ids_of_user")
FORGET_COUNTS = query("graph/forget_counts")
MISSING_VECTORS = query("graph/missing_vectors")
SAVE_VECTORS = query("graph/save_vectors")
COUNT_MISSING_VECTORS = query("graph/count_missing_vectors")
SET_STATE = query("graph/set_state")
SWITCH_VECTORS = query("graph/switch_vectors")
DROP_VECTORS = query("graph/drop_vectors")
MIGRATIONS = query("graph/migrations")
RECORD_MIGRATION = query("graph/record_migration")
COUNT_WORDS = query("graph/count_words")
SET_COUNTS = query("graph/set_counts")
DROP_VECTOR_INDEX = query("graph/drop_vector_index")
DROP_TEXT_INDEX = query("graph/drop_text_index")
INDEXES = query("graph/indexes")
SERVER = query("graph/server")
HEAP = query("graph/heap")
ORPHANS = query("graph/orphans")
VERSION = query("graph/version")


@lru_cache(maxsize=1024)
def _filled(name: str, values: tuple[tuple[str, str], ...]) -> str:
    return query(name).filled(**dict(values))


def filled(statement: Query, **values: str) -> str:
    """The text of a statement with its stand-ins replaced, as `Query.filled` does."""
    return _filled(statement.name, tuple(values.items()))
