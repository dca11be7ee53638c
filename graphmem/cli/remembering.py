"""`graphmem remember`: keep a memory in words."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from graphmem.cli.diagnostics import Exit
from graphmem.cli.lines import answer_lines, as_given
from graphmem.cli.opening import opened
from graphmem.cli.options import Invocation, WithGlobalOptions
from graphmem.cli.output import write_json, write_lines
from graphmem.cli.values import MOMENT

if TYPE_CHECKING:
    from graphmem.memory import GraphMemory

_LINE_FIELDS = dict.fromkeys(
    {"kind", "id", "why", "about", "at", "subject", "predicate", "object", "valid_from", "valid_to"}
    | {"supersedes", "sources", "confidence"},
    as_given,
)


@click.command(cls=WithGlobalOptions)
@click.argument("text")
@click.option("--kind", default="fact", show_default=True, help="fact, preference, lesson, domain, working, ...")
@click.option("--id", "id", metavar="ID", help="Your own id; else a new one.")
@click.option("--why", help="The reason, which decides its scope.")
@click.option("--about", multiple=True, metavar="NAME", help="A concept it is about; may be repeated.")
@click.option("--at", type=MOMENT, help="When it was said; else this moment.")
@click.option("--subject", metavar="NAME", help="Who or what; of facts and preferences.")
@click.option("--predicate", metavar="NAME", help="The relation, such as lives_in; likewise.")
@click.option("--object", "object", metavar="NAME", help="To whom or what; likewise.")
@click.option("--valid-from", type=MOMENT, help="From when it holds; likewise.")
@click.option("--valid-to", type=MOMENT, help="Until when it holds; likewise.")
@click.option("--supersedes", metavar="ID", help="An older memory that this one retires.")
@click.pass_obj
def remember(
    invocation: Invocation, /, text: str, about: tuple[str, ...], **fields: str | datetime | None
) -> Exit | None:
    """Keep TEXT as a memory and print its kind and id.

    With - instead of TEXT every line of stdin is a text, or a JSON object with text and the fields of a
    memory; each is answered with one line of JSON.
    """
    given: dict[str, Any] = {name: value for name, value in fields.items() if value is not None}
    if about:
        given["about"] = about
    with opened(invocation) as memory:
        if text == "-":
            return answer_lines(lambda line, rest: _keep(memory, line, {**given, **rest}), fields=_LINE_FIELDS)
        kept = _keep(memory, text, given)
    if invocation.json:
        write_json(kept)
    else:
        write_lines([f"{kept['kind']} {kept['id']}"])
    return None


def _keep(memory: GraphMemory, text: str, fields: Mapping[str, Any]) -> dict[str, str]:
    kept = memory.remember(text, **fields)
    return {"id": kept.id, "kind": kept.kind}
