"""Whether the result of a tool call is an error, and the label under which it recurs.

Only an error counts: a status or key that says so with a value, or a text that starts as one. A text about
errors is none. Pure.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping
from typing import Any

from graphmem.graph.masking import joined_masks, mask, unquoted

MAX_LABEL = 80
"""Characters of a label at most."""

_ERROR_KEYS = ("error", "errors", "error_message", "errorMessage", "exception", "오류", "에러")
_MESSAGE_KEYS = ("message", "msg", "detail", "details", "reason", "description", "title", "메시지", "type", "code")
_FLAG_KEYS = ("is_error", "isError")
_STATUS_KEYS = ("status", "state", "result", "상태")
_CODE_KEYS = ("status", "status_code", "statusCode", "http_status")
_BAD_STATUS = frozenset({"error", "failed", "failure", "fail", "exception", "오류", "에러", "실패"})
_NO_ERROR = frozenset({"", "none", "null", "no", "false", "0", "ok", "n/a", "no error", "없음"})
_LABEL_SOURCE = 1000
"""Characters of a message that are looked at for its label."""
_MAX_DEPTH = 4
"""Levels of nested errors that are looked into for a message."""

_SIGN = r"(?:\s*[:!]+|\s+[-–—]|\s*$|\s*\n)"
"""What follows a word that announces an error: a text that goes on otherwise is about errors."""
_ANNOUNCED = re.compile(
    rf"""[\s\[(<*"'`]*(?:
      traceback\s\(most\srecent\scall\slast\)\s*:?
    | (?:[\w.]*(?:error|exception)|fatal(?:\serror)?|panic|failure|failed|(?:internal\s)?server\serror)
      [\])>*]*(?:\s*\(?(?:code\s*)?\d+\)?)?{_SIGN}
    | (?:\[|\()?error(?:\]|\))\s*
    | error\s+(?:executing|calling|running|invoking|while|in|during|code|from|at|on|processing|parsing|reading)\b
      [^:\n]*(?::|$|\n)
    | an?\s(?:\w+\s)?(?:error|exception)\s(?:has\s)?occurred[^:\n]*(?::|$|\n|\.)
    | (?=(?:failed|unable)\sto\s)
    | (?:[\w./+-]+:\s)+(?=.*(?:no\ssuch\sfile|command\snot\sfound|permission\sdenied|(?:not|is)\sa\sdirectory))
    | (?:[\w가-힣]*\s?(?:오류|에러|예외)|실패)[\])]*(?:\s*\(?(?:코드\s*)?\d+\)?)?{_SIGN}
    | (?:오류|에러|예외)(?:가|이)?\s?(?:발생|났)[^:\n.]*(?::|$|\n|\.)
    )\s*""",
    re.IGNORECASE | re.VERBOSE,
)
_CLAUSE_END = re.compile(r"[,;:.!?。](?=\s|$)|\s[-–—]\s|\s\(|\n")


def error_label(result: Any) -> str | None:
    """The label of the error that a result is.

    Args:
        result: Text, or a JSON value.

    Returns:
        The first clause of its message, at most 80 characters, with numbers, ids and quoted parts as `#`;
        None when the result is no error.
    """
    message = _message(result)
    return None if message is None else _label(message)


def label_of_exception(fault: BaseException) -> str:
    """The label of an exception, at most 80 characters: its class, and the first clause of its message, masked."""
    name = type(fault).__name__
    try:
        text = str(fault)
    except Exception:  # noqa: BLE001 (an exception's own code may raise anything, and must not hide it)
        return name
    said = _label(text) if text.strip() else ""
    return f"{name}: {said}"[:MAX_LABEL].rstrip() if said and said != "error" else name


def _message(result: Any) -> str | None:
    if isinstance(result, Mapping):
        return _object_message(result)
    if not isinstance(result, str):
        return None
    value = _as_json(result)
    if isinstance(value, Mapping):
        return _object_message(value)
    return announced(value if isinstance(value, str) else result)


def announced(text: str) -> str | None:
    """The message of a text that starts as an error; None for any other text."""
    plain = unicodedata.normalize("NFKC", text[:4000])
    found = _ANNOUNCED.match(plain)
    if found is None:
        return None
    if plain.lstrip().lower().startswith("traceback"):
        return _last_line(plain)
    return plain[found.end() :].strip() or plain[: found.end()].strip(" \n:!-[](")


def _last_line(text: str) -> str:
    """A Python traceback says last what went wrong."""
    last = text.rstrip().rpartition("\n")[2].strip()
    message = announced(last)
    if message is None:
        return last
    return message if any(character.isalpha() for character in unquoted(message)) else last


def _as_json(text: str) -> Any:
    if text[:1] not in ("{", '"') and text.lstrip()[:1] not in ("{", '"'):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _object_message(value: Mapping[str, Any]) -> str | None:
    for key in _ERROR_KEYS:
        if _says_something(value.get(key)):
            return _words(value[key]) or _words(value) or "error"
    if any(value.get(key) is True for key in _FLAG_KEYS) or _bad_status(value):
        return _words(value) or str(next((value[key] for key in _STATUS_KEYS if key in value), "error"))
    return None


def _bad_status(value: Mapping[str, Any]) -> bool:
    for key in _STATUS_KEYS:
        status = value.get(key)
        if isinstance(status, str) and status.strip().lower() in _BAD_STATUS:
            return True
    codes = [value.get(key) for key in _CODE_KEYS]
    return any(isinstance(code, int) and 400 <= code < 600 for code in codes)


def _says_something(value: Any) -> bool:
    if isinstance(value, str):
        return value.strip().lower() not in _NO_ERROR
    return bool(value)


def _words(value: Any, depth: int = 0) -> str | None:
    """The message within what an error key holds."""
    if isinstance(value, str):
        text = value.strip()
        return announced(text) or text or None
    if depth < _MAX_DEPTH:
        parts = [value.get(key) for key in _MESSAGE_KEYS] if isinstance(value, Mapping) else value
        for part in parts if isinstance(parts, list) else ():
            found = _words(part, depth + 1)
            if found:
                return found
    return None


def _label(message: str) -> str:
    """The first clause with a word in it, masked."""
    text = unicodedata.normalize("NFC", message)[:_LABEL_SOURCE].strip()
    text = mask(text)
    for clause in _CLAUSE_END.split(text):
        visible = "".join(character if character.isprintable() else " " for character in joined_masks(clause))
        label = " ".join(visible.split())[:MAX_LABEL].strip(" ,;:.!?-–—()[]{}")
        if any(character.isalpha() for character in label):
            return label
    return "error"
