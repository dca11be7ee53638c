"""The prompt that sums up an episode: summary, lessons, outcome and facts in one reply.

What the model claims of the world (how it ended, what is so) counts only with a quote that stands in the
conversation; without one it is dropped and counted, and the rest of the reply still holds.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import AfterValidator, Field

from graphmem.models.episode import Outcome
from graphmem.models.fields import Frozen
from graphmem.ports.language_model import LanguageModel
from graphmem.ports.prompt_text import Language, language_of
from graphmem.prompts.asking import Prompt, ask
from graphmem.prompts.grounding import MAX_QUOTE as MAX_QUOTE  # noqa: PLC0414 (a bound of this prompt)
from graphmem.prompts.grounding import Quote, Sayings
from graphmem.prompts.languages import is_written_in
from graphmem.prompts.parsing import UnreadableReplyError, line
from graphmem.prompts.transcript import Turn, transcript

MAX_SENTENCES = 5
MAX_SUMMARY = 1_200
MAX_LESSONS = 5
MAX_LESSON = 300
MAX_FACTS = 20
_MAX_TERM = 200
_MAX_TOKENS = 4_000

_SENTENCE_END = re.compile(r"[.!?…。！？]+[\"'”’)\]]*(?=\s+(?![a-z])|\s*$)")
"""An end before a small letter is that of an abbreviation."""


def _sentences(text: str) -> str:
    ends = [match.end() for match in _SENTENCE_END.finditer(text)]
    count = len(ends) + (not ends or ends[-1] < len(text))
    if count > MAX_SENTENCES:
        raise ValueError(f"it has {count} sentences, more than {MAX_SENTENCES}")
    return text


Line = Annotated[str, line(MAX_LESSON)]
Term = Annotated[str, line(_MAX_TERM)]


class OutcomeReply(Frozen):
    """How the episode ended, as the model judges it."""

    value: Outcome
    reason: Line
    quote: Quote
    """Words of the conversation that show it; "" for unknown."""


class FactReply(Frozen):
    """Something that is so, as the model read it."""

    subject: Term
    predicate: Term
    object: Term
    quote: Quote
    """Words of the conversation that say it."""


class EpisodeReply(Frozen):
    """The form of the reply."""

    summary: Annotated[str, line(MAX_SUMMARY), AfterValidator(_sentences)]
    lessons: Annotated[tuple[Line, ...], Field(max_length=MAX_LESSONS)]
    outcome: OutcomeReply
    facts: Annotated[tuple[FactReply, ...], Field(max_length=MAX_FACTS)]


@dataclass(frozen=True, slots=True)
class EpisodeSummary:
    """A reply after its claims were checked."""

    summary: str
    """1 to 5 sentences in the language that was asked for."""
    lessons: tuple[str, ...]
    """What to do or avoid next time, distinct."""
    outcome: Outcome
    """unknown where the quote does not stand in the conversation."""
    outcome_reason: str
    """In the model's words; "" where the outcome was dropped."""
    outcome_quote: str
    """The words that show it; "" for unknown."""
    facts: tuple[FactReply, ...]
    """Those whose quote stands in the conversation."""
    dropped_facts: int
    """How many others there were."""
    is_outcome_dropped: bool
    """Whether the model gave an outcome that nothing in the conversation shows."""


def _check(reply: EpisodeReply, language: Language) -> None:
    if not is_written_in(reply.summary, language):
        asked = {"en": "English", "ko": "Korean"}[language]
        raise UnreadableReplyError(f"summary: it is not written in {asked}")


SUMMARISE_EPISODE = Prompt("summarise_episode", EpisodeReply, _MAX_TOKENS, _check)
"""The prompt itself; `summarise_episode` asks it."""


def summarise_episode(
    model: LanguageModel, turns: Sequence[Turn], language: Language | None = None
) -> EpisodeSummary:
    """What a model makes of an episode.

    Args:
        model: Called at most `CALLS_AT_MOST` times.
        turns: What was wanted, said and done, such as `episode_turns` gives it; at least one.
        language: Of the summary; None: that of the turns.

    Raises:
        ReplyError: Neither of two replies is of use; nothing of them is to be stored.
        ModelUnavailableError: The model cannot be reached.
        ModelError: It refuses the request, or its budget is spent.
    """
    chosen = language or language_of(" ".join(turn.text for turn in turns))
    reply = ask(model, SUMMARISE_EPISODE, transcript(turns), chosen)
    return grounded(reply, Sayings(turns))


def grounded(reply: EpisodeReply, said: Sayings) -> EpisodeSummary:
    """A reply without what nothing in the conversation shows: pure."""
    given = reply.outcome
    is_shown = given.value is not Outcome.UNKNOWN and said.holds(given.quote)
    facts = tuple(dict.fromkeys(fact for fact in reply.facts if said.holds(fact.quote)))
    return EpisodeSummary(
        summary=reply.summary,
        lessons=tuple(dict.fromkeys(reply.lessons)),
        outcome=given.value if is_shown else Outcome.UNKNOWN,
        outcome_reason=given.reason if is_shown else "",
        outcome_quote=given.quote if is_shown else "",
        facts=facts,
        dropped_facts=sum(not said.holds(fact.quote) for fact in reply.facts),
        is_outcome_dropped=given.value is not Outcome.UNKNOWN and not is_shown,
    )
