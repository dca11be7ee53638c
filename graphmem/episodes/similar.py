"""Finds closed episodes that were about the same situation, by calibrated similarity."""

from __future__ import annotations

from dataclasses import dataclass

from graphmem.episodes.reading import read_episodes
from graphmem.errors import InvalidInputError, ModelError
from graphmem.graph.records import Filter
from graphmem.models.episode import Episode
from graphmem.ports.listing import MAX_PAGE
from graphmem.ports.workspace import Workspace


@dataclass(frozen=True, slots=True)
class SimilarEpisode:
    """An episode found by likeness."""

    episode: Episode
    similarity: float
    """0 (nothing to do with it) to 1 (the same text), on the scale all embedders share; 0.7 and more
    means the same situation."""

    @property
    def id(self) -> str:
        """The episode's id."""
        return self.episode.id


def similar_episodes(
    workspace: Workspace, text: str, conditions: tuple[Filter, ...], *, limit: int, min_similarity: float
) -> tuple[SimilarEpisode, ...]:
    """Episodes whose summary is like a text, best first, ties by id; the conditions hold before the limit.

    Args:
        workspace: Where to look.
        text: The situation in words.
        conditions: What the episodes must be like.
        limit: Most episodes, 1 to 10,000.
        min_similarity: Least similarity, 0 to 1.

    Raises:
        InvalidInputError: A bound is broken.
        ModelError: There is no embedder.
    """
    if not 1 <= limit <= MAX_PAGE:
        raise InvalidInputError(f"limit is {limit}; it can be 1 to {MAX_PAGE}")
    if not 0 <= min_similarity <= 1:
        raise InvalidInputError(f"min_similarity is {min_similarity}; it can be 0 to 1")
    embedder = workspace.embedder
    if embedder is None:
        raise ModelError("likeness needs an embedder and this memory was opened without one: give embedder='use'")
    if not text.strip():
        return ()
    (where,) = workspace.filters("Episode", *conditions)
    hits = workspace.graph.nearest("Episode", embedder.embed([text])[0], where, limit=limit)
    scored = [(hit.record, embedder.calibrate(hit.score)) for hit in hits]
    kept = [(record, similarity) for record, similarity in scored if similarity >= min_similarity]
    episodes = read_episodes(workspace.graph, [record for record, _ in kept])
    return tuple(
        SimilarEpisode(episode, similarity) for episode, (_, similarity) in zip(episodes, kept, strict=True)
    )
