"""`graphmem recall` and `graphmem context`: what is remembered about a text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from graphmem.cli.diagnostics import Exit
from graphmem.cli.lines import answer_lines, names, whole_number
from graphmem.cli.opening import note_nothing_found, opened
from graphmem.cli.options import Invocation, WithGlobalOptions
from graphmem.cli.output import write_json, write_table, write_text
from graphmem.cli.values import MOMENT, time_text

if TYPE_CHECKING:
    from datetime import datetime

    from graphmem.recall.context import ContextBlock
    from graphmem.recall.results import Recalled


@click.command(cls=WithGlobalOptions)
@click.argument("text")
@click.option("--limit", type=click.IntRange(1, 1000), default=10, show_default=True, help="Items at most.")
@click.option("--kind", "kinds", multiple=True, metavar="KIND", help="Only this kind; may be repeated.")
@click.option("--as-of", type=MOMENT, help="What held at this time.")
@click.option("--recipe", metavar="NAME", help="A named way of ranking: balanced, lexical or vector.")
@click.option("--explain", is_flag=True, help="Say why each item was found.")
@click.pass_obj
def recall(
    invocation: Invocation, /, text: str, explain: bool, kinds: tuple[str, ...], **rest: Any
) -> Exit | None:
    """Find what fits TEXT, best first: messages, episodes, concepts, memories, procedures, patterns.

    With - instead of TEXT every line of stdin is a text, or a JSON object with text and, if need be,
    limit, kinds and as_of; each is answered with one line of JSON.
    """
    asked = {"kinds": kinds or None, **rest}
    with opened(invocation) as memory:
        if text == "-":
            return answer_lines(
                lambda line, own: _as_json(memory.recall(line, **{**asked, **own})),
                fields={"limit": whole_number, "kinds": names, "as_of": _moment},
            )
        found = memory.recall(text, **asked)
        if not found.items:
            note_nothing_found(invocation, memory)
    if invocation.json:
        write_json(_as_json(found))
    elif found.items:
        _show(found, explain=explain)
    return None


@click.command(cls=WithGlobalOptions)
@click.argument("text")
@click.option("--budget", type=click.IntRange(0), default=800, show_default=True, help="Tokens at most.")
@click.pass_obj
def context(invocation: Invocation, text: str, budget: int) -> Exit | None:
    """Write what fits TEXT as a block for a prompt.

    With - instead of TEXT every line of stdin is a text, or a JSON object with text and, if need be,
    budget; each is answered with one line of JSON.
    """
    asked = {"budget": budget}
    with opened(invocation) as memory:
        if text == "-":
            return answer_lines(
                lambda line, rest: _block(memory.context_block(line, **{**asked, **rest})),
                fields={"budget": whole_number},
            )
        block = memory.context_block(text, **asked)
        if not block.items:
            note_nothing_found(invocation, memory)
    if invocation.json:
        write_json(_block(block))
    elif block.text:
        write_text(block.text)
    return None


def _moment(value: Any) -> datetime:
    from graphmem.models.fields import to_utc  # noqa: PLC0415 (loads pydantic)

    return to_utc(value)


def _as_json(found: Iterable[Recalled]) -> list[dict[str, Any]]:
    return [
        {
            "id": item.id,
            "kind": item.kind,
            "text": item.text,
            "score": round(item.score, 6),
            "at": time_text(item.at),
            "why": [
                {
                    "signal": why.name,
                    "score": round(why.score, 6),
                    "share": round(why.share, 6),
                    "words": why.words,
                }
                for why in item.why
            ],
        }
        for item in found
    ]


def _block(block: ContextBlock) -> dict[str, Any]:
    return {"text": block.text, "strategy": block.strategy, "items": _as_json(block.items)}


def _show(found: Iterable[Recalled], *, explain: bool) -> None:
    columns = ["score", "kind", "id", "at", "text", *(["why"] if explain else [])]
    write_table(
        columns,
        [
            [
                *(item.score, item.kind, item.id, time_text(item.local_at), item.text),
                *([item.explain()] if explain else []),
            ]
            for item in found
        ],
    )
