"""Loads the statements under cypher/ into `Query` values; what is left out is running them.

A file is one statement (in schema/ several, each ended by a semicolon) under a header of comments::

    // What it does, in one or more lines.
    // stand-ins: Episode is the label, true is the filter     (only where something is filled in)
    // params: tenant, limit                                    ("none" when there are none)
    // returns: id, score
    // mode: read
    CYPHER 5
    MATCH (node:Episode {tenant: $tenant}) ...

It runs unchanged in Neo4j's own shell: a stand-in is a name out of the schema that stands for any other one
of its kind. Where the two lines of Neo4j need different texts, `nearest.v5.cypher` stands beside
`nearest.cypher`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Literal, cast, get_args

from graphmem.errors import InvalidInputError

Mode = Literal["read", "write", "schema"]

_FIELDS = ("stand-ins", "params", "returns", "mode")
_STRINGS_AND_COMMENTS = re.compile(
    r"""'(?:[^'\\]|\\.)*' | "(?:[^"\\]|\\.)*" | `[^`]*` | //[^\n]* | /\*.*?\*/""", re.VERBOSE | re.DOTALL
)
_PARAMETER = re.compile(r"\$([A-Za-z_]\w*)")
_STAND_IN = re.compile(r"(\S+) is the ([a-z]+)")
_LANGUAGE = re.compile(r"CYPHER (5|25)\b")


@dataclass(frozen=True, slots=True)
class Query:
    """A statement with what its header says of it."""

    name: str
    """Path without the ending, such as `graph/save_trees`."""
    text: str
    """The statement as it is sent, without the header."""
    doc: str
    """What it does."""
    params: tuple[str, ...]
    returns: tuple[str, ...]
    mode: Mode
    path: Path
    language: str
    """Version of Cypher the text is written in: "5" or "25"."""
    stand_ins: Mapping[str, str] = field(default_factory=dict)
    """Kind -> the name in the text that stands for any other one of that kind."""

    def filled(self, **values: str) -> str:
        """The text with its stand-ins replaced.

        Args:
            **values: Kind -> name out of the closed schema, never text of a user. A kind that is left
                out keeps the name in the file.

        Raises:
            InvalidInputError: The header names no stand-in of this kind.
        """
        for kind in values:
            if kind not in self.stand_ins:
                raise InvalidInputError(f"{self.path}: no stand-in is the {kind}")
        if not values:
            return self.text
        replacements = {self.stand_ins[kind]: value for kind, value in values.items()}
        # all at once: what one puts in may hold the name that another one replaces
        return _words(tuple(replacements)).sub(lambda match: replacements[match[0]], self.text)

    @property
    def statements(self) -> tuple[str, ...]:
        """The single statements of a schema file."""
        return tuple(part.strip() for part in re.split(r";[ \t]*(?:\n|$)", self.text) if part.strip())


@lru_cache(maxsize=256)
def _words(names: tuple[str, ...]) -> re.Pattern[str]:
    """The names where they stand alone; `_` divides, so that they are found inside names of indexes."""
    listed = "|".join(re.escape(name) for name in names)
    return re.compile(rf"(?<![A-Za-z0-9])(?:{listed})(?![A-Za-z0-9])")


def cypher_folder() -> Path:
    """Where the statements are: inside the installed package, or beside it in a checkout."""
    packaged = Path(str(files("graphmem").joinpath("cypher")))
    return packaged if packaged.is_dir() else Path(__file__).parents[1] / "cypher"


