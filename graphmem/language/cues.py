"""Cues of conversations as data: which words close one and which begin another, by language.

The tables that come with graphmem are the files `data/cues.<language>.toml`; a file of the same form adds
a language or cues to one. How a cue is found in a text is left to `spotting`.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Literal

from pydantic import Field, ValidationError, model_validator

from graphmem.errors import InvalidInputError
from graphmem.models.fields import Frozen

Meaning = Literal["success", "thanks", "understood", "enough"]
"""What a closing cue says: it worked, or only thanks, understanding, or that nothing more is needed."""

Place = Literal["anywhere", "start", "end", "edge", "alone", "apart", "sentence"]
"""Where in its clause a cue must stand; see the field `place` of a cue."""

Words = tuple[Annotated[str, Field(pattern=r"\S", max_length=200)], ...]


class Cue(Frozen):
    """Words that say one thing, with the conditions under which they say it."""

    words: Words = Field((), description="Whole words or phrases, as written; case and width do not matter.")
    stems: Words = Field((), description="Word stems, each joined with every ending, with and without a blank.")
    endings: Words = Field((), description="Names of the lists of endings that the stems take.")
    place: Place = Field(
        "anywhere",
        description="anywhere; start or end: first or last in its clause apart from fillers; edge: either; "
        "alone: both; apart: at the start, or set off by a comma behind it; sentence: first in its sentence.",
    )
    followed_by: Words = Field((), description="Words that may follow although the cue must stand at the end.")
    not_after: Words = Field((), description="Words right before it that take its meaning away.")
    not_before: Words = Field((), description="Words or phrases right behind it that do.")
    not_within: Words = Field((), description="Words anywhere in its clause that do.")


class ClosingCue(Cue):
    """A cue that ends an episode."""

    meaning: Meaning = Field(description="success, thanks, understood or enough.")


class Guards(Frozen):
    """Words of a language that take the meaning of a cue away, or ask."""

    negation: Words = Field((), description="In the clause before a closing cue: not so, or not yet.")
    negation_endings: Words = Field((), description="Endings of such words.")
    denial: Words = Field((), description="In the clause before a new-topic cue: there is none.")
    denial_endings: Words = Field((), description="Endings of such words.")
    denial_after: Words = Field((), description="In the clause behind a new-topic cue: likewise.")
    contrast: Words = Field((), description="Behind a closing cue in its sentence, or opening a later one.")
    unsettled: Words = Field((), description="Anywhere behind a closing cue: it goes on.")
    request: Words = Field((), description="Words that ask for something to be done.")
    request_endings: Words = Field((), description="Endings of the last word of a sentence that does.")
    question_endings: Words = Field((), description="Endings of the last word of a question.")
    question_words: Words = Field((), description="Words that open a question before a verb of the next list.")
    question_verbs: Words = Field((), description="Verbs that open a question before a subject.")
    question_subjects: Words = Field((), description="Subjects that follow them.")


class CueTable(Frozen):
    """The cues of one language."""

    fillers: Words = Field((), description="Words that do not count when a clause's first word is sought.")
    followers: Words = Field((), description="Words that do not count when its last word is sought.")
    clause_endings: Words = Field((), description="Endings of words with which a clause ends without a comma.")
    endings: Mapping[str, Words] = Field(default_factory=dict, description="Lists of endings by name.")
    closing: tuple[ClosingCue, ...] = Field((), description="Cues that end an episode.")
    new_topic: tuple[Cue, ...] = Field((), description="Cues that begin one.")
    guards: Guards = Field(Guards(), description="Words that take the meaning of a cue away.")

    @model_validator(mode="after")
    def _endings_are_there(self) -> CueTable:
        for cue in (*self.closing, *self.new_topic):
            if missing := set(cue.endings) - self.endings.keys():
                raise ValueError(f"a cue names the endings {min(missing)!r}, which the table does not have")
        return self

    def phrases(self, cue: Cue) -> Iterator[str]:
        """Every way in which a cue of this table is written."""
        yield from cue.words
        for ending in (ending for name in cue.endings for ending in self.endings[name]):
            for stem in cue.stems:
                yield f"{stem}{ending}"
                yield f"{stem} {ending}"


@dataclass(frozen=True, slots=True, eq=False)
class Cues:
    """The tables that a text is read with: all of them, whatever its language, since people mix languages."""

    tables: Mapping[str, tuple[CueTable, ...]]
    """One or more tables a language."""

    def with_table(self, language: str, table: CueTable) -> Cues:
        """These cues and those of one more table.

        Args:
            language: Its language; one that is there already keeps its cues.
            table: What is added.
        """
        return Cues(MappingProxyType({**self.tables, language: (*self.tables.get(language, ()), table)}))

    def each(self) -> Iterator[CueTable]:
        """Every table."""
        for tables in self.tables.values():
            yield from tables


@lru_cache(maxsize=1)
def default_cues() -> Cues:
    """The cues that come with graphmem."""
    found = {entry.name: entry for entry in files("graphmem.language").joinpath("data").iterdir()}
    tables = {
        _language(name): (read_cue_table(found[name].read_text(encoding="utf-8"), name),)
        for name in sorted(found)
        if name.startswith("cues.")
    }
    return Cues(MappingProxyType(tables))


def load_cues(paths: Iterable[str | os.PathLike[str]], cues: Cues | None = None) -> Cues:
    """Cues with those of some files added, the name of each (`de.toml`, `cues.de.toml`) being its language.

    Args:
        paths: TOML files of the form described in docs/reference/cues.md, in UTF-8.
        cues: What they are added to; None: the cues that come with graphmem.

    Raises:
        InvalidInputError: A file cannot be read, is not TOML, or holds something else than cues.
    """
    found = default_cues() if cues is None else cues
    for path in map(Path, paths):
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as fault:
            raise InvalidInputError(f"the cues {path} cannot be read: {fault}") from None
        found = found.with_table(_language(path.name), read_cue_table(text, str(path)))
    return found


def _language(name: str) -> str:
    return name.removesuffix(".toml").rpartition(".")[2]


def read_cue_table(text: str, name: str) -> CueTable:
    """The table that a TOML text holds.

    Args:
        text: TOML.
        name: What the text is called in an error.

    Raises:
        InvalidInputError: It is not TOML or holds something else than cues.
    """
    try:
        return CueTable.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as fault:
        raise InvalidInputError(f"the cues {name} are not TOML: {fault}") from None
    except ValidationError as fault:
        first = fault.errors(include_input=False, include_context=False, include_url=False)[0]
        place = ".".join(map(str, first["loc"])) or "the table"
        raise InvalidInputError(
            f"the cues {name}: {place}: {first['msg'].removeprefix('Value error, ')}"
        ) from None
