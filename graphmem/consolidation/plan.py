"""A consolidation plan: what would be written, as a value that can be shown without applying it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from graphmem.consolidation.policy import ConsolidationPolicy
from graphmem.graph.mapping.values import HASH_LENGTH
from graphmem.graph.records import EdgeRecord, NodeRecord
from graphmem.models.fields import canonical_json


@dataclass(frozen=True, slots=True)
class EpisodePlan:
    """What linking one episode would write."""

    episode: str
    mark: str
    """Set on the episode when it is done: equal content under equal categories has an equal mark."""
    add: tuple[EdgeRecord, ...]
    remove: tuple[EdgeRecord, ...]


@dataclass(frozen=True, slots=True)
class ConsolidationPlan:
    """What a run would do; empty when there is nothing to do."""

    concepts: tuple[NodeRecord, ...] = ()
    """Concepts that would be created."""
    episodes: tuple[EpisodePlan, ...] = ()
    """Episodes that would be linked, by id."""
    remaining: int = 0
    """Episodes left for a later run by `max_items`."""

    def __bool__(self) -> bool:
        return bool(self.episodes)

    def counts(self) -> dict[str, int]:
        """What the plan amounts to, in the words of the report."""
        return {
            "episodes": len(self.episodes),
            "promoted": len(self.concepts),
            "merged": 0,
            "superseded": 0,
            "linked": sum(len(episode.add) for episode in self.episodes),
            "unlinked": sum(len(episode.remove) for episode in self.episodes),
            "moved": 0,
            "model_calls": 0,
            "remaining": self.remaining,
        }

    def to_dict(self) -> dict[str, Any]:
        """The plan as JSON: counts, the concepts by name, and each episode's new links."""
        names = {concept.ref: concept.properties["name"] for concept in self.concepts}
        return {
            **self.counts(),
            "concepts": [
                {"name": concept.properties["name"], "kind": concept.properties["kind"]}
                for concept in self.concepts
            ],
            "links": [
                {
                    "episode": episode.episode,
                    "type": edge.type,
                    "from": edge.source.id,
                    "to": names.get(edge.target, edge.target.id),
                }
                for episode in self.episodes
                for edge in episode.add
            ],
        }


@dataclass(frozen=True, slots=True)
class ConsolidationReport:
    """What an applied run did."""

    counts: Mapping[str, int]
    run: str | None
    """Id of the ConsolidationRun; None when there was nothing to do."""
    seconds: float = field(default=0.0, compare=False)

    def to_dict(self) -> dict[str, Any]:
        """The report as JSON."""
        return {**self.counts, "run": self.run, "seconds": round(self.seconds, 3)}


def link_mark(root: NodeRecord, names: Sequence[tuple[str, str]], policy: ConsolidationPolicy) -> str:
    """A mark that changes with the episode's content, with what it mentions, and with the policy.

    Args:
        root: The episode's root.
        names: (kind, concept id) of every mention: they change when a category appears or disappears, and
            when a mention comes to mean another concept.
        policy: What was allowed.
    """
    form = policy.model_dump(include={"argument_max_length", "argument_min_tasks", "argument_max_values"})
    text = canonical_json([root.content_hash, sorted(names), form])
    return sha256(text.encode()).hexdigest()[:HASH_LENGTH]
