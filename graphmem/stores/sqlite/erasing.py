"""Erasure that reaches the raw file: rows, words, vectors, and the log that still holds them.

secure_delete zeroes what is deleted; the word index keeps removed words until its segments are merged;
the log keeps old pages until it is emptied. What this leaves out: copies of the file made elsewhere.
"""

from __future__ import annotations

from graphmem.errors import ConflictError
from graphmem.stores.sqlite.connections import Connections
from graphmem.stores.sqlite.filters import column
from graphmem.stores.sqlite.nodes import remove_keys
from graphmem.stores.sqlite.saving import owned_keys
from graphmem.stores.sqlite.state import WriteState

_AT_ONCE = 5000


def erase_all(state: WriteState) -> dict[str, int]:
    """Remove all that a tenant has, its name included; removed nodes by label."""
    session = state.session
    removed: dict[str, int] = {}
    while keys := session.rows(
        "erase.nodes", f"SELECT key FROM node WHERE tenant = ? LIMIT {_AT_ONCE}", (state.tenant,)
    ):
        for label, count in remove_keys(state, [key for (key,) in keys]).items():
            removed[label] = removed.get(label, 0) + count
    for table in ("tombstone", "holding"):
        session.run("erase.counts", f"DELETE FROM {table} WHERE tenant = ?", (state.tenant,))
    session.run("erase.tenant", "DELETE FROM tenant WHERE key = ?", (state.tenant,))
    state.held.clear()
    # the write that end_writes is about to count
    state.counters["erased"] = state.counters["write"] + 1
    state.changed = True
    _merge_words(state)
    return removed


def erase_user(state: WriteState, user_id: str) -> dict[str, int]:
    """Remove the nodes that carry a user and what they own; removed nodes by label."""
    rows = state.session.rows(
        "erase.user", f"SELECT key FROM node WHERE tenant = ? AND {column('user_id')} = ?", (state.tenant, user_id)
    )
    keys = [key for (key,) in rows]
    removed = remove_keys(state, dict.fromkeys([*keys, *owned_keys(state, keys)]))
    if removed:
        _merge_words(state)
    return removed


def _merge_words(state: WriteState) -> None:
    """Merge the word index into one segment: only then are removed words gone."""
    state.session.run("words.merge", "INSERT INTO words (words) VALUES ('optimize')")


def empty_the_log(connections: Connections) -> None:
    """Write the log into the file and empty it.

    Raises:
        ConflictError: Somebody still reads an older state of the file.
    """
    with connections.alone() as session:
        row = session.row("erase.log", "PRAGMA wal_checkpoint(TRUNCATE)")
        if row is not None and row[0]:
            raise ConflictError(
                f"erased, but {connections.path}-wal could not be emptied while another process reads;"
                " run the same again when it has finished"
            )
