"""The part of `memory.concepts` that decides which names are one concept."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from graphmem.concepts.resolution import find_concept, key_of_name
from graphmem.errors import InvalidInputError, NotFoundError
from graphmem.graph.mapping.concept import to_concept
from graphmem.graph.mapping.merge import to_merge
from graphmem.graph.records import Cursor, Equals, NodeRecord, NodeRef
from graphmem.models.concept import Concept
from graphmem.models.merge import Merge
from graphmem.ports.listing import MAX_PAGE, Listing, read_page
from graphmem.ports.merging import merge_concepts, split_concept, standing_merges
from graphmem.ports.reading import every_node
from graphmem.ports.workspace import Workspace

if TYPE_CHECKING:
    from graphmem.concepts.candidates import MergeCandidate


@dataclass(frozen=True, slots=True)
class MergeOutcome:
    """What a merge ended with."""

    concept: Concept
    """The concept that stands for both."""
    merge: Merge | None
    """The merge; None when the two names were one concept already."""


class ConceptMerging:
    """Merges concepts of one tenant, and undoes it."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def merge(
        self,
        keep: str,
        other: str,
        *,
        kind: str | None = None,
        other_kind: str | None = None,
        reason: str | None = None,
        force: bool = False,
    ) -> MergeOutcome:
        """Make two concepts one: what is said of the second goes to the first, its name becomes an alias.

        Relations, mentions and memories move, their evidence with them, and what names it from now on goes to the
        first as well. `split` undoes it.

        Args:
            keep: Name or id of the concept that stays.
            other: Name or id of the one that is merged into it.
            kind: Kind of the first; None: "concept" before others, else the only one of that name.
            other_kind: Kind of the second; None: as the first's, else likewise.
            reason: Why, in words; kept with the merge.
            force: Whether concepts of different kinds may be merged.

        Raises:
            NotFoundError: One of them is not stored.
            InvalidInputError: A name means several concepts, the kinds differ, or an is_a or part_of would close
                a cycle.
        """
        work = self._workspace
        first = find_concept(work.graph, keep, kind)
        second = self._other(other, other_kind, str(first.properties["kind"]))
        if first.ref == second.ref:
            return MergeOutcome(to_concept(first), None)
        done = merge_concepts(
            work.graph, first.ref, second.ref, at=work.now(), entropy=work.entropy(10), reason=reason, force=force
        )
        return MergeOutcome(to_concept(work.graph.get([first.ref])[first.ref]), done)

    def split(self, name: str, *, kind: str | None = None) -> MergeOutcome:
        """Undo a merge: both concepts get back what they had.

        What was written of the name since the merge goes with it. What was found out of both together stays with
        the concept they were merged into, until it is found out again.

        Args:
            name: Name, or id, of the concept that was merged.
            kind: Its kind, where several of this name were merged.

        Returns:
            The concept that is back.

        Raises:
            NotFoundError: There is no such concept.
            InvalidInputError: It was not merged, several of the name were, or the one it was merged into was
                merged since.
        """
        work = self._workspace
        merge = self._standing(name, kind)
        done = split_concept(work.graph, merge, at=work.now())
        ref = NodeRef("Concept", done.alias)
        return MergeOutcome(to_concept(work.graph.get([ref])[ref]), done)

    def merges(
        self, name: str | None = None, *, kind: str | None = None, after: Cursor | None = None, limit: int = 100
    ) -> Listing[Merge]:
        """What was merged, the newest first, merges that were undone included.

        Args:
            name: Only of the concept of this name, on either side; None: all.
            kind: Its kind, as for `get`.
            after: `next` of the page before; only without a name.
            limit: 1 to 10,000.

        Raises:
            NotFoundError: There is no such concept, and none was merged.
        """
        graph = self._workspace.graph
        if name is None:
            page = read_page(graph, "Merge", [None], order="-at", after=after, limit=limit)
            return Listing(tuple(map(to_merge, page.records)), page.next)
        found = {node.id: node for node in self._around(name, kind)}
        newest = sorted(found.values(), key=lambda node: (str(node.properties["at"]), node.id), reverse=True)
        return Listing(tuple(map(to_merge, newest[:limit])), None)

    def candidates(
        self, name: str | None = None, *, kind: str | None = None, limit: int = 50, min_similarity: float = 0.8
    ) -> tuple[MergeCandidate, ...]:
        """Concepts that may be one, suggested pairs first, each with what speaks for it and against it.

        Nothing is merged: `merge` does that. Without a name every concept's name is read.

        Args:
            name: Only pairs with the concept of this name, its nearest neighbours included; None: all.
            kind: Its kind, as for `get`.
            limit: Most pairs, 1 to 10,000.
            min_similarity: Least cosine of a neighbour, -1..1.

        Raises:
            NotFoundError: There is no such concept.
        """
        from graphmem.concepts.candidates import find_candidates, find_neighbours  # noqa: PLC0415 (few calls need it)

        if not 1 <= limit <= MAX_PAGE:
            raise InvalidInputError(f"limit is {limit}; it can be 1 to {MAX_PAGE}")
        graph = self._workspace.graph
        if name is None:
            return tuple(find_candidates(graph)[:limit])
        concept = find_concept(graph, name, kind)
        found = find_neighbours(graph, concept.ref, limit=limit, min_similarity=min_similarity)
        return tuple(found[:limit])

    def _other(self, name: str, kind: str | None, first_kind: str) -> NodeRecord:
        if kind is None:
            try:
                return find_concept(self._workspace.graph, name, first_kind)
            except NotFoundError:
                pass
        return find_concept(self._workspace.graph, name, kind)

    def _standing(self, name: str, kind: str | None) -> NodeRef:
        graph = self._workspace.graph
        where = Equals("key", key_of_name(name))
        aliases = [*every_node(graph, "Alias", where), *graph.get([NodeRef("Alias", name)]).values()]
        merged = {
            str(node.properties["merge"]): node
            for node in aliases
            if "merge" in node.properties and kind in {None, node.properties["kind"]}
        }
        if len(merged) == 1:
            return NodeRef("Merge", next(iter(merged)))
        if merged:
            kinds = ", ".join(sorted(str(node.properties["kind"]) for node in merged.values()))
            raise InvalidInputError(f"concepts of several kinds named {name!r} were merged: say which of {kinds}")
        raise self._nothing_merged(name, kind)

    def _nothing_merged(self, name: str, kind: str | None) -> Exception:
        concept = find_concept(self._workspace.graph, name, kind)
        into = standing_merges(self._workspace.graph, concept.ref)
        names = ", ".join(_names(into)) or "nothing"
        return InvalidInputError(f"{name!r} was merged into nothing; what was merged into it: {names}")

    def _around(self, name: str, kind: str | None) -> Iterable[NodeRecord]:
        graph = self._workspace.graph
        concept = find_concept(graph, name, kind)
        for where in (Equals("concept", concept.id), Equals("alias", concept.id)):
            yield from every_node(graph, "Merge", where)


def _names(merges: Sequence[NodeRecord]) -> list[str]:
    return [str(node.properties["name"]) for node in merges]