@lru_cache(maxsize=256)
def query(name: str) -> Query:
    """The statement of this name.

    Args:
        name: Path under cypher/ without the ending, such as `reports/growth`.

    Raises:
        InvalidInputError: There is no such file, or it breaks the rules of its header.
    """
    folder = cypher_folder()
    # only what is listed is opened, so no name reaches outside the folder
    if name not in _names(folder):
        near = get_close_matches(name, _names(folder), n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise InvalidInputError(f"no query {name!r}{hint}")
    return read_query(folder / f"{name}.cypher", name)


def query_names(under: str = "") -> tuple[str, ...]:
    """Names of all statements, sorted.

    Args:
        under: A folder such as `reports`; "" for all of them.
    """
    prefix = f"{under}/" if under else ""
    return tuple(name for name in _names(cypher_folder()) if name.startswith(prefix))


@lru_cache(maxsize=8)
def _names(folder: Path) -> tuple[str, ...]:
    paths = folder.rglob("*.cypher")
    return tuple(sorted(path.relative_to(folder).as_posix().removesuffix(".cypher") for path in paths))


def read_query(path: Path, name: str) -> Query:
    """Read one file.

    Args:
        path: The file.
        name: What it is called.

    Raises:
        InvalidInputError: A part of the header is missing or wrong, or declared and used parameters
            differ; the message begins with file and line.
    """
    lines = path.read_text(encoding="utf-8").splitlines()
    end = next((n for n, line in enumerate(lines) if not line.startswith("//")), len(lines))
    header = _Header(path, [line.removeprefix("//").strip() for line in lines[:end]])
    text = "\n".join(lines[end:]).strip()
    if not text:
        raise InvalidInputError(f"{path}:{end + 1}: there is no statement below the header")
    language = _LANGUAGE.match(text)
    if language is None:
        raise InvalidInputError(f"{path}:{end + 1}: the statement must begin with CYPHER 5 or CYPHER 25")
    found = Query(
        name=name,
        text=text,
        doc=header.doc(),
        params=header.names("params"),
        returns=header.names("returns"),
        mode=header.mode(),
        path=path,
        language=language[1],
        stand_ins=header.stand_ins(),
    )
    _check_parameters(found, lines, end)
    _check_stand_ins(found, header)
    return found


class _Header:
    """The comment lines above a statement."""

    def __init__(self, path: Path, lines: list[str]) -> None:
        self._path = path
        self._lines = lines
        self._fields: dict[str, tuple[int, str]] = {}
        for number, line in enumerate(lines, start=1):
            label, colon, value = line.partition(":")
            if colon and label in _FIELDS:
                self._fields[label] = (number, value.strip())

    def fault(self, label: str, reason: str) -> InvalidInputError:
        line = self._fields[label][0] if label in self._fields else 1
        return InvalidInputError(f"{self._path}:{line}: {reason}")

    def doc(self) -> str:
        first = min((number for number, _ in self._fields.values()), default=len(self._lines) + 1)
        text = " ".join(self._lines[: first - 1]).strip()
        if not text:
            raise InvalidInputError(f"{self._path}:1: the header does not say what the statement does")
        return text

    def names(self, label: str) -> tuple[str, ...]:
        if label not in self._fields:
            raise self.fault(label, f"the header has no line `// {label}: ...` (write none where there are none)")
        value = self._fields[label][1]
        names = () if value == "none" else tuple(part.strip() for part in value.split(","))
        if not all(re.fullmatch(r"\w+", name) for name in names) or len(set(names)) < len(names):
            raise self.fault(label, f"{label} must be distinct names divided by commas, or none")
        return names

    def mode(self) -> Mode:
        value = self._fields.get("mode", (0, ""))[1]
        if value not in get_args(Mode):
            raise self.fault(
                "mode", f"the header needs a line `// mode: ...` with one of {', '.join(get_args(Mode))}"
            )
        return cast("Mode", value)

    def stand_ins(self) -> dict[str, str]:
        if "stand-ins" not in self._fields:
            return {}
        found: dict[str, str] = {}
        for part in self._fields["stand-ins"][1].split(","):
            match = _STAND_IN.fullmatch(part.strip())
            if match is None:
                raise self.fault("stand-ins", f"{part.strip()!r} is not of the form `Episode is the label`")
            found[match[2]] = match[1]
        return found


def _check_parameters(found: Query, lines: list[str], end: int) -> None:
    body = _STRINGS_AND_COMMENTS.sub(lambda match: "\n" * match[0].count("\n"), "\n".join(lines[end:]))
    used: dict[str, int] = {}
    for number, line in enumerate(body.splitlines(), start=end + 1):
        for parameter in _PARAMETER.findall(line):
            used.setdefault(parameter, number)
    for parameter, number in used.items():
        if parameter not in found.params:
            raise InvalidInputError(
                f"{found.path}:{number}: ${parameter} is used, but the header does not declare it"
            )
    for parameter in found.params:
        if parameter not in used:
            raise InvalidInputError(f"{found.path}:1: the header declares {parameter}, which is not used")


def _check_stand_ins(found: Query, header: _Header) -> None:
    for name in found.stand_ins.values():
        if not _words((name,)).search(found.text):
            raise header.fault("stand-ins", f"the stand-in {name} is not in the statement")
