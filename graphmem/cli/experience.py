"""`graphmem episodes experience` and `situation`: what the past says about a request or a conversation."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import click

from graphmem.cli.diagnostics import Exit
from graphmem.cli.episode_text import episode_summary
from graphmem.cli.lines import answer_lines, as_given, number, whole_number
from graphmem.cli.opening import note_nothing_found, opened
from graphmem.cli.options import Invocation, WithGlobalOptions
from graphmem.cli.output import write_json, write_text

if TYPE_CHECKING:
    from graphmem.episodes.situation import Situation
    from graphmem.memory import GraphMemory

_LANGUAGE = click.option(
    "--language", type=click.Choice(["ko", "en"]), help="Of the words around what is found; else the text's own."
)
_DOMAIN = click.option("--domain", metavar="NAME", help="Only of this domain.")
_OF_A_MESSAGE = ("at", "episode", "extra", "id", "role", "session", "speaker", "type", "user")
"""Fields of a message that are read over here; messages of two sessions are two conversations."""


def _least_likeness(default: float) -> Callable[..., Any]:
    return click.option(
        "--min-similarity",
        type=click.FloatRange(0, 1),
        default=default,
        show_default=True,
        help="Least likeness; 0.7 and more means the same situation.",
    )


@click.command(cls=WithGlobalOptions)
@click.argument("text")
@click.option("--budget", type=click.IntRange(0), default=800, show_default=True, help="Tokens at most.")
@_least_likeness(0.7)
@_LANGUAGE
@_DOMAIN
@click.pass_obj
def experience(invocation: Invocation, /, text: str, **asked: Any) -> Exit | None:
    """Write past successes and failures like TEXT as a block for a prompt.

    With - instead of TEXT every line of stdin is a text, or a JSON object with text and, if need be,
    budget, min_similarity, language and domain; each is answered with one line of JSON.
    """
    with opened(invocation) as memory:
        if text == "-":
            return answer_lines(
                lambda line, rest: {"text": memory.episodes.experience(line, **{**asked, **rest})},
                fields={
                    "budget": whole_number,
                    "min_similarity": number,
                    "language": as_given,
                    "domain": as_given,
                },
            )
        block = memory.episodes.experience(text, **asked)
        if not block:
            note_nothing_found(invocation, memory, "no experience to tell")
    if invocation.json:
        write_json({"text": block})
    elif block:
        write_text(block)
    return None


@click.command(cls=WithGlobalOptions)
@click.argument("text")
@click.option("--limit", type=click.IntRange(1, 10_000), default=3, show_default=True, help="Episodes at most.")
@_least_likeness(0.75)
@_LANGUAGE
@_DOMAIN
@click.pass_obj
def situation(invocation: Invocation, /, text: str, **asked: Any) -> Exit | None:
    """Say whether a conversation is like something that happened before.

    TEXT is its last message. With - instead of TEXT every line of stdin is the next message: a text, or a
    JSON object with text and, if need be, session and other fields of a message. Each is answered with one
    line of JSON for the conversation up to there.
    """
    with opened(invocation) as memory:
        if text == "-":
            return answer_lines(_following(memory, asked), fields=dict.fromkeys(_OF_A_MESSAGE, as_given))
        found = memory.episodes.situation(text, **asked)
        if not found.is_similar:
            note_nothing_found(invocation, memory, f"no episode at least {asked['min_similarity']:g} alike")
    if invocation.json:
        write_json(_as_json(found))
    elif found.suggestion:
        write_text(found.suggestion)
    return None


def _following(memory: GraphMemory, asked: Mapping[str, Any]) -> Callable[[str, Mapping[str, Any]], Any]:
    """What answers a message with the situation of its session so far."""
    # a blank message says nothing, and takes no other one's place
    said: defaultdict[str, deque[str]] = defaultdict(lambda: deque(maxlen=3))

    def answer(text: str, rest: Mapping[str, Any]) -> Any:
        messages = said[str(rest.get("session", ""))]
        if text.strip():
            messages.append(text)
        return _as_json(memory.episodes.situation(messages, **asked))

    return answer


def _as_json(found: Situation) -> dict[str, Any]:
    return {
        "is_similar": found.is_similar,
        "suggestion": found.suggestion,
        "episodes": [episode_summary(hit.episode, hit.similarity) for hit in found.episodes],
    }
