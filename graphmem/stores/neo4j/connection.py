"""The driver and its sessions: reads of one round trip that are repeated, write transactions that are not.

What is left out is the meaning of statements. A read is an auto-commit statement in READ mode, since a
managed transaction would cost two more round trips; it is repeated here when the connection was stale.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import unquote, urlsplit

from graphmem.errors import InvalidInputError
from graphmem.stores.neo4j import statements
from graphmem.stores.neo4j.faults import is_worth_another_try, translated
from graphmem.stores.neo4j.sending import sent

if TYPE_CHECKING:
    from neo4j import Driver, Result, Session, Transaction

CONNECTION_TIMEOUT = 5.0
"""Seconds until a connection that does not come about is given up."""
PATIENCE = 4.0
"""Seconds in which a failed read or begin is repeated. With the last connection's timeout below 10 seconds:
a server that is down is an error by then."""
RETRY_TIME = 10.0
"""Seconds in which the driver repeats its managed transactions."""
WRITE_TIMEOUT = 120.0
"""Seconds after which the server ends a write: a client that hangs must not hold a tenant's lock for ever."""
_PAUSES = (0.0, 0.1, 0.3, 0.7, 1.0, 1.0, 1.0, 1.0)

Row = Sequence[Any]


@dataclass(frozen=True, slots=True)
class Server:
    """What the connected server can do."""

    version: str
    edition: str

    @property
    def filters_inside_index(self) -> bool:
        """Whether a vector index filters by other properties: from 2026.01 on."""
        return self._numbers >= (2026, 1)

    @property
    def packs_vectors(self) -> bool:
        """Whether the server takes the driver's vector type: with Bolt 6, from 2025.10 on."""
        return self._numbers >= (2025, 10)

    @property
    def supported(self) -> bool:
        """Whether this program is tested on the line."""
        return self._numbers >= (2026, 1) or self._numbers[:2] == (5, 26)

    @property
    def _numbers(self) -> tuple[int, ...]:
        return tuple(int(part) for part in re.findall(r"\d+", self.version)[:2])


Answer = TypeVar("Answer")


