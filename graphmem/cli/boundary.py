"""`graphmem boundary -`: where the episodes of a conversation begin and end. Opens no store."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from graphmem.cli.diagnostics import Exit
from graphmem.cli.lines import answer_lines
from graphmem.cli.opening import settings_of
from graphmem.cli.options import Invocation, WithGlobalOptions
from graphmem.errors import InvalidInputError

if TYPE_CHECKING:
    from graphmem.episodes.boundaries import Boundary, BoundaryPolicy
    from graphmem.language.cues import Cues

_ROLES = ("user", "assistant", "system", "tool")


@click.command(cls=WithGlobalOptions)
@click.argument("source", type=click.Choice(["-"]), metavar="-")
@click.option(
    "--cues", "files", multiple=True, metavar="FILE", help="A TOML file of further cues; may be repeated."
)
@click.pass_obj
def boundary(invocation: Invocation, /, source: str, files: tuple[str, ...]) -> Exit:
    """Say of each message of one conversation whether an episode starts, continues or ends with it.

    Every line of stdin is a JSON object with text, at and, if need be, role (else user), in the order in which
    the messages were said; each is answered with one line of JSON: decision, cue and why. The settings
    `boundary` hold. A line that is refused counts as not said.
    """
    del source
    from graphmem.language.cues import load_cues  # noqa: PLC0415 (loads pydantic)

    conversation = _Conversation(settings_of(invocation).boundary, load_cues(files))
    return answer_lines(conversation.answer, fields={"at": _moment, "role": _role})


@dataclass(frozen=True, slots=True)
class _Line:
    """A message as far as boundaries are concerned."""

    text: str
    at: datetime
    role: str


@dataclass(slots=True)
class _Conversation:
    """What is carried from line to line."""

    policy: BoundaryPolicy
    cues: Cues
    previous: _Line | None = None
    ended: bool = False

    def answer(self, text: str, fields: Mapping[str, Any]) -> dict[str, Any]:
        """The decision about the next message."""
        if "at" not in fields:
            raise InvalidInputError("the line needs `at`, the message's own time")
        line = _Line(text, fields["at"], fields.get("role", "user"))
        found = self._detect(line)
        self.previous, self.ended = line, found.is_over_after(self.ended)
        return {"decision": found.decision, "cue": found.cue, "why": found.why}

    def _detect(self, line: _Line) -> Boundary:
        from graphmem.episodes.boundaries import detect_boundary  # noqa: PLC0415 (loads pydantic)

        return detect_boundary(line, self.previous, ended=self.ended, policy=self.policy, cues=self.cues)


def _moment(value: Any) -> datetime:
    from graphmem.models.fields import to_utc  # noqa: PLC0415 (loads pydantic)

    return to_utc(value)


def _role(value: Any) -> str:
    if value not in _ROLES:
        raise ValueError(f"give one of {', '.join(_ROLES)}")
    return str(value)
