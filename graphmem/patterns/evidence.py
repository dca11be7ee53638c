"""The Cypher query that proves a motif: run on the store it was mined from, it returns its episodes.

The one place where query text is put together in Python, since a motif is a query. Labels and
relationship types come from the closed schema, every value is a parameter. Runs unchanged on Neo4j 5
and later.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple, assert_never

from graphmem.graph.masking import NUMBER, numbered_pattern
from graphmem.models.concept import DEFAULT_CONCEPT_KIND
from graphmem.models.pattern import NodeKind
from graphmem.patterns.motifs import Motif, MotifNode
from graphmem.patterns.scope import MiningScope, read_scope


class EvidenceQuery(NamedTuple):
    """A read-only query with its parameters."""

    text: str
    parameters: dict[str, str]


def evidence_query(motif: Motif, *, tenant: str) -> EvidenceQuery:
    """Write the query that returns the ids of exactly the episodes a motif occurs in.

    Steps and findings are bound to the episode, since one reached through a shared tool may belong to
    another; nodes of one label are pairwise different, since Cypher keeps only relationships apart.
    An is_a path stands in a condition of its own: within the MATCH, two paths could not share a
    relationship, and two leaves below one ancestor do. Homonyms are told apart as in mining.

    Args:
        motif: as mined; the episodes are those of the mining run's moment.
        tenant: the tenant it was mined in.

    Returns:
        Text and parameters; the column is `episode`, in ascending order.
    """
    names = [_variable(node.kind, place) for place, node in enumerate(motif.nodes)]
    limits = read_scope(motif.scope)
    scope = "".join(f", {name}: ${name}" for name in ("domain", "task") if getattr(limits, name) is not None)
    paths = [
        f"(e:Episode {{tenant: $tenant, state: 'closed'{scope}}})",
        *(_node(node, names[place], place) for place, node in enumerate(motif.nodes)),
        *(f"({names[source]})-[:{edge_type}]->({names[target]})" for source, target, edge_type in motif.edges),
    ]
    conditions = [*_window(limits), *_differences(names), *_ancestors(motif, names)]
    lines = ["CYPHER 5", "MATCH " + ",\n      ".join(paths)]
    if conditions:
        lines.append("WHERE " + "\n  AND ".join(conditions))
    lines += ["RETURN DISTINCT e.id AS episode", "ORDER BY episode"]
    return EvidenceQuery("\n".join(lines), _parameters(motif, tenant))


def _window(limits: MiningScope) -> Iterator[str]:
    if limits.since is not None:
        yield "e.started_at >= datetime($since)"
    if limits.until is not None:
        yield "e.started_at <= datetime($until)"


def _variable(kind: NodeKind, place: int) -> str:
    match kind:
        case "action":
            return f"s{place}"
        case "symptom" | "cause":
            return f"f{place}"
        case "tool":
            return f"t{place}"
        case "concept":
            return f"c{place}"
        case _:
            assert_never(kind)


def _node(node: MotifNode, name: str, place: int) -> str:
    key = "" if node.generalised else f"key: $key{place}"
    match node.kind:
        case "action":
            return f"(e)-[:HAS_STEP]->({name}:Step{_properties(key)})"
        case "symptom" | "cause":
            return f"(e)-[:HAS_FINDING]->({name}:Finding{_properties(f'kind: $kind{place}', key)})"
        case "tool":
            return f"({name}:Tool{_properties('tenant: $tenant', key)})"
        case "concept":
            return f"({name}:Concept{_properties('tenant: $tenant', key)})"
        case _:
            assert_never(node.kind)


def _properties(*pairs: str) -> str:
    given = ", ".join(pair for pair in pairs if pair)
    return f" {{{given}}}" if given else ""


def _differences(names: list[str]) -> Iterator[str]:
    """Nodes of one label are pairwise different; symptoms and causes are both findings."""
    labels = [name[0] for name in names]
    for one, other in combinations(range(len(names)), 2):
        if labels[one] == labels[other]:
            yield f"{names[one]} <> {names[other]}"


def _ancestors(motif: Motif, names: list[str]) -> Iterator[str]:
    """A generalised node has the key itself, or the concept that its own key means is one that the key means.

    What names share that differ in their numbers is no concept: their keys are compared with it.
    """
    for place, node in enumerate(motif.nodes):
        if node.generalised and NUMBER in node.key:
            yield f"{names[place]}.key =~ $key{place}"
        elif node.generalised:
            yield f"({names[place]}.key = $key{place} OR {_is_a(names[place], place)})"


def _is_a(name: str, place: int) -> str:
    """The rule of `graphmem.patterns.meanings`, from one key up to another one."""
    low, high, other = f"low{place}", f"high{place}", f"other{place}"
    plain = f"kind: '{DEFAULT_CONCEPT_KIND}'"
    return (
        "EXISTS {\n"
        f"    MATCH ({low}:Concept {{tenant: $tenant, key: coalesce({name}.concept_key, {name}.key)}})"
        f"-[:IS_A*1..]->({high}:Concept {{tenant: $tenant, key: $key{place}}})\n"
        f"    WHERE ({low}.kind = '{DEFAULT_CONCEPT_KIND}'\n"
        f"      OR NOT EXISTS {{ (:Concept {{tenant: $tenant, key: {low}.key, {plain}}})-[:IS_A]-() }})\n"
        f"    AND ({high}.kind = '{DEFAULT_CONCEPT_KIND}' OR NOT EXISTS {{\n"
        f"      MATCH ({other}:Concept {{tenant: $tenant, key: {high}.key}})-[:IS_A]-()\n"
        f"      WHERE {other} <> {high} }})\n"
        "  }"
    )


def _parameters(motif: Motif, tenant: str) -> dict[str, str]:
    limits = read_scope(motif.scope)
    given = {"tenant": tenant, "domain": limits.domain, "task": limits.task}
    parameters = {name: value for name, value in given.items() if value is not None}
    for name, moment in (("since", limits.since), ("until", limits.until)):
        if moment is not None:
            parameters[name] = moment.isoformat()
    for place, node in enumerate(motif.nodes):
        is_numbered = node.generalised and NUMBER in node.key
        parameters[f"key{place}"] = numbered_pattern(node.key) if is_numbered else node.key
        if node.kind in {"symptom", "cause"}:
            parameters[f"kind{place}"] = node.kind
    return parameters
