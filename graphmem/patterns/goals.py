"""Episodes whose goal is like some words: all of them stand in it, or the situation is the same."""

from __future__ import annotations

from graphmem.graph.folding import fold
from graphmem.graph.records import Filter
from graphmem.graph.tokens import query_tokens, tokens
from graphmem.ports.listing import MAX_PAGE
from graphmem.ports.workspace import Workspace

SAME_SITUATION = 0.7
"""Similarity from which two texts are about the same situation, on the scale all embedders share."""


def episodes_with_goal(workspace: Workspace, goal: str, where: Filter | None) -> frozenset[str]:
    """Ids of the episodes with a goal like this.

    Either every word of it stands in the goal, as it is or in another form of the word (English) or with a
    particle (Korean), or the episode's summary is about the same situation, by the embedder. Without an
    embedder words alone decide; of more than 10,000 episodes that share a word the best 10,000 are looked at.

    Args:
        workspace: The tenant, with its embedder.
        goal: Words of a goal, not blank.
        where: What must hold of the episodes.
    """
    graph, embedder = workspace.graph, workspace.embedder
    by_words = graph.search(
        ["Episode"], query_tokens(goal), None if where is None else {"Episode": where}, limit=MAX_PAGE
    )
    found = {hit.record.id for hit in by_words if holds_words(str(hit.record.properties.get("goal", "")), goal)}
    if embedder is not None:
        near = graph.nearest("Episode", embedder.embed([goal])[0], where, limit=MAX_PAGE)
        found |= {hit.record.id for hit in near if embedder.calibrate(hit.score) >= SAME_SITUATION}
    return frozenset(found)


def holds_words(text: str, words: str) -> bool:
    """Whether a text holds every one of some words: all its tokens or, in Korean, the word within another."""
    folded, held = fold(text), set(tokens(text))
    return all(
        held.issuperset(tokens(word)) or (not word.isascii() and word in folded) for word in fold(words).split()
    )
