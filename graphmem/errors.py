"""Every error that graphmem raises, in one tree.

::

    GraphMemError
    ├── SettingsError                 bad, missing or contradictory settings
    ├── RecordingError                a step or close that the episode's state does not allow
    ├── InvalidInputError             a value given to a call is refused
    ├── NotFoundError                 .kind .id
    ├── StoreError
    │   ├── StoreUnavailableError     connection, authentication, timeout; retryable
    │   │   └── StoreMissingError     nothing was ever written there; the first write makes it
    │   ├── SchemaError               migration pending or failed, dimension or embedder differs
    │   ├── StatementError            a query failed; .query (its name)
    │   └── ConflictError             someone else wrote first
    ├── ModelError                    a language or embedding model
    │   ├── ModelUnavailableError     rate limit, timeout; retryable, .retry_after
    │   ├── EmbeddingError            wrong size or count, not finite
    │   └── ReplyError                the reply does not fit the asked form; .prompt .reply
    └── TransferError                 .path .line .reason

Messages say what failed, on what, and what to do next. They never hold a password, a key or the
text of a memory.
"""

from __future__ import annotations


class GraphMemError(Exception):
    """Root of all errors of graphmem: catching it catches nothing else."""

    retryable: bool = False
    """Whether the same call may succeed later without a change by the caller."""


class SettingsError(GraphMemError):
    """A setting is unknown, missing, out of bounds or contradicts another one."""


class RecordingError(GraphMemError):
    """A step or a close was asked of an episode whose state does not allow it."""


class InvalidInputError(GraphMemError, ValueError):
    """A value given to a call is refused: an id, a naive time, a name that is blank, a bad kind."""


class NotFoundError(GraphMemError):
    """Nothing of this kind has this id in the tenant."""

    def __init__(self, kind: str, id: str) -> None:  # noqa: A002 (the documented attribute name)
        super().__init__(f"no {kind} with id {id!r} in this tenant; list them to see which there are")
        self.kind = kind
        self.id = id


class StoreError(GraphMemError):
    """The store could not do what was asked."""


class StoreUnavailableError(StoreError):
    """The store cannot be reached: connection, authentication, timeout, missing file."""

    retryable = True


class StoreMissingError(StoreUnavailableError):
    """There is no store at the target yet: nothing was ever written there."""

    retryable = False


class SchemaError(StoreError):
    """The store's schema or embedder does not fit this program; the message says what to run."""


class StatementError(StoreError):
    """A statement failed inside the store."""

    def __init__(self, message: str, *, query: str) -> None:
        super().__init__(message)
        self.query = query
        """Name of the query, never its values."""


class ConflictError(StoreError):
    """Someone else wrote first; read again and decide."""


class ModelError(GraphMemError):
    """A language or embedding model failed."""


class ModelUnavailableError(ModelError):
    """The model cannot be reached now: rate limit, timeout, connection."""

    retryable = True

    def __init__(self, message: str, *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        """Seconds the service asked to wait; None when it did not say."""


class EmbeddingError(ModelError):
    """An embedder returned the wrong number or size of vectors, or values that are not finite."""


class ReplyError(ModelError):
    """A language model's reply does not fit the form that was asked for."""

    def __init__(self, message: str, *, prompt: str, reply: str) -> None:
        super().__init__(message)
        self.prompt = prompt
        """Name of the prompt."""
        self.reply = reply
        """The reply as received, kept for inspection."""


class TransferError(GraphMemError):
    """A file, or one record of it, could not be imported or exported."""

    def __init__(self, reason: str, *, path: str, line: int | None = None) -> None:
        super().__init__(f"{path}{'' if line is None else f':{line}'}: {reason}")
        self.path = path
        self.line = line
        """1-based line, or None when the fault is of the whole file."""
        self.reason = reason
