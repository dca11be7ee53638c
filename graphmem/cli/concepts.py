"""`graphmem concepts`: list, show, unfold and relate concepts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from graphmem.cli.concept_names import candidates, merge, merges, split
from graphmem.cli.opening import note_nothing_found, opened
from graphmem.cli.options import Invocation, WithGlobalOptionsGroup
from graphmem.cli.output import write_json, write_lines, write_table
from graphmem.cli.pages import first

if TYPE_CHECKING:
    from graphmem.concepts.views import ConceptTree, ConceptView, TreeNode

_RELATIONS = (
    *("is_a", "instance_of", "part_of", "member_of", "has_a", "causes", "similar_to", "opposite_of"),
    *("used_for", "linked_to", "prerequisite_of"),
)


@click.group(cls=WithGlobalOptionsGroup)
def concepts() -> None:
    """Look at concepts and relate them."""


@concepts.command("list")
@click.option("--kind", metavar="KIND", help="Only of this kind.")
@click.option("--name", metavar="NAME", help="Only of this name or alias, of any kind.")
@click.option("--limit", type=click.IntRange(1), default=100, show_default=True, help="Concepts at most.")
@click.pass_obj
def list_concepts(invocation: Invocation, kind: str | None, name: str | None, limit: int) -> None:
    """List concepts by name."""
    with opened(invocation) as memory:
        found = first(invocation, memory.concepts.list, limit, kind=kind, name=name)
        if not found:
            note_nothing_found(invocation, memory)
    if invocation.json:
        write_json([concept.model_dump(mode="json") for concept in found])
    elif found:
        write_table(["name", "kind", "definition"], [[item.name, item.kind, item.definition] for item in found])


@concepts.command()
@click.argument("name")
@click.option("--kind", metavar="KIND", help="Its kind, where several concepts have this name.")
@click.option("--limit", type=click.IntRange(1, 10_000), default=100, show_default=True, help="Mentions at most.")
@click.pass_obj
def show(invocation: Invocation, name: str, kind: str | None, limit: int) -> None:
    """Show the concept NAME, how it relates to others, and what is about it."""
    with opened(invocation) as memory:
        view = memory.concepts.show(name, kind=kind, limit=limit)
    if invocation.json:
        write_json(_view(view))
    else:
        write_lines(_view_lines(view))


@concepts.command()
@click.argument("name")
@click.option("--kind", metavar="KIND", help="Its kind, where several concepts have this name.")
@click.pass_obj
def tree(invocation: Invocation, name: str, kind: str | None) -> None:
    """Show what the concept NAME is a kind of, and what is a kind of it."""
    with opened(invocation) as memory:
        found = memory.concepts.tree(name, kind=kind)
    if invocation.json:
        write_json(_tree(found))
    else:
        write_lines(_tree_lines(found))


@concepts.command()
@click.argument("head")
@click.argument("relation", type=click.Choice(_RELATIONS), metavar="RELATION")
@click.argument("tail")
@click.option("--head-kind", metavar="KIND", help="Kind of HEAD, where several concepts have this name.")
@click.option("--tail-kind", metavar="KIND", help="Kind of TAIL, likewise.")
@click.option("--confidence", type=click.FloatRange(0, 1), default=1.0, show_default=True, help="How sure.")
@click.pass_obj
def relate(invocation: Invocation, /, head: str, relation: str, tail: str, **rest: Any) -> None:
    """Say that HEAD is_a, part_of, causes, ... TAIL.

    RELATION is one of is_a, instance_of, part_of, member_of, has_a, causes, similar_to, opposite_of,
    used_for, linked_to, prerequisite_of. An is_a or part_of that would close a cycle is refused.
    """
    with opened(invocation) as memory:
        said = memory.concepts.relate(head, relation, tail, **rest)
    if invocation.json:
        write_json(said.model_dump(mode="json"))
    else:
        write_lines([f"{said.head} {said.relation.value} {said.tail}"])


for _command in (merge, split, merges, candidates):
    concepts.add_command(_command)


def _view(view: ConceptView) -> dict[str, Any]:
    return {
        "id": view.id,
        **view.concept.model_dump(mode="json"),
        "relations": [relation.model_dump(mode="json") for relation in view.relations],
        "mentions": [
            {"relation": said.relation, "kind": said.kind, "id": said.id, "text": said.text}
            for said in view.mentions
        ],
        "truncated": view.truncated,
    }


def _view_lines(view: ConceptView) -> Iterator[str]:
    concept = view.concept
    yield f"{concept.name}  ({concept.kind})"
    if concept.definition:
        yield f"  {concept.definition}"
    if concept.aliases:
        yield f"  also: {', '.join(concept.aliases)}"
    for relation in view.relations:
        yield f"  {relation.head} {relation.relation.value} {relation.tail}"
    for said in view.mentions:
        yield f"  {said.relation} <- {said.kind} {said.id}: {said.text}"
    if view.truncated:
        yield "  ... and more; --limit shows more"


def _tree(found: ConceptTree) -> dict[str, Any]:
    return {
        "id": found.id,
        "name": found.name,
        "above": _branches(found.above),
        "below": _branches(found.below),
        "truncated": found.truncated,
    }


def _branches(nodes: Sequence[TreeNode]) -> list[dict[str, Any]]:
    return [
        {"id": node.id, "name": node.name, "repeated": node.repeated, "branches": _branches(node.branches)}
        for node in nodes
    ]


def _tree_lines(found: ConceptTree) -> Iterator[str]:
    yield found.name
    yield from _branch_lines(found.above, "is a ", 1)
    yield from _branch_lines(found.below, "", 1)
    if found.truncated:
        yield "  ... and more"


def _branch_lines(nodes: Sequence[TreeNode], word: str, depth: int) -> Iterator[str]:
    for node in nodes:
        yield f"{'  ' * depth}{word or '<- '}{node.name}{' (see above)' if node.repeated else ''}"
        yield from _branch_lines(node.branches, word, depth + 1)
