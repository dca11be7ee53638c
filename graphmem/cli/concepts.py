"""`graphmem concepts`: list, show, unfold and relate concepts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from graphmem.cli.concept_names import candidates, merge, merges, split
from graphmem.cli.opening import note_nothing_found, opened
from graphmem.cli.options import Invocation, WithGlobalOptionsGroup
from graphmem.cli.output import write_json, write_lines, write_pairs, write_table, write_text
from graphmem.cli.pages import first

_RELATIONS = (
    *("is_a", "instance_of", "part_of", "member_of", "has_a", "causes", "similar_to", "opposite_of"),
    *("used_for", "linked_to", "prerequisite_of"),
)

_FORMAT = click.option(
    "--format",
    "form",
    type=click.Choice(["text", "html"]),
    default="text",
    show_default=True,
    help="Plain text, or one HTML page.",
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
@_FORMAT
@click.pass_obj
def show(invocation: Invocation, name: str, kind: str | None, limit: int, form: str) -> None:
    """Show the concept NAME, how it relates to others, on what evidence, and what is about it."""
    from graphmem.reports.taxonomy import documents, html, text  # noqa: PLC0415 (loaded when the command runs)

    with opened(invocation) as memory:
        view = memory.concepts.show(name, kind=kind, limit=limit)
    if invocation.json:
        write_json(documents.view_document(view))
    elif form == "html":
        write_text(html.view_page(view))
    else:
        write_lines(text.view_lines(view))


@concepts.command()
@click.argument("name")
@click.option("--kind", metavar="KIND", help="Its kind, where several concepts have this name.")
@click.option("--depth", type=click.IntRange(1, 100), default=100, help="Levels in each direction at most.")
@click.option("--limit", type=click.IntRange(1, 1000), default=1000, show_default=True, help="Concepts at most.")
@click.option("--evidence", is_flag=True, help="Show the texts that each is_a rests on.")
@_FORMAT
@click.pass_obj
def tree(invocation: Invocation, /, name: str, form: str, evidence: bool, **bounds: Any) -> None:
    """Show what the concept NAME is a kind of, and what is a kind of it.

    An is_a that a longer way implies is left out. Brackets say how well an is_a is known that was not just given.
    """
    from graphmem.reports.taxonomy import documents, html, text  # noqa: PLC0415 (loaded when the command runs)

    with opened(invocation) as memory:
        found = memory.concepts.tree(name, **bounds)
    if invocation.json:
        write_json(documents.tree_document(found))
    elif form == "html":
        write_text(html.tree_page(found))
    else:
        write_lines(text.tree_lines(found, evidence=evidence))


@concepts.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--name", metavar="NAME", help="Only what relations lead to from this concept.")
@click.option("--kind", metavar="KIND", help="Its kind, where several concepts have this name.")
@click.option("--depth", type=click.IntRange(1, 100), default=2, show_default=True, help="Relations from NAME.")
@click.option(
    "--limit", type=click.IntRange(1, 100_000), default=10_000, show_default=True, help="Concepts around NAME."
)
@click.pass_obj
def export(invocation: Invocation, /, file: Path, **asked: Any) -> None:
    """Write concepts and their relations as GraphML into FILE, for Gephi, yEd or Cytoscape."""
    from graphmem.transfer.graphml import write_graphml  # noqa: PLC0415 (loaded when the command runs)

    with opened(invocation) as memory:
        drawn = memory.concepts.graph(**asked)
    write_graphml(drawn, file)
    counts = {"concepts": drawn.number_of_nodes(), "relations": drawn.number_of_edges()}
    if invocation.json:
        write_json({"file": str(file), **counts, "truncated": drawn.graph["truncated"]})
    else:
        write_pairs({**counts, "truncated": "yes" if drawn.graph["truncated"] else None}.items())


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
