"""The numbered schema of the file: what each migration does, and bringing a file to the newest one.

Number and identity stand in the file's header (`user_version`, `application_id`), so that opening
looks at them without a table; the table `migration` records what ran when.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from graphmem.errors import SchemaError, StoreMissingError
from graphmem.graph.schema import EDGE_TYPES, NODE_TYPES, SCHEMA_VERSION
from graphmem.stores.sqlite.codec import encode_time
from graphmem.stores.sqlite.filters import (
    COMMON_LABELS,
    FURTHER,
    INDEXED,
    SELECTING,
    column,
    common_index,
    index_name,
)
from graphmem.stores.sqlite.session import Session

APPLICATION_ID = 0x67_72_6D_6D
"""`grmm` in the header: tells our files from other SQLite databases."""

TOKENIZER = "unicode61 remove_diacritics 0 categories 'L* M* N* P* S* Cn Co Cf'"
"""Splits at white space and control characters only: the words were cut in graph/tokens.py."""

_TABLES = (
    # a key is never given twice: other processes remember keys
    (
        "CREATE TABLE tenant (key INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE,"
        " version INTEGER NOT NULL)"
    ),
    "CREATE TABLE label (code INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)",
    "CREATE TABLE edge_type (code INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)",
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE counter (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID",
    # node, vector, write: numbers given so far; erased: write that erased a tenant last; generation: of the
    # vectors in use; stale: whether anything was written since the file was rebuilt
    (
        "INSERT INTO counter VALUES"
        " ('node', 0), ('vector', 0), ('write', 0), ('erased', 0), ('generation', 1), ('stale', 0)"
    ),
    # search_text and content_hash stand outside the JSON: filters parse less, saves compare without parsing
    (
        "CREATE TABLE node (key INTEGER PRIMARY KEY, tenant INTEGER NOT NULL, label INTEGER NOT NULL,"
        " id TEXT NOT NULL, hash TEXT, properties TEXT NOT NULL, words TEXT)"
    ),
    "CREATE UNIQUE INDEX node_id ON node (tenant, label, id)",
    # both ends belong to one tenant, so a tenant column would only repeat what the keys say
    (
        "CREATE TABLE edge (source INTEGER NOT NULL, type INTEGER NOT NULL, target INTEGER NOT NULL,"
        " properties TEXT NOT NULL, PRIMARY KEY (source, type, target)) WITHOUT ROWID"
    ),
    "CREATE INDEX edge_target ON edge (target, type, source)",
    # seq rises with every vector written: a reader fetches what is newer than what it has
    (
        "CREATE TABLE vector (seq INTEGER PRIMARY KEY, node INTEGER NOT NULL, generation INTEGER NOT NULL,"
        " tenant INTEGER NOT NULL, label INTEGER NOT NULL, vector BLOB NOT NULL)"
    ),
    "CREATE UNIQUE INDEX vector_node ON vector (node, generation)",
    "CREATE INDEX vector_scope ON vector (tenant, label, generation)",
    (
        "CREATE TABLE tombstone (tenant INTEGER NOT NULL, label INTEGER NOT NULL, seq INTEGER NOT NULL,"
        " node INTEGER NOT NULL, PRIMARY KEY (tenant, label, seq, node)) WITHOUT ROWID"
    ),
    # nodes: all of the label; documents, words: those with search_text, for the ranking's averages
    (
        "CREATE TABLE holding (tenant INTEGER NOT NULL, label INTEGER NOT NULL, nodes INTEGER NOT NULL,"
        " documents INTEGER NOT NULL, words INTEGER NOT NULL, PRIMARY KEY (tenant, label)) WITHOUT ROWID"
    ),
)

WORDS_TABLE = (
    # contentless: the text is in node; neither positions nor sizes are used, the ranking is in the core
    "CREATE VIRTUAL TABLE words USING fts5 (text, content='', columnsize=0, detail=none,"
    f' tokenize="{TOKENIZER}")'
)


def _create(session: Session) -> None:
    for statement in (*_TABLES, WORDS_TABLE):
        session.run("schema.create", statement)
    secure_words(session)


def secure_words(session: Session) -> None:
    """Have the word index forget removed words at once, where SQLite can; else erasing merges it."""
    if sqlite3.sqlite_version_info >= (3, 42):
        session.run("schema.secure_words", "INSERT INTO words (words, rank) VALUES ('secure-delete', 1)")


def _nothing(session: Session) -> None:
    """Labels, types and indexes follow from the schema; there is nothing else to do."""
    del session


@dataclass(frozen=True, slots=True)
class Migration:
    """One step of the schema."""

    number: int
    name: str
    apply: Callable[[Session], None]


MIGRATIONS = (
    Migration(1, "create the tables", _create),
    Migration(2, "claims, the evidence of relations", _nothing),
)


def schema_version(session: Session) -> int:
    """Number of the newest migration that ran on the file; 0 for an empty one."""
    row = session.row("schema.version", "PRAGMA user_version")
    return int(row[0]) if row else 0


def check_readable(session: Session, path: Path) -> None:
    """Refuse a file without our schema, or with another version of it.

    Raises:
        StoreMissingError: The file is empty.
        SchemaError: It is no store of graphmem, or its schema is older or newer.
    """
    version = schema_version(session)
    _check_ours(session, path)
    if version == 0:
        raise StoreMissingError(f"{path} holds no store yet; the first write makes it, or `graphmem import`")
    check_version(version, path)


def check_version(version: int, path: Path) -> None:
    """Refuse a schema that is not this program's.

    Raises:
        SchemaError: It is older or newer.
    """
    if version > SCHEMA_VERSION:
        raise SchemaError(
            f"{path} has schema {version}, newer than this program's {SCHEMA_VERSION}; update graphmem"
        )
    if version < SCHEMA_VERSION:
        raise SchemaError(
            f"{path} has schema {version}, this program needs {SCHEMA_VERSION}; run `graphmem schema migrate`"
        )


def _check_ours(session: Session, path: Path) -> None:
    row = session.row("schema.identity", "PRAGMA application_id")
    if row and row[0] == APPLICATION_ID:
        return
    if session.row("schema.foreign", "SELECT 1 FROM sqlite_master LIMIT 1"):
        raise SchemaError(f"{path} is a SQLite database of another program; give another path")


def migrate(session: Session, path: Path, now: datetime) -> tuple[int, int]:
    """Run what is pending; inside the caller's write transaction.

    Returns:
        Schema version before and after.

    Raises:
        SchemaError: The schema is newer than this program, or the file is not ours.
    """
    before = schema_version(session)
    _check_ours(session, path)
    if before > SCHEMA_VERSION:
        check_version(before, path)
    if before == 0:
        # a number out of our own constant, not a value: PRAGMA takes no parameters
        session.run("schema.identify", f"PRAGMA application_id = {APPLICATION_ID}")
        session.run(
            "schema.record", "CREATE TABLE migration (number INTEGER PRIMARY KEY, name TEXT, applied_at TEXT)"
        )
    for migration in MIGRATIONS[before:]:
        migration.apply(session)
        session.run(
            "schema.record",
            "INSERT INTO migration VALUES (?, ?, ?)",
            (migration.number, migration.name, encode_time(now)),
        )
    if before < SCHEMA_VERSION:
        _name_kinds(session)
        create_indexes(session)
        session.run("schema.number", f"PRAGMA user_version = {SCHEMA_VERSION}")
    return before, SCHEMA_VERSION


def _name_kinds(session: Session) -> None:
    """Give every label and type of the schema a code; codes given before stay."""
    session.run_many(
        "schema.labels", "INSERT OR IGNORE INTO label (name) VALUES (?)", [(name,) for name in NODE_TYPES]
    )
    session.run_many(
        "schema.types", "INSERT OR IGNORE INTO edge_type (name) VALUES (?)", [(name,) for name in EDGE_TYPES]
    )
    session.load_codes()


def create_indexes(session: Session) -> None:
    """Make the indexes over the nodes' properties that are not there yet."""
    user = column("user_id")
    session.run(
        "schema.index",
        f"CREATE INDEX IF NOT EXISTS node_user ON node (tenant, label, {user}, id) WHERE {user} IS NOT NULL",
    )
    for label in COMMON_LABELS:
        # begins like node_id, which the planner would take otherwise
        session.run(
            "schema.index",
            f"CREATE INDEX IF NOT EXISTS {common_index(label)} ON node (tenant, label, id)"
            f" WHERE label = {session.codes.labels[label]} AND {user} IS NULL",
        )
    for label, name in (*INDEXED, *SELECTING):
        # each holds one label only, so a write pays for its own label's indexes alone
        keys = ", ".join(map(column, (name, *FURTHER.get((label, name), ()), "id")))
        session.run(
            "schema.index",
            f"CREATE INDEX IF NOT EXISTS {index_name(label, name)} ON node (tenant, {keys})"
            f" WHERE label = {session.codes.labels[label]}",
        )
