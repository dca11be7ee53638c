"""Sample experience in the import format: what `graphmem demo` runs on when nothing else is at hand.

About 300 episodes of six kinds of work, a third of them Korean, with the patterns of `planted` hidden
among noise; the taxonomy, conversations and memories that go with them. The same seed gives the same
records on every machine: no clock and no other source of chance is used.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from random import Random

from graphmem.demo import conversations, facts, taxonomy
from graphmem.demo.episodes import SampleEpisode, sample_episodes

Record = dict[str, object]

_LABELLED_LATER = 3
"""How many episodes of unknown outcome get one by a record of its own."""
_TRANSCRIBED = 6
"""How many episodes have messages linked to them."""
_TOLD = {"trigger", "resolution", "user", "session", "started_at", "ended_at"}


def sample_records(seed: int = 7) -> Iterator[Record]:
    """Yields the header, then concepts, relations, sessions, episodes, outcomes, messages, memories, procedures.

    Args:
        seed: chooses wording, order and noise; what is planted, and how it ends, holds for every seed.
    """
    episodes = sample_episodes(Random(seed))  # noqa: S311 (samples, not secrets)
    yield {"type": "header", "version": 1, "producer": "graphmem demo"}
    yield from taxonomy.concept_records()
    yield from taxonomy.relation_records()
    yield from _episode_sessions(episodes)
    yield from conversations.session_records()
    for episode in episodes:
        yield episode.record
    yield from _later_outcomes(episodes)
    yield from conversations.message_records()
    yield from _episode_messages(episodes)
    yield from facts.memory_records()
    yield from facts.procedure_records()


def sample_lines(seed: int = 7) -> Iterator[str]:
    """Yields the records as lines of JSON, without line ends.

    Args:
        seed: as in `sample_records`.
    """
    for record in sample_records(seed):
        yield json.dumps(record, ensure_ascii=False)


def _episode_sessions(episodes: list[SampleEpisode]) -> Iterator[Record]:
    """Yields each session that an episode names, started with its first episode."""
    first: dict[str, SampleEpisode] = {}
    for episode in episodes:
        session = episode.record.get("session")
        if isinstance(session, str):
            first.setdefault(session, episode)
    for session, episode in first.items():
        yield {
            "type": "session",
            "id": session,
            "user": episode.user,
            "started_at": episode.start.isoformat(),
        }


def _episode_messages(episodes: list[SampleEpisode]) -> Iterator[Record]:
    """Yields request and answer of the first few episodes that tell of both."""
    told = [episode.record for episode in episodes if episode.record.keys() >= _TOLD]
    for record in told[:_TRANSCRIBED]:
        said = (("user", "trigger", "started_at"), ("assistant", "resolution", "ended_at"))
        for role, text, at in said:
            yield {
                "type": "message",
                "id": f"{record['id']}-{role}",
                "text": record[text],
                "at": record[at],
                "user": record["user"],
                "role": role,
                "session": record["session"],
                "episode": record["id"],
            }


def _later_outcomes(episodes: list[SampleEpisode]) -> Iterator[Record]:
    """Yields what a reviewer said a week later about the first runs whose outcome was not known."""
    unknown = [
        episode
        for episode in episodes
        if "state" not in episode.record and episode.record.get("outcome", "unknown") == "unknown"
    ]
    for episode, outcome in zip(unknown[:_LABELLED_LATER], ("failure", "success", "partial"), strict=False):
        yield {
            "type": "outcome",
            "episode": episode.record["id"],
            "outcome": outcome,
            "source": "reviewer",
            "at": (episode.start + timedelta(days=7)).isoformat(),
        }
