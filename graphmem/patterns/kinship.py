"""Which keys a name stands for: its own, and those of everything that is one."""

from __future__ import annotations

from collections import defaultdict

from graphmem.errors import InvalidInputError
from graphmem.graph.keys import canonical_key
from graphmem.patterns.ancestry import reached, taxonomy_of
from graphmem.ports.graph_store import TenantGraph


def keys_below(graph: TenantGraph, name: str, what: str) -> frozenset[str]:
    """The concept key of a name, and those of everything that is one, over any number of is_a.

    Args:
        graph: The tenant.
        name: As written; case, width, composition and a plural make no difference.
        what: What the caller calls it, for an error.

    Raises:
        InvalidInputError: The name is blank.
    """
    key = canonical_key(name)
    if key is None:
        raise InvalidInputError(f"{what} is blank; give a name")
    children: dict[str, list[str]] = defaultdict(list)
    for child, parents in taxonomy_of(reached(graph, [key], "in")).parents.items():
        for parent in parents:
            children[parent].append(child)
    found, waiting = {key}, [key]
    while waiting:
        new = set(children[waiting.pop()]) - found
        found |= new
        waiting.extend(new)
    return frozenset(found)
