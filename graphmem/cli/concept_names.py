"""`graphmem concepts merge | split | merges | candidates`: which names are one concept."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from graphmem.cli.opening import note_nothing_found, opened
from graphmem.cli.options import Invocation, WithGlobalOptions
from graphmem.cli.output import write_json, write_lines, write_table

if TYPE_CHECKING:
    from graphmem.concepts.candidates import MergeCandidate
    from graphmem.models.merge import Merge


@click.command(cls=WithGlobalOptions)
@click.argument("keep")
@click.argument("other")
@click.option("--kind", metavar="KIND", help="Kind of KEEP, where several concepts have this name.")
@click.option("--other-kind", metavar="KIND", help="Kind of OTHER, likewise.")
@click.option("--reason", metavar="TEXT", help="Why, in words; kept with the merge.")
@click.option("--force", is_flag=True, help="Merge concepts of different kinds as well.")
@click.pass_obj
def merge(invocation: Invocation, /, keep: str, other: str, **rest: Any) -> None:
    """Make the concepts KEEP and OTHER one.

    All that is said of OTHER goes to KEEP, and OTHER becomes an alias of it: what names OTHER from now on goes
    there as well. `graphmem concepts split OTHER` undoes it. A merge that would close a cycle of is_a or part_of
    is refused.
    """
    with opened(invocation) as memory:
        done = memory.concepts.merge(keep, other, **rest)
    if invocation.json:
        write_json(
            {
                "concept": done.concept.model_dump(mode="json"),
                "merge": None if done.merge is None else done.merge.model_dump(mode="json"),
            }
        )
    elif done.merge is None:
        write_lines([f"{other} is {done.concept.name} already"])
    else:
        write_lines([f"{done.merge.name} is {done.concept.name} now; graphmem concepts split undoes it"])


@click.command(cls=WithGlobalOptions)
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@click.option("--kind", metavar="KIND", help="Kind of the merged concept, where several had this name.")
@click.pass_obj
def split(invocation: Invocation, names: tuple[str, ...], kind: str | None) -> None:
    """Undo the merge of each concept NAME: both sides get back what they had."""
    done = []
    with opened(invocation) as memory:
        for name in names:
            done.append(memory.concepts.split(name, kind=kind))
            if not invocation.json:
                write_lines([f"{done[-1].concept.name} is a concept of its own again"])
    if invocation.json:
        write_json([one.concept.model_dump(mode="json") for one in done])


@click.command(cls=WithGlobalOptions)
@click.argument("name", required=False)
@click.option("--kind", metavar="KIND", help="Its kind, where several concepts have this name.")
@click.option("--limit", type=click.IntRange(1, 10_000), default=100, show_default=True, help="Merges at most.")
@click.pass_obj
def merges(invocation: Invocation, name: str | None, kind: str | None, limit: int) -> None:
    """List what was merged, the newest first; with NAME, only of that concept."""
    with opened(invocation) as memory:
        found = list(memory.concepts.merges(name, kind=kind, limit=limit))
        if not found:
            note_nothing_found(invocation, memory)
    if invocation.json:
        write_json([one.model_dump(mode="json") for one in found])
    elif found:
        write_table(["name", "into", "kind", "at", "undone", "reason"], list(map(_row, found)))


@click.command(cls=WithGlobalOptions)
@click.argument("name", required=False)
@click.option("--kind", metavar="KIND", help="Its kind, where several concepts have this name.")
@click.option("--limit", type=click.IntRange(1, 10_000), default=50, show_default=True, help="Pairs at most.")
@click.option(
    "--min-similarity",
    type=click.FloatRange(-1, 1),
    default=0.8,
    show_default=True,
    help="Least similarity of neighbours of NAME.",
)
@click.pass_obj
def candidates(
    invocation: Invocation, name: str | None, kind: str | None, limit: int, min_similarity: float
) -> None:
    """List concepts that may be one, and why; with NAME, those that may be that one.

    Names speak for a merge: aliases, abbreviations, spellings. Concepts that are merely alike are shown for NAME
    only, and never suggested.
    """
    with opened(invocation) as memory:
        found = memory.concepts.candidates(name, kind=kind, limit=limit, min_similarity=min_similarity)
        if not found:
            note_nothing_found(invocation, memory)
    if invocation.json:
        write_json([_candidate(one) for one in found])
    else:
        write_lines(line for one in found for line in _candidate_lines(one))


def _row(merge: Merge) -> list[Any]:
    undone = "" if merge.undone_at is None else f"{merge.undone_at:%Y-%m-%d %H:%M}"
    return [merge.name, merge.into, merge.kind, f"{merge.at:%Y-%m-%d %H:%M}", undone, merge.reason]


def _candidate(one: MergeCandidate) -> dict[str, Any]:
    return {
        "keep": one.keep,
        "other": one.other,
        "kind": one.kind,
        "evidence": list(one.evidence),
        "similarity": one.similarity,
        "suggested": one.suggested,
        "decision": one.decision,
    }


def _candidate_lines(one: MergeCandidate) -> Iterator[str]:
    alike = "" if one.similarity is None else f"  similarity {one.similarity:.3f}"
    yield f"{'merge' if one.suggested else 'leave'}  {one.keep} <- {one.other}  ({one.kind}){alike}"
    for said in one.evidence:
        yield f"  {said}"
    if not one.suggested:
        yield f"  but {one.decision}" if one.evidence else f"  {one.decision}"
