"""Hides labels that few users share, so that a report can be shown to others.

A label is hidden wherever it stands: in nodes, titles, contrasts, recommendations, evidence queries and
headings. Ids stay, those of patterns and of the evidence: they are how a figure is checked, and say
something only to who can read the store.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from graphmem.graph.mapping.pattern import to_pattern
from graphmem.graph.records import NodeRef
from graphmem.models.pattern import Contrast, NodeKind, Pattern, PatternNode
from graphmem.patterns.advice import recommendation
from graphmem.patterns.graphs import GraphEdge
from graphmem.patterns.reading import read_corpus
from graphmem.patterns.titles import motif_title
from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.prompt_text import Language
from graphmem.reports.patterns.wording import WORDS


@dataclass(frozen=True, slots=True)
class Hidden:
    """Knows how many users a label and a domain have, and what to show instead where they are too few."""

    graph: TenantGraph
    min_users: int
    labels: dict[tuple[str, str], int]
    """Kind and key -> users."""
    domains: dict[str, int]
    mark_template: str
    """What stands in the place of a hidden label, with a place for the number of users."""

    @property
    def mark(self) -> str:
        """What stands in the place of a hidden label."""
        return self.mark_template.format(self.min_users)

    def domain(self, name: str) -> str:
        """The domain, or the mark."""
        return name if self.domains.get(name, 0) >= self.min_users else self.mark

    def limits(self, limits: dict[str, str]) -> dict[str, str]:
        """What a run was limited to, without the names of tasks and of domains of few users."""
        shown = dict(limits)
        if "domain" in shown:
            shown["domain"] = self.domain(shown["domain"])
        if "task" in shown:
            shown["task"] = self.mark
        return shown

    def pattern(self, pattern: Pattern) -> Pattern:
        """The pattern with the mark wherever a hidden label stood; the same one where none did."""
        nodes = tuple(map(self._node, pattern.nodes))
        domain = self.domain(pattern.domain) if pattern.domain is not None else None
        scope = self.domain(pattern.scope) if pattern.scope is not None else None
        contrast = self._contrast(pattern.contrast) if pattern.contrast else None
        before = (pattern.nodes, pattern.domain, pattern.scope, pattern.contrast)
        if (nodes, domain, scope, contrast) == before:
            return pattern
        changed = pattern.model_copy(
            update={
                "nodes": nodes,
                "title": _title(pattern, nodes),
                "domain": domain,
                "scope": scope,
                "contrast": contrast,
                "cypher": None,
                "cypher_parameters": {},
            }
        )
        return changed.model_copy(update={"recommendation": recommendation(changed)})

    def _node(self, node: PatternNode) -> PatternNode:
        if self.labels.get((_kind(node.kind), node.key), 0) >= self.min_users:
            return node
        return node.model_copy(update={"label": self.mark, "key": self.mark})

    def _contrast(self, contrast: Contrast) -> Contrast:
        ref = NodeRef("Pattern", contrast.pattern)
        stored = self.graph.get([ref])
        if ref not in stored:
            return contrast.model_copy(update={"title": self.mark})
        other = to_pattern(stored[ref])
        return contrast.model_copy(update={"title": _title(other, tuple(map(self._node, other.nodes)))})


def hidden_labels(graph: TenantGraph, min_users: int, language: Language) -> Hidden:
    """Count the users of every label and domain of a tenant's closed episodes.

    A label is used where it or something that is one occurs. An episode whose user is unknown counts as
    of nobody.
    """
    corpus = read_corpus(graph)
    labels: dict[tuple[str, str], set[str]] = defaultdict(set)
    domains: dict[str, set[str]] = defaultdict(set)
    above: dict[str, frozenset[str]] = {}
    for mined in corpus.episodes:
        user = mined.graph.user_id
        if user is None:
            continue
        if mined.graph.domain is not None:
            domains[mined.graph.domain].add(user)
        for kind, key in {(_kind(node.kind), node.key) for node in mined.graph.nodes}:
            if key not in above:
                above[key] = corpus.taxonomy.ancestors(key)
            for name in (key, *above[key]):
                labels[kind, name].add(user)
    return Hidden(
        graph,
        min_users,
        {label: len(users) for label, users in labels.items()},
        {name: len(users) for name, users in domains.items()},
        WORDS[language].whole.hidden,
    )


def _kind(kind: NodeKind) -> str:
    """A finding may be a symptom in one episode and a cause in another: the label is the same."""
    return "finding" if kind in ("symptom", "cause") else kind


def _title(pattern: Pattern, nodes: tuple[PatternNode, ...]) -> str:
    if nodes == pattern.nodes:
        return pattern.title
    return motif_title(nodes, [GraphEdge(*edge) for edge in pattern.edges])
