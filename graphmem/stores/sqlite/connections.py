"""Opens connections to the file and lends them: one thread uses one at a time.

A reader gets a snapshot (a read transaction); a writer holds the file's one write lock from its first
statement on, so that what it read before it writes is still true. Idle connections are kept.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from time import monotonic, sleep

from graphmem.errors import ConflictError, StoreMissingError, StoreUnavailableError
from graphmem.ports.clock import Clock
from graphmem.stores.sqlite.faults import translated
from graphmem.stores.sqlite.migrations import check_readable, check_version, migrate, schema_version
from graphmem.stores.sqlite.session import Session

OLDEST_SQLITE = (3, 37, 0)
"""RETURNING, JSON functions and FTS5 as used here; the oldest one tested."""

_PRAGMAS = (
    # the log is flushed at checkpoints: a kill loses nothing, a power cut at most the last commits, never
    # the file's integrity; FULL would cost one flush a commit
    "PRAGMA synchronous = NORMAL",
    # what is deleted is overwritten with zeros, in tables, indexes and the pages that fall free
    "PRAGMA secure_delete = ON",
    # sorting and json_each spill into memory: stored text never reaches a temporary file
    "PRAGMA temp_store = MEMORY",
    # 32 MB: the upper levels of every index of a store of 100,000 episodes
    "PRAGMA cache_size = -32000",
    # a checkpoint after 16 MB of log instead of 4: an import writes a page of an index less often
    "PRAGMA wal_autocheckpoint = 4000",
)


class Connections:
    """Lends sessions on one file. Safe to use from several threads and processes."""

    def __init__(self, path: Path, *, clock: Clock, create: bool, busy_timeout: float) -> None:
        if sqlite3.sqlite_version_info < OLDEST_SQLITE:
            wanted = ".".join(map(str, OLDEST_SQLITE[:2]))
            raise StoreUnavailableError(
                f"SQLite {sqlite3.sqlite_version} is too old, {wanted} is needed; use a newer Python build"
            )
        self.path = path
        self._clock = clock
        self._create = create
        self._busy_timeout = busy_timeout
        self._idle: list[Session] = []
        self._guard = Lock()
        self._writer = Lock()
        self._process = os.getpid()
        self._closed = False

    @contextmanager
    def reading(self, *, checked: bool = True) -> Iterator[Session]:
        """A snapshot of what is committed.

        Args:
            checked: Whether a schema that is not this program's is refused.
        """
        with self._lent(create=False) as session, translated(self.path, lambda: session.query):
            session.run("begin", "BEGIN")
            try:
                if checked:
                    self._check(session)
                yield session
            finally:
                _end(session, "ROLLBACK")

    @contextmanager
    def writing(self, *, migrating: bool = False, create: bool = True) -> Iterator[Session]:
        """The one write transaction of the file: committed when left normally, else rolled back.

        Args:
            migrating: Whether an older schema is brought up to date instead of refused.
            create: Whether an absent file and an empty schema are made.
        """
        lent = self._lent(create=create and self._create)
        with self._exclusive(), lent as session, translated(self.path, lambda: session.query):
            session.run("begin", "BEGIN IMMEDIATE")
            try:
                if not create:
                    self._check(session)
                self._prepare(session, migrating=migrating)
                yield session
                session.run("commit", "COMMIT")
            finally:
                _end(session, "ROLLBACK")

    @contextmanager
    def alone(self) -> Iterator[Session]:
        """A session outside any transaction, with no other writer of this process: for maintenance."""
        with self._exclusive(), self._lent(create=False) as session, translated(self.path, lambda: session.query):
            self._check(session)
            yield session

    def close(self) -> None:
        """Close idle connections and refuse new ones; those in use are closed when given back."""
        with self._guard:
            self._closed = True
            idle, self._idle = self._idle, []
        if self._process == os.getpid():
            for session in idle:
                session.connection.close()

    def _check(self, session: Session) -> None:
        check_readable(session, self.path)
        if not session.codes.labels:
            session.load_codes()

    def _prepare(self, session: Session, *, migrating: bool) -> None:
        version = schema_version(session)
        if version == 0 or migrating:
            migrate(session, self.path, self._clock())
        else:
            check_version(version, self.path)
        if not session.codes.labels:
            session.load_codes()

    @contextmanager
    def _exclusive(self) -> Iterator[None]:
        # writers of one process queue here: waiting for the file's lock is polling, and unfair
        with self._guard:
            self._forget_parent()
            writer = self._writer
        if not writer.acquire(timeout=self._busy_timeout):
            raise ConflictError(f"another thread wrote to {self.path} for too long; try again")
        try:
            yield
        finally:
            writer.release()

    @contextmanager
    def _lent(self, *, create: bool) -> Iterator[Session]:
        session = self._take() or self._open(create=create)
        try:
            yield session
        finally:
            self._give_back(session)

    def _take(self) -> Session | None:
        with self._guard:
            if self._closed:
                raise StoreUnavailableError(f"the store on {self.path} was closed; open it again")
            self._forget_parent()
            return self._idle.pop() if self._idle else None

    def _forget_parent(self) -> None:
        """In a forked child: neither use nor close what its parent opened."""
        if self._process != os.getpid():
            _INHERITED.extend(self._idle)
            self._idle, self._process, self._writer = [], os.getpid(), Lock()

    def _give_back(self, session: Session) -> None:
        with self._guard:
            if not self._closed:
                self._idle.append(session)
                return
        session.connection.close()

    def _open(self, *, create: bool) -> Session:
        self._check_path(create=create)
        mode = "rwc" if create else "rw"
        session: Session | None = None
        with translated(self.path, lambda: session.query if session else "open"):
            connection = sqlite3.connect(
                f"{self.path.as_uri()}?mode={mode}",
                uri=True,
                timeout=self._busy_timeout,
                isolation_level=None,
                check_same_thread=False,
                cached_statements=512,
            )
            session = Session(connection)
            try:
                for pragma in _PRAGMAS:
                    session.run("pragma", pragma)
                if create:
                    self._log_ahead(session)
            except BaseException:
                connection.close()
                raise
        return session

    def _check_path(self, *, create: bool) -> None:
        if self.path.is_dir():
            raise StoreUnavailableError(f"{self.path} is a folder; give the path of a file")
        if self.path.exists():
            return
        if not create:
            raise StoreMissingError(
                f"there is no store at {self.path}; check the path, or make one with the first write,"
                " such as `graphmem import FILE` or `graphmem remember TEXT`"
            )
        if not self.path.parent.is_dir():
            raise StoreUnavailableError(f"the folder of {self.path} does not exist; make it first")

    def _log_ahead(self, session: Session) -> None:
        """Switch a new file to a write-ahead log: readers go on while one writes."""
        deadline = monotonic() + self._busy_timeout
        while True:
            try:
                if session.row("pragma", "PRAGMA application_id") == (0,) and session.row(
                    "pragma", "SELECT 1 FROM sqlite_master LIMIT 1"
                ):
                    return  # another program's file: left as it is, refused later
                session.row("pragma", "PRAGMA journal_mode = WAL")
            except sqlite3.OperationalError as fault:
                # this one lock does not wait by itself
                if fault.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or monotonic() > deadline:
                    raise
                sleep(0.01)
            else:
                return


_INHERITED: list[Session] = []
"""Connections of a parent process, kept so that nothing closes them."""


def _end(session: Session, statement: str) -> None:
    if session.connection.in_transaction:
        with suppress(sqlite3.Error):  # the file may be gone or damaged: the first error is the one to tell
            session.connection.execute(statement)
