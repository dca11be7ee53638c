"""A concept and its tree as plain lines: pure."""

from __future__ import annotations

from collections.abc import Iterator

from graphmem.concepts.standing import Standing
from graphmem.concepts.views import ConceptTree, ConceptView
from graphmem.reports.taxonomy.wording import known, outline, spoken


def view_lines(view: ConceptView) -> Iterator[str]:
    """A concept with its relations, their evidence, and what is about it."""
    concept = view.concept
    yield f"{concept.name}  ({concept.kind})"
    if concept.definition:
        yield f"  {concept.definition}"
    if concept.aliases:
        yield f"  also: {', '.join(concept.aliases)}"
    standings: list[Standing | None] = [*view.standings]
    standings += [None] * (len(view.relations) - len(standings))
    for relation, standing in zip(view.relations, standings, strict=True):
        yield f"  {relation.head} {relation.relation.value} {relation.tail}{_in_brackets(standing)}"
        yield from _evidence(standing, 2)
    for said in view.mentions:
        yield f"  {said.relation} <- {said.kind} {said.id}: {said.text}"
    if view.truncated:
        yield "  ... and more; --limit shows more"


def tree_lines(tree: ConceptTree, *, evidence: bool = False) -> Iterator[str]:
    """A tree, indented by depth.

    Args:
        tree: What to show.
        evidence: Whether the texts behind each is_a follow it.
    """
    yield tree.name
    for depth, is_above, node in outline(tree):
        sign = "is a " if is_above else "<- "
        again = " (see above)" if node.repeated else ""
        yield f"{'  ' * depth}{sign}{node.name}{again}{_in_brackets(node.standing)}"
        if evidence:
            yield from _evidence(node.standing, depth + 1)
    if tree.truncated:
        yield "  ... and more"


def _in_brackets(standing: Standing | None) -> str:
    words = known(standing)
    return f"  ({words})" if words else ""


def _evidence(standing: Standing | None, depth: int) -> Iterator[str]:
    for witness in () if standing is None else standing.witnesses:
        yield f"{'  ' * depth}{spoken(witness)}"
