"""The page of settings, out of the settings model and the policies in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from docs.generate.markdown import code, heading, table
from graphmem.settings import CONFIG_FILE, Settings, leaves, variables

_BOUNDS = {"minimum": "at least", "exclusiveMinimum": "above", "maximum": "at most", "exclusiveMaximum": "below"}

_INTRO = f"""\
Every setting can be given in four places. The first one that has it counts:

1. an argument of `graphmem.open(...)`, or a global option of the command line;
2. an environment variable;
3. the file `{CONFIG_FILE}` of the current folder, or the file that `--config` names;
4. the default.

An unknown name is refused, and the message says where it stands.
`graphmem settings show` prints every setting with its value and where the value comes from;
passwords and keys are shown as `(set)`.

In Python and in the file a dotted name is a table:
`graphmem.open(recall={{"candidates": 100}})`, or in `{CONFIG_FILE}`

```toml
store = "neo4j://localhost:7687"
tenant = "acme"

[recall]
candidates = 100
```
"""


def page() -> str:
    """The whole page."""
    parts = [heading("Settings", "graphmem/settings.py", _INTRO)]
    for title, group in _groups():
        rows = [_row(name, field) for name, field in leaves() if name.partition(".")[0] in group]
        parts.append(f"## {title}\n\n{table(['setting', 'default', 'bounds', 'variables', 'meaning'], rows)}")
    return "\n".join(parts)


def _groups() -> Iterator[tuple[str, set[str]]]:
    policies = {
        name: field for name, field in Settings.model_fields.items() if isinstance(field.default, BaseModel)
    }
    yield "General", set(Settings.model_fields) - policies.keys()
    for name, field in policies.items():
        meaning = (field.description or "").rstrip(".")
        yield f"`{name}`: {meaning[:1].lower()}{meaning[1:]}", {name}


def _row(name: str, field: FieldInfo) -> list[str]:
    names = ", ".join(code(variable) for variable in variables(name))
    return [code(name), _default(field), _bounds(_schema(name)), names, field.description or ""]


def _default(field: FieldInfo) -> str:
    value = field.default
    if value is None:
        return "none"
    if isinstance(value, BaseModel):
        return ", ".join(f"{part} {getattr(value, part)}" for part in type(value).model_fields)
    return code("true" if value is True else "false" if value is False else value)


def _schema(name: str) -> dict[str, Any]:
    """The JSON schema of one setting."""
    outer, _, inner = name.partition(".")
    model = type(Settings.model_fields[outer].default) if inner else Settings
    found: dict[str, Any] = model.model_json_schema()["properties"][inner or outer]
    return found


def _bounds(schema: dict[str, Any]) -> str:
    bounded = [schema, *schema.get("anyOf", [])]
    return ", ".join(
        f"{words} {part[key]:g}" if isinstance(part[key], float) else f"{words} {part[key]:,}"
        for part in bounded
        for key, words in _BOUNDS.items()
        if key in part
    )
