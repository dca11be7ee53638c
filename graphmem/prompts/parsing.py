"""Reads a reply strictly: JSON of the asked form, bare or in one code fence, and nothing else. Pure.

Faults are told in words of ours, without any of the reply: they go back to the model as instructions, and
the reply may repeat what a hostile text told it.
"""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Any, TypeVar

from pydantic import AfterValidator, BaseModel, ValidationError
from pydantic_core import ErrorDetails

from graphmem.ports.prompt_text import one_line

MAX_REPLY_CHARACTERS = 20_000
"""A longer reply is not read."""

_CODE_FENCE = re.compile(r"```(?:json)?[ \t]*\n(?P<body>.*)\n[ \t]*```", re.DOTALL | re.IGNORECASE)
_WITHOUT_JOINERS = {0x200C: None, 0x200D: None}
"""Scripts and emoji need the two; they hide nothing."""

_WORDS = {
    "extra_forbidden": "it has a key that the form does not have",
    "missing": "it is missing",
    "enum": "it is none of the allowed values",
    "too_long": "it has too many items",
    "string_type": "it is no text",
    "json_invalid": "it is no JSON",
}
"""Kinds of faults in pydantic's terms; all others are `value_error`, whose words are ours, or a wrong type."""

_SCHEMA_KEYWORDS = frozenset(
    {"type", "properties", "required", "additionalProperties", "items", "enum", "anyOf", "$ref", "$defs"}
)
"""What strict structured output allows everywhere; bounds are checked here."""

Reply = TypeVar("Reply", bound=BaseModel)


class UnreadableReplyError(ValueError):
    """A reply is not of the asked form; the message names the place and the rule, never the words.

    It stays inside this package: callers see a ReplyError.
    """


def line(max_characters: int) -> AfterValidator:
    """What makes a text of a reply one line: not blank, nothing invisible in it, of bounded length.

    Args:
        max_characters: After runs of white space became single blanks and the text NFC.
    """

    def check(value: str) -> str:
        text = unicodedata.normalize("NFC", " ".join(value.split()))
        if not any(character.isalnum() for character in text):
            raise ValueError("it is blank")
        seen = text.translate(_WITHOUT_JOINERS)
        if one_line(seen) != seen:
            raise ValueError("it holds control, bidirectional or other invisible characters")
        if len(text) > max_characters:
            raise ValueError(f"it has {len(text):,} characters, more than {max_characters:,}")
        return text

    return AfterValidator(check)


def parse(text: str, form: type[Reply]) -> Reply:
    """The value that a reply is.

    Args:
        text: The reply as received.
        form: A frozen model that refuses unknown keys.

    Raises:
        UnreadableReplyError: It is none.
    """
    if len(text) > MAX_REPLY_CHARACTERS:
        raise UnreadableReplyError(f"the reply has {len(text):,} characters, more than {MAX_REPLY_CHARACTERS:,}")
    body = text.strip()
    fenced = _CODE_FENCE.fullmatch(body)
    try:
        value = json.loads(fenced["body"] if fenced else body, object_pairs_hook=_object, parse_constant=_refuse)
        # as JSON again, since lists are no tuples to a strict model
        return form.model_validate_json(json.dumps(value), strict=True)
    except UnreadableReplyError:
        raise
    except ValidationError as fault:
        faults = fault.errors(include_url=False, include_context=False, include_input=False)
        raise UnreadableReplyError("; ".join(dict.fromkeys(_fault(error, form) for error in faults))) from None
    except (ValueError, RecursionError):
        raise UnreadableReplyError("the reply is not one JSON object and nothing else") from None


def reply_schema(form: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema of a reply as services that hold to one take it: no bounds, no unknown keys."""
    kept: dict[str, Any] = _without_bounds(form.model_json_schema())
    return kept


def _without_bounds(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_without_bounds(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    return {key: _kept(key, value) for key, value in schema.items() if key in _SCHEMA_KEYWORDS}


def _kept(key: str, value: Any) -> Any:
    if key in {"properties", "$defs"}:  # their keys are names, no keywords
        return {name: _without_bounds(part) for name, part in value.items()}
    return _without_bounds(value)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise UnreadableReplyError("the reply has a key twice")
    return found


def _refuse(_: str) -> Any:
    raise UnreadableReplyError("the reply holds NaN or an infinite number")


def _fault(error: ErrorDetails, form: type[BaseModel]) -> str:
    known = _names(reply_schema(form))
    # a key that the form does not have is the reply's own word
    place = ".".join(str(part) for part in error["loc"] if isinstance(part, int) or part in known)
    if error["type"] == "value_error":
        words = error["msg"].removeprefix("Value error, ")
    else:
        words = _WORDS.get(error["type"], "it has the wrong type")
    return f"{place or 'the reply'}: {words}"


def _names(schema: Any) -> set[str]:
    if isinstance(schema, list):
        return set().union(*map(_names, schema))
    if not isinstance(schema, dict):
        return set()
    return set(schema.get("properties", ())).union(*map(_names, schema.values()))
