"""Erasure that reaches the raw file: rows, words, vectors, free room within pages, and the log.

SQLite's secure_delete zeroes what is deleted, but rows that moved when pages split or merged leave
copies in the free room of a page, the word index keeps removed words until its segments are merged,
and the log keeps old pages: so the file is rebuilt and the log emptied. What this leaves out: copies
of the file made elsewhere.
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
    return removed


def erase_user(state: WriteState, user_id: str) -> dict[str, int]:
    """Remove the nodes that carry a user and what they own; removed nodes by label."""
    rows = state.session.rows(
        "erase.user", f"SELECT key FROM node WHERE tenant = ? AND {column('user_id')} = ?", (state.tenant, user_id)
    )
    keys = [key for (key,) in rows]
    return remove_keys(state, dict.fromkeys([*keys, *owned_keys(state, keys)]))


def scrub(connections: Connections) -> None:
    """Leave nothing in the file and its log that was removed or replaced.

    Takes the time and the free space of writing the file anew.

    Raises:
        ConflictError: Somebody still reads an older state of the file.
    """
    with connections.alone() as session:
        if session.row("erase.stale", "SELECT value FROM counter WHERE name = 'stale'") == (0,):
            return
        # only one segment holds no removed words
        session.run("words.merge", "INSERT INTO words (words) VALUES ('optimize')")
        # on disk: the copy may not fit into memory, and it holds only what stays
        session.run("pragma", "PRAGMA temp_store = FILE")
        session.run("erase.rebuild", "VACUUM")
        session.run("pragma", "PRAGMA temp_store = MEMORY")
        session.run("erase.stale", "UPDATE counter SET value = 0 WHERE name = 'stale'")
        busy = session.row("erase.log", "PRAGMA wal_checkpoint(TRUNCATE)")
        if busy is not None and busy[0]:
            session.run("erase.stale", "UPDATE counter SET value = 1 WHERE name = 'stale'")
            raise ConflictError(
                f"erased, but {connections.path}-wal could not be emptied while another process reads;"
                " run the same again when it has finished"
            )
