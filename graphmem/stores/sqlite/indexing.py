"""Builds what is derived from the nodes anew: the word index, its counts, and the file's own indexes."""

from __future__ import annotations

from graphmem.stores.sqlite.migrations import WORDS_TABLE, create_indexes, secure_words
from graphmem.stores.sqlite.nodes import indexed_text
from graphmem.stores.sqlite.session import Session

_AT_ONCE = 2000


def reindex(session: Session) -> None:
    """Build the word index, the counts and all indexes anew."""
    session.run("words.drop", "DROP TABLE words")
    session.run("words.create", WORDS_TABLE)
    secure_words(session)
    counts: dict[tuple[int, int], list[int]] = {}
    last = 0
    while rows := session.rows(
        "nodes.all",
        f"SELECT key, tenant, label, words FROM node WHERE key > ? ORDER BY key LIMIT {_AT_ONCE}",
        (last,),
    ):
        last = rows[-1][0]
        documents = []
        for key, tenant, label, words in rows:
            held = counts.setdefault((tenant, label), [0, 0, 0])
            held[0] += 1
            if words:
                held[1] += 1
                held[2] += len(words.split())
                documents.append((key, indexed_text(tenant, label, words)))
        session.run_many("words.insert", "INSERT INTO words (rowid, text) VALUES (?, ?)", documents)
    session.run("holding.clear", "DELETE FROM holding")
    session.run_many(
        "holding.write",
        "INSERT INTO holding (tenant, label, nodes, documents, words) VALUES (?, ?, ?, ?, ?)",
        [(*scope, *held) for scope, held in counts.items()],
    )
    create_indexes(session)
    session.run("indexes.build", "REINDEX")
    session.run("counters.write", "UPDATE counter SET value = value + 1 WHERE name = 'write'")
    session.run("tenant.version", "UPDATE tenant SET version = (SELECT value FROM counter WHERE name = 'write')")
