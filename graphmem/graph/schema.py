"""The closed schema: labels, relationship types and properties, in one table.

Stores take labels and types out of this table only, so no text of a user ever becomes one. A new kind
is a new row here and a mapping beside the others; no store changes.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

SCHEMA_VERSION = 2
"""Number of the newest migration of both stores."""


class PropertyType(StrEnum):
    """How a property's values are stored and compared."""

    TEXT = "text"
    INTEGER = "integer"
    NUMBER = "number"
    BOOLEAN = "boolean"
    TIME = "time"
    TEXTS = "texts"
    JSON = "json"
    """Canonical JSON text; never filterable."""


@dataclass(frozen=True, slots=True)
class NodeType:
    """What a label holds."""

    label: str
    purpose: str
    properties: dict[str, PropertyType]
    """All properties but `id` and `tenant`."""
    filterable: frozenset[str]
    """Properties that filters and orders may name, `user_id` and `created_at` included."""
    marks: frozenset[str] = frozenset()
    """Properties that say what was done with a node: scans and counts may name them in filters, searches not.

    A vector index declares all that may be filtered in a search, and would be written anew with every mark.
    """
    searchable: bool = False
    """Whether the node carries `search_text` and is in the full-text index."""
    embedded: bool = False
    """Whether the node carries a vector and is in a vector index."""
    owner: str | None = None
    """Label of the root that owns these nodes; they go with it."""


def _node(label: str, purpose: str, columns: str, *, owner: str | None = None, flags: str = "") -> NodeType:
    """Read a row: `name:type`, type text when left out, `!` after the name of what is filterable, `?` of marks."""
    properties: dict[str, PropertyType] = {
        "user_id": PropertyType.TEXT,
        "created_at": PropertyType.TIME,
        "content_hash": PropertyType.TEXT,
    }
    filterable, marks = {"user_id", "created_at"}, set()
    for column in columns.split():
        name, _, type_name = column.partition(":")
        if name.endswith("!"):
            name = name[:-1]
            filterable.add(name)
        elif name.endswith("?"):
            name = name[:-1]
            marks.add(name)
        properties[name] = PropertyType(type_name or "text")
    searchable, embedded = "searchable" in flags, "embedded" in flags
    if searchable:
        properties["search_text"] = PropertyType.TEXT
    return NodeType(
        label, purpose, properties, frozenset(filterable), frozenset(marks), searchable, embedded, owner
    )


_RUN = "started_at!:time ended_at:time policy:json counts:json"

_NODE_TYPES = (
    _node(
        "Episode",
        "an experience of an agent, from its goal to its outcome",
        "goal state! outcome! started_at!:time ended_at!:time utc_offset:integer duration_ms:integer task! "
        "variant! session! domain! trigger resolution satisfaction:number summary lessons:texts tags:texts "
        "tools_used:texts causes:json error outcome_history:json time_unknown!:boolean step_count:integer "
        "extra:json consolidated_hash? extracted_hash? similar_hash? summary_source lessons_given:integer origin "
        "closing:json interrupted",
        flags="searchable embedded",
    ),
    _node(
        "Step",
        "one action within an episode",
        "episode! index!:integer key! concept_key action reasoning result effective!:boolean at!:time tools:texts "
        "concepts:texts errors:texts fixes:texts after:json arguments:json extra:json",
        owner="Episode",
    ),
    _node(
        "Finding",
        "a symptom seen or a cause found within one episode",
        "episode! key! concept_key name kind! source",
        owner="Episode",
    ),
    _node("Tool", "a tool by name", "key! concept_key name"),
    _node(
        "Message",
        "what was said, by whom, when",
        "text at!:time utc_offset:integer session! role! speaker! episode! extra:json extracted_hash? told_hash?",
        flags="searchable embedded",
    ),
    _node("Session", "a conversation", "started_at!:time extra:json"),
    _node(
        "Concept",
        "semantic memory: what things are",
        "key! name kind! definition aliases:texts merged_names:texts abstraction_level!:integer "
        "level_source extra:json",
        flags="searchable embedded",
    ),
    _node(
        "Claim",
        "a relation that texts state or deny, with the places as evidence; enough of it makes a relation",
        "relation! head head_key head_kind tail tail_key tail_kind promoted!:boolean confidence:number "
        "support:integer against:integer head_concept? tail_concept? refused",
    ),
    _node(
        "Alias",
        "another name of a concept, found by its key; its id is that of a concept of this name and kind",
        "key! name kind! source merge",
    ),
    _node(
        "Merge",
        "a merge of one concept into another one, with what undoing it needs",
        "alias! name kind into concept! at!:time undone_at:time reason record:json",
    ),
    _node(
        "Memory",
        "a fact, preference, lesson, correction, validation, domain or working memory",
        "kind! text why confidence:number subject predicate object subject_key! predicate_key! at!:time "
        "valid_from!:time valid_to!:time superseded_at!:time supersedes about:texts sources:texts "
        "counts:json assertions:json extra:json",
        flags="searchable embedded",
    ),
    _node(
        "Procedure",
        "a learned way of doing something",
        "name key! when steps:texts successes:integer partials:integer failures:integer sources:texts "
        "origin supersedes superseded_at?:time extra:json",
        flags="searchable embedded",
    ),
    _node(
        "Pattern",
        "a mined motif with its statistics",
        "title description domain! scope! tier! polarity! support!:integer run! first_seen!:time last_seen!:time "
        "labels:texts episodes:texts tasks:integer users:integer record:json",
        flags="searchable embedded",
    ),
    _node("ConsolidationRun", "one applied consolidation", f"{_RUN} known? again:texts"),
    _node("ImportRun", "one import", _RUN),
    _node("MiningRun", "one mining of patterns", _RUN),
)

