"""The driver's errors in graphmem's words, translated once, at the edge.

Messages carry the server's error code, never its text: that quotes values, and values are memories.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from neo4j.exceptions import (
    AuthError,
    ConfigurationError,
    ConstraintError,
    DriverError,
    Forbidden,
    Neo4jError,
    ServiceUnavailable,
    SessionExpired,
    TransientError,
)

from graphmem.errors import ConflictError, GraphMemError, InvalidInputError, StatementError, StoreUnavailableError

_WRONG_DATABASE = "Neo.ClientError.Database.DatabaseNotFound"
_OUT_OF_MEMORY = "MemoryPoolOutOfMemory"
_TIMED_OUT = ("TransactionTimedOut", "LockAcquisitionTimeout")


@contextmanager
def translated(uri: str, query: str) -> Iterator[None]:
    """Turn what the driver raises inside into graphmem's errors.

    Args:
        uri: Address for messages, without user and password.
        query: Name of the query that runs, never its values.
    """
    try:
        yield
    except GraphMemError:
        raise
    except (DriverError, Neo4jError) as fault:
        raise translate(fault, uri, query) from fault
    except (OverflowError, UnicodeEncodeError) as fault:
        raise InvalidInputError(
            f"{query}: a value cannot be stored: an integer beyond 64 bits, or text that is not valid Unicode"
        ) from fault
    except OSError as fault:
        raise StoreUnavailableError(f"the connection to {uri} broke; is the server running?") from fault


def translate(fault: DriverError | Neo4jError, uri: str, query: str) -> GraphMemError:
    """The error of graphmem that says what a driver's error means."""
    code = getattr(fault, "code", None) or type(fault).__name__
    match fault:
        case AuthError():
            return StoreUnavailableError(
                f"{uri} refused the user or password ({code}); set NEO4J_USERNAME and NEO4J_PASSWORD"
            )
        case ServiceUnavailable() | SessionExpired():
            return StoreUnavailableError(
                f"no Neo4j server answers at {uri}; start it, or check address and scheme (bolt, neo4j, +s)"
            )
        case ConfigurationError():
            return StoreUnavailableError(
                f"the driver cannot connect to {uri} as it is configured; see the driver's own error"
            )
        case Neo4jError():
            return _refused(fault, code, uri, query)
        case _:
            return StatementError(f"{query} failed in the driver ({type(fault).__name__})", query=query)


def _refused(fault: Neo4jError, code: str, uri: str, query: str) -> GraphMemError:
    if code == _WRONG_DATABASE:
        return StoreUnavailableError(f"{uri} has no such database; name one that exists with --database")
    if isinstance(fault, Forbidden):
        return StoreUnavailableError(f"{uri} does not allow this user to run {query} ({code})")
    if code.endswith(_TIMED_OUT):
        return ConflictError(f"{query}: another writer held the tenant for too long ({code}); try again")
    if _OUT_OF_MEMORY in code:
        return StatementError(
            f"{query}: the server's memory for transactions is used up ({code}); write smaller batches, or raise"
            " db.memory.transaction.max",
            query=query,
        )
    if isinstance(fault, ConstraintError | TransientError) or _made_meanwhile(code):
        return ConflictError(f"{query}: another writer was first ({code}); read again and repeat")
    return StatementError(f"{query} failed on {uri} ({code})", query=query)


def _made_meanwhile(code: str) -> bool:
    """Whether two programs made the same part of the schema at once: IF NOT EXISTS does not keep them apart."""
    return code.startswith("Neo.ClientError.Schema.") and code.endswith("AlreadyExists")


def is_worth_another_try(fault: DriverError | Neo4jError) -> bool:
    """Whether the same read may succeed in a moment: a stale connection, a leader that moved."""
    return bool(fault.is_retryable()) and not isinstance(fault, AuthError)
