"""Homonyms of a taxonomy: which of its things with one name is the concept of that name. Pure.

A concept is one by key and kind (graph/keys.py), so things of one name need kinds that differ. One of them is
the concept that the bare name means, of kind `concept`: episodes and text name it without a kind, and mining
climbs from there. Each of the others has as its kind the name of what it is: `bank` of kind `slope`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from graphmem.graph.keys import canonical_key
from graphmem.models.concept import DEFAULT_CONCEPT_KIND

_MOST_ABOVE = 100
"""How far up a kind is looked for; beyond that senses are numbered."""


def kinds_of_senses(
    names: Mapping[str, str], above: Mapping[str, Sequence[str]], weights: Mapping[str, int]
) -> dict[str, str]:
    """The kinds of things whose name another thing has as well.

    Args:
        names: Id -> name, which a key can hold.
        above: Id -> what it is a kind or an instance of, the nearest first; cycles do no harm.
        weights: Id -> how much there is about it. The heaviest thing of a name is meant by the bare name
            (ties go to the lower id): in WordNet, where one sense of a word is among the frequent ones, it
            is the sense with the most relations in 74 of 100 cases.

    Returns:
        Id -> kind, of homonyms alone. No two things of one key have one kind.
    """
    homonyms: dict[str, list[str]] = defaultdict(list)
    for thing, name in names.items():
        homonyms[str(canonical_key(name))].append(thing)
    kinds: dict[str, str] = {}
    for things in homonyms.values():
        if len(things) == 1:
            continue
        meant, *others = sorted(things, key=lambda thing: (-weights.get(thing, 0), thing))
        kinds[meant] = DEFAULT_CONCEPT_KIND
        taken = {DEFAULT_CONCEPT_KIND}
        for thing in others:
            kinds[thing] = _free_kind(thing, names, above, taken)
            taken.add(kinds[thing])
    return kinds


def _free_kind(thing: str, names: Mapping[str, str], above: Mapping[str, Sequence[str]], taken: set[str]) -> str:
    """The nearest name above a thing that no homonym took; else a number."""
    reached = {thing: None}
    level = [thing]
    for _ in range(_MOST_ABOVE):
        level = list(dict.fromkeys(end for at in level for end in above.get(at, ()) if end not in reached))
        reached |= dict.fromkeys(level)
        for end in level:
            if names[end] not in taken:
                return names[end]
        if not level:
            break
    number = 2
    while f"sense {number}" in taken:
        number += 1
    return f"sense {number}"
