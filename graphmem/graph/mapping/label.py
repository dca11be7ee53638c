"""Keys of actions, tools and findings, and of the concepts they mean."""

from __future__ import annotations

from functools import lru_cache

from graphmem.graph.keys import label_key
from graphmem.graph.mapping.concept import other_concept_key
from graphmem.graph.records import NodeRef, Value

_NAME_CACHE = 65_536
"""Names whose key is remembered: runs use the same few actions, tools and errors over and over."""


@lru_cache(_NAME_CACHE)
def key_of(name: str) -> str:
    """The key of an action, tool or finding.

    Raises:
        ValueError: The name has no visible character that a key could hold.
    """
    key = label_key(name)
    if key is None:
        raise ValueError(f"the name {name!r} has nothing a key could hold")
    return key


@lru_cache(_NAME_CACHE)
def tool_ref(name: str) -> NodeRef:
    """The node of the tool with this name, whether or not it is stored.

    Raises:
        ValueError: The name has no visible character that a key could hold.
    """
    return NodeRef("Tool", key_of(name))


def label_properties(key: str) -> dict[str, Value]:
    """The key of an action, tool or finding, and that of the concept it means where the two differ."""
    concept = other_concept_key(key)
    return {"key": key} if concept is None else {"key": key, "concept_key": concept}