NODE_TYPES: dict[str, NodeType] = {node_type.label: node_type for node_type in _NODE_TYPES}
"""Every label, by name."""

CONCEPT_RELATIONS = (
    "IS_A",
    "PART_OF",
    "MEMBER_OF",
    "HAS_A",
    "CAUSES",
    "SIMILAR_TO",
    "OPPOSITE_OF",
    "USED_FOR",
    "LINKED_TO",
    "PREREQUISITE_OF",
    "INSTANCE_OF",
)
"""Relationship types that may join two concepts."""


@dataclass(frozen=True, slots=True)
class EdgeType:
    """What a relationship type joins."""

    type: str
    ends: tuple[tuple[str, str], ...]
    """Allowed (source label, target label) pairs."""
    properties: dict[str, PropertyType]


_EDGE_PROPERTIES: dict[str, PropertyType] = {
    "user_id": PropertyType.TEXT,
    "created_at": PropertyType.TIME,
    "source": PropertyType.TEXT,
    "weight": PropertyType.NUMBER,
    "confidence": PropertyType.NUMBER,
    "count": PropertyType.INTEGER,
    "salience": PropertyType.NUMBER,
    "evidence_count": PropertyType.INTEGER,
    "evidence_ids": PropertyType.TEXTS,
    "evidence": PropertyType.TEXTS,
    "sentence": PropertyType.TEXT,
    "rule": PropertyType.TEXT,
    "prior": PropertyType.NUMBER,
    "polarity": PropertyType.TEXT,
    "unit": PropertyType.TEXT,
    "at": PropertyType.TIME,
    "roles": PropertyType.JSON,
    "origins": PropertyType.JSON,
    "extra": PropertyType.JSON,
}
"""Properties that any relationship may carry, beside `tenant`."""

_ENDS = {
    "HAS_STEP": "Episode>Step",
    "HAS_FINDING": "Episode>Finding",
    "OF_SESSION": "Episode>Session",
    "HAS_MESSAGE": "Episode>Message",
    "IN_SESSION": "Message>Session",
    "SPOKEN_BY": "Message>Concept",
    "NEXT": "Step>Step Message>Message",
    "USED": "Step>Tool",
    "ABOUT": "Step>Concept Memory>Concept Procedure>Concept Pattern>Concept",
    "ALIAS_OF": "Alias>Concept",
    "MENTIONS": "Episode>Concept Message>Concept",
    "RAISED": "Step>Finding",
    "CAUSED_BY": "Finding>Finding",
    "FIXED": "Step>Finding",
    "INSTANCE_OF": "Finding>Concept Step>Concept Tool>Concept Concept>Concept",
    "ASSERTED_IN": "Memory>Episode Memory>Message Claim>Episode Claim>Message",
    "FOLLOWED_BY": "Episode>Episode",
    "LED_TO": "Episode>Episode",
    "DERIVED_FROM": "Memory>Episode Procedure>Episode Procedure>Message Pattern>Episode",
    "EVIDENCED_BY": "Pattern>Episode",
    "GENERALIZES": "Pattern>Pattern",
    "RECOMMENDS": "Pattern>Procedure",
    "SUPERSEDES": "Memory>Memory Procedure>Procedure",
    "SIMILAR_TO": "Concept>Concept Episode>Episode",
} | {
    relation: "Concept>Concept" for relation in CONCEPT_RELATIONS if relation not in {"INSTANCE_OF", "SIMILAR_TO"}
}


def _edge(type_name: str, ends: str) -> EdgeType:
    pairs = tuple((pair.split(">")[0], pair.split(">")[1]) for pair in ends.split())
    return EdgeType(type_name, pairs, _EDGE_PROPERTIES)


EDGE_TYPES: dict[str, EdgeType] = {name: _edge(name, ends) for name, ends in _ENDS.items()}
"""Every relationship type, by name."""

TREE_EDGES = frozenset({"HAS_STEP", "HAS_FINDING", "OF_SESSION", "MENTIONS"})
"""Edges from a root that are replaced with its tree; others (messages, evidence) stay."""

SEARCHABLE = tuple(label for label, node_type in NODE_TYPES.items() if node_type.searchable)
EMBEDDED = tuple(label for label, node_type in NODE_TYPES.items() if node_type.embedded)
