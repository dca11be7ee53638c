"""Which concept a key means where homonyms share it: the rule that mining and its evidence query have in common.

Only concepts that is_a knows count, those with an edge above or below them. Below, a key that occurs means its
concept of kind `concept`, else every concept it has. Above, it means the one of kind `concept`, else the only
one there is: what could mean two concepts is nobody's ancestor, so that what is_a says of keys stays transitive.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graphmem.graph.records import NodeRecord, NodeRef
from graphmem.models.concept import DEFAULT_CONCEPT_KIND

Pair = tuple[NodeRef, NodeRef]
"""A concept, and what it is a kind of."""


@dataclass(frozen=True, slots=True)
class Reached:
    """Part of a taxonomy."""

    concepts: Mapping[NodeRef, NodeRecord]
    """With every concept come all that share its key."""
    pairs: Sequence[Pair]
    joined: frozenset[NodeRef]
    """Concepts that is_a knows; of a key with several concepts all of them."""

    def homonyms(self) -> set[NodeRef]:
        """The concepts that share their key with another one."""
        named: dict[str, list[NodeRef]] = defaultdict(list)
        for ref, node in self.concepts.items():
            named[key_of_concept(node)].append(ref)
        return {ref for refs in named.values() if len(refs) > 1 for ref in refs}


@dataclass(frozen=True, slots=True)
class Meanings:
    """Concepts that their keys mean."""

    below: Mapping[NodeRef, str]
    """Concept -> its key, where what has this key is what the concept is."""
    above: Mapping[NodeRef, str]
    """Concept -> its key, where the key as an ancestor is this concept."""


def meanings(known: Reached) -> Meanings:
    """Say which concepts their keys mean."""
    named: dict[str, list[NodeRef]] = defaultdict(list)
    for ref in known.joined & known.concepts.keys():
        named[key_of_concept(known.concepts[ref])].append(ref)
    below: dict[NodeRef, str] = {}
    above: dict[NodeRef, str] = {}
    for key, refs in named.items():
        meant = [ref for ref in refs if _is_plain(known.concepts[ref])] or refs
        below |= dict.fromkeys(meant, key)
        above |= dict.fromkeys(meant if len(meant) == 1 else (), key)
    return Meanings(below, above)


def key_of_concept(node: NodeRecord) -> str:
    """The key of a stored concept."""
    return str(node.properties["key"])


def _is_plain(node: NodeRecord) -> bool:
    return node.properties["kind"] == DEFAULT_CONCEPT_KIND
