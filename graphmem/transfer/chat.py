"""One chat run (OpenAI-style messages and tool calls) to one episode, never segmented."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any

from graphmem.episodes.chat import read_conversation
from graphmem.models.episode import Episode
from graphmem.models.fields import canonical_json
from graphmem.transfer.faults import RecordFault
from graphmem.transfer.fields import Lookup
from graphmem.transfer.items import Parsed
from graphmem.transfer.outcomes import OutcomeRule

RunParser = Callable[[dict[str, Any], str | None], Parsed]
"""Reads one run; the user is whose a run is that names nobody."""


class RunIds:
    """Ids for runs that have none: out of their content, with an occurrence number when it is repeated."""

    def __init__(self) -> None:
        self._occurrences: Counter[str] = Counter()

    def of(self, record: Mapping[str, Any]) -> str:
        """The id of the next run with this content.

        Raises:
            RecordFault: The record holds text that is not valid Unicode.
        """
        try:
            digest = sha256(canonical_json(record).encode()).hexdigest()[:16]
        except UnicodeEncodeError as fault:
            raise RecordFault("text holds a lone surrogate: it is not valid Unicode") from fault
        self._occurrences[digest] += 1
        number = self._occurrences[digest]
        return f"run-{digest}" if number == 1 else f"run-{digest}-{number}"


def chat_parser(names: Mapping[str, str], outcome: OutcomeRule, ids: RunIds) -> RunParser:
    """A parser of runs.

    Args:
        names: Where a record keeps what, from fields.py.
        outcome: What its outcome means.
        ids: Shared by all files of an import.
    """

    def parse(record: dict[str, Any], user: str | None) -> Parsed:
        lookup = Lookup(record, names)
        conversation = read_conversation(lookup.value("messages"))
        fields = run_fields(lookup, user, ids, record, outcome)
        goal = lookup.text("goal")
        request = conversation.request
        if goal is None and request is None:
            raise RecordFault("the run has no goal: no user message, and no goal named with --field")
        extra = lookup.rest()
        unknown = tuple(extra)
        if conversation.unmatched:
            extra["unmatched_results"] = conversation.unmatched
        episode = Episode(
            goal=request if goal is None else goal,
            trigger=request or None,
            steps=conversation.steps,
            extra=extra,
            **fields,
        )
        return Parsed(episode, unknown)

    return parse


def run_fields(
    lookup: Lookup, user: str | None, ids: RunIds, record: Mapping[str, Any], outcome: OutcomeRule
) -> dict[str, Any]:
    """What all kinds of runs say of their episode in the same way.

    Raises:
        RecordFault: A tenant is named, or a value has no meaning.
    """
    if "tenant" in record:
        raise RecordFault("a record cannot name a tenant: give it to the command")
    variant = lookup.value("variant")
    own_user = lookup.text("user")
    run_id = lookup.text("id")
    return {
        "id": ids.of(record) if run_id is None else run_id,
        "outcome": outcome(lookup.value("outcome")),
        "task": lookup.text("task"),
        "session": lookup.text("session"),
        "domain": lookup.text("domain"),
        "user_id": user if own_user is None else own_user,
        "variant": variant if isinstance(variant, dict) else lookup.text("variant"),
        "started_at": lookup.value("at"),
    }