SCHEMES = frozenset({"neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc"})


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server is, and who asks."""

    uri: str
    """Without user and password: it stands in messages."""
    auth: tuple[str, str] | None
    """User and password that the URI named."""


def read_address(uri: str) -> Address:
    """Take user and password out of a URI.

    Raises:
        InvalidInputError: Its scheme is none of the driver's, or it names no host.
    """
    parts = urlsplit(uri)
    place = parts.netloc.rpartition("@")[2]
    if parts.scheme not in SCHEMES or not place:
        listed = ", ".join(f"{scheme}://" for scheme in sorted(SCHEMES))
        raise InvalidInputError(
            f"{parts.scheme}://{place} is no address of a Neo4j server; it begins with {listed}"
        )
    query = f"?{parts.query}" if parts.query else ""
    auth = (unquote(parts.username), unquote(parts.password or "")) if parts.username else None
    return Address(f"{parts.scheme}://{place}{parts.path}{query}", auth)


class Connection:
    """One database on a server.

    Args:
        uri: neo4j://, bolt:// and their +s and +ssc forms; None only beside a driver.
        auth: User and password, or None for a server without authentication.
        database: Name of the database; None for the user's home database.
        driver: A driver of the caller's, which stays open.
    """

    def __init__(
        self, uri: str | None, *, auth: tuple[str, str] | None, database: str | None, driver: Driver | None
    ) -> None:
        import neo4j  # noqa: PLC0415 (heavy: loaded with the first store on a server)

        given = read_address(uri) if uri else None
        self.address = given.uri if given else "the given driver's server"
        self.uri = given.uri if given else None
        self.database = database
        self._own = driver is None
        with translated(self.address, "connect"):
            self.driver = driver or neo4j.GraphDatabase.driver(
                self.address,
                auth=auth or (given.auth if given else None),
                connection_timeout=CONNECTION_TIMEOUT,
                max_transaction_retry_time=RETRY_TIME,
                user_agent="graphmem",
            )
        self._server: Server | None = None
        self._bookmarks = neo4j.GraphDatabase.bookmark_manager()
        self._config: dict[str, Any] = {
            "database": database,
            "bookmark_manager": self._bookmarks,
            # a label or property that no node has yet is no news
            "notifications_disabled_classifications": ["UNRECOGNIZED"],
        }

    @property
    def server(self) -> Server:
        """Version and edition, asked for once."""
        if self._server is None:
            ((version, edition),) = self.read(statements.SERVER.name, statements.SERVER.text, {})
            self._server = Server(version, edition)
        return self._server

    def session(self, *, read: bool, **config: Any) -> Session:
        """A session of the driver; the caller closes it.

        Args:
            read: Whether the server refuses writes in it.
            **config: Other settings of the driver's sessions.
        """
        mode = "READ" if read else "WRITE"
        return self.driver.session(default_access_mode=mode, **{**self._config, **config})

    def read(
        self, name: str, text: str, parameters: Mapping[str, Any], *, timeout: float | None = None
    ) -> list[Row]:
        """Run one reading statement; all rows."""
        from neo4j import Query  # noqa: PLC0415 (as in __init__)

        statement: Any = text if timeout is None else Query(text, timeout=timeout)

        def once() -> list[Row]:
            with self.session(read=True) as session:
                return [record.values() for record in session.run(statement, sent(parameters))]

        with translated(self.address, name):
            return self._repeated(once)

    def change(self, name: str, text: str, parameters: Mapping[str, Any] | None = None) -> list[Row]:
        """Run one idempotent statement that writes data or schema, in a transaction of its own; all rows."""

        def once() -> list[Row]:
            with self.session(read=False) as session:
                return [record.values() for record in session.run(text, sent(parameters))]

        with translated(self.address, name):
            return self._repeated(once)

    @contextmanager
    def writing(self) -> Iterator[WriteTransaction]:
        """A write transaction: commits when told to, else rolls back."""
        with translated(self.address, "begin"):
            session = self.session(read=False)
        try:
            with translated(self.address, "begin"):
                transaction = self._repeated(lambda: session.begin_transaction(timeout=WRITE_TIMEOUT))
            writer = WriteTransaction(transaction, self.address)
            try:
                yield writer
            finally:
                writer.end()
        finally:
            with translated(self.address, "close"):
                session.close()

    def _repeated(self, once: Callable[[], Answer]) -> Answer:
        from neo4j.exceptions import DriverError, Neo4jError  # noqa: PLC0415 (as in __init__)

        begun = time.monotonic()
        for pause in _PAUSES:
            try:
                return once()
            except (DriverError, Neo4jError) as fault:
                if not is_worth_another_try(fault) or time.monotonic() - begun + pause > PATIENCE:
                    raise
            time.sleep(pause)
        return once()

    def close(self) -> None:
        """Close the driver unless it is the caller's."""
        if self._own:
            self.driver.close()


@dataclass(frozen=True, slots=True)
class Pending:
    """A statement that the server works on."""

    name: str
    address: str
    result: Result

    def rows(self) -> list[Row]:
        """Its rows, once they are there; to be read once."""
        with translated(self.address, self.name):
            return [record.values() for record in self.result]


class WriteTransaction:
    """An open transaction: runs statements, and is committed or rolled back once."""

    def __init__(self, transaction: Transaction, address: str) -> None:
        self._transaction = transaction
        self._address = address

    def run(self, name: str, text: str, parameters: Mapping[str, Any]) -> list[Row]:
        """Run one statement; all rows."""
        return self.send(name, text, parameters).rows()

    def send(self, name: str, text: str, parameters: Mapping[str, Any]) -> Pending:
        """Send one statement, whose rows may be read later; statements run in the order of sending."""
        with translated(self._address, name):
            return Pending(name, self._address, self._transaction.run(text, sent(parameters)))

    def commit(self) -> None:
        """Make the writes visible together."""
        with translated(self._address, "commit"):
            self._transaction.commit()

    def end(self) -> None:
        """Roll back unless committed."""
        if not self._transaction.closed():
            with translated(self._address, "rollback"):
                self._transaction.rollback()
