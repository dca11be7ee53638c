"""Identifiers: what an id may look like, and ids for what has no natural one.

Ids reach Cypher parameters, Lucene queries, file names and namespaces; the bounds here are the ones
that every store and every template can hold. Nothing here knows a store.
"""

from __future__ import annotations

import unicodedata
import uuid
from datetime import UTC, datetime, timedelta
from typing import Annotated

from pydantic import AfterValidator

from graphmem.errors import InvalidInputError

MAX_ID_LENGTH = 128
"""Characters. Neo4j's white-space tokeniser splits at 255, and a step's id adds its index to this."""

DEFAULT_TENANT = "default"

_FORBIDDEN_PARTS = ("/", "..", "{", "}")


def check_id(value: str, what: str = "id") -> str:
    """Return an id unchanged when it is one that every store can hold.

    Args:
        value: 1-128 visible characters in Unicode NFC, without white space, control, format or
            bidirectional characters, and without "/", "..", "{" or "}".
        what: Name of the value in the message, such as "tenant".

    Raises:
        InvalidInputError: The id breaks one of these rules; the message says which.
    """
    fault = _fault(value)
    if fault is not None:
        raise InvalidInputError(f"{what} {fault}; use 1-{MAX_ID_LENGTH} visible characters without blanks")
    return value


def _fault(value: str) -> str | None:  # noqa: PLR0911 (one rule a line)
    if not isinstance(value, str):
        return f"is a {type(value).__name__}, not text"
    if not 1 <= len(value) <= MAX_ID_LENGTH:
        return f"has {len(value)} characters"
    for part in _FORBIDDEN_PARTS:
        if part in value:
            return f"{value!r} contains {part!r}"
    if value.isascii():
        return None if value.isprintable() and " " not in value else f"{value!r} has a blank or control character"
    if any(unicodedata.category(character)[0] in "ZC" for character in value):
        return f"{value!r} has a blank, control, format or unassigned character"
    if not unicodedata.is_normalized("NFC", value):
        return f"{value!r} is not in Unicode NFC"
    return None


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
"""Whole milliseconds: seconds as a float would lose one now and then."""


def uuid7(at: datetime, entropy: bytes) -> str:
    """A time-ordered id (RFC 9562, version 7).

    Args:
        at: Aware time; its millisecond becomes the first 48 bits.
        entropy: At least 10 random bytes.

    Returns:
        The id in its usual text form.
    """
    milliseconds = (at - _EPOCH) // _MILLISECOND & (2**48 - 1)
    chance = int.from_bytes(entropy[:10], "big")
    value = milliseconds << 80 | 0x7 << 76 | (chance >> 68 & 0xFFF) << 64 | 0b10 << 62 | chance & (2**62 - 1)
    return str(uuid.UUID(int=value))


_CONCEPT_NAMESPACE = uuid.UUID("8c2c6f0e-6f0b-5d6c-9d0a-6d656d6f7279")
"""Fixed for ever: concept ids are derived from it."""


def concept_id(key: str, kind: str) -> str:
    """The id of the concept with this canonical key and kind: the same in every store."""
    return str(uuid.uuid5(_CONCEPT_NAMESPACE, f"{kind}\n{key}"))


def step_id(episode: str, index: int) -> str:
    """The id of the step at a 0-based index of an episode."""
    return f"{episode}/{index}"


def finding_id(episode: str, key: str) -> str:
    """The id of the finding with this key within an episode."""
    return f"{episode}/{key}"


Id = Annotated[str, AfterValidator(check_id)]
"""A tenant's, user's or record's id; see `check_id`."""
