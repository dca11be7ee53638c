"""The text of a node that is embedded: one place, so that re-embedding gives the same vectors."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from graphmem.graph.records import Value


def embedding_text(label: str, properties: Mapping[str, Value]) -> str:
    """What stands for a node in vector space.

    Args:
        label: An embedded label of graph/schema.py.
        properties: The node's properties.

    Returns:
        The summary of an episode (goal and resolution where none was given or written by a model), a
        message with speaker and date, a concept with its definition, a memory's text, a procedure's use and
        steps, a pattern's description.
    """
    match label:
        case "Episode":
            # a summary by rules says more of the course than of the situation, and would blur what is alike
            summary = _text(properties, "summary") if properties.get("summary_source") != "rules" else ""
            return summary or _joined(properties, ". ", "goal", "resolution")
        case "Message":
            return _spoken(properties)
        case "Concept":
            return _joined(properties, ": ", "name", "definition")
        case "Memory":
            return _text(properties, "text")
        case "Procedure":
            return ": ".join(
                part for part in (_joined(properties, ". ", "name", "when"), _steps(properties)) if part
            )
        case _:
            return _text(properties, "description")


def _spoken(properties: Mapping[str, Value]) -> str:
    speaker, at, text = properties.get("speaker"), properties.get("at"), _text(properties, "text")
    if not speaker:
        return text
    date = f" ({at.day} {at:%B %Y})" if isinstance(at, datetime) else ""
    return f"{speaker}{date}: {text}"


def _steps(properties: Mapping[str, Value]) -> str:
    steps = properties.get("steps", [])
    return ", ".join(steps) if isinstance(steps, list) else ""


def _text(properties: Mapping[str, Value], name: str) -> str:
    value = properties.get(name, "")
    return value if isinstance(value, str) else ""


def _joined(properties: Mapping[str, Value], separator: str, *names: str) -> str:
    return separator.join(text for name in names if (text := _text(properties, name)))
