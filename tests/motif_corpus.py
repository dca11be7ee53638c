"""Synthetic episodes with planted motifs, for the tests and the benchmark of mining.

Random walks over actions with tools, concepts and findings, and in a share of the episodes one motif
of a shape that is easy to get wrong: causes that converge, parallel steps that join, two generalised
nodes, equal labels, Korean labels. Every label of a motif occurs elsewhere as well.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise

from graphmem.models.pattern import EdgeType, NodeKind
from graphmem.patterns.graphs import EpisodeGraph, GraphEdge, GraphNode, Taxonomy

Label = tuple[NodeKind, str]

ACTIONS = [f"action {number}" for number in range(36)]
TOOLS = [f"tool {number}" for number in range(12)]
SYMPTOMS = [f"symptom {number}" for number in range(14)]
CAUSES = [f"cause {number}" for number in range(12)]
FAMILIES = {
    "fruit": ["apple", "pear", "plum", "fig", "quince", "medlar", "배", "감"],
    "metal": ["iron", "tin", "zinc", "lead", "nickel", "copper", "구리", "은"],
    "stone": ["slate", "chalk", "flint", "marble", "basalt", "gneiss"],
    "cloth": ["linen", "wool", "felt", "silk", "denim", "tweed"],
    "grain": ["rye", "oats", "spelt", "millet", "barley", "rice"],
}
LEAVES = [leaf for leaves in FAMILIES.values() for leaf in leaves]
TAXONOMY = Taxonomy(
    {
        **{leaf: (family,) for family, leaves in FAMILIES.items() for leaf in leaves},
        "fruit": ("food", "plant"),
        "grain": ("food", "plant"),
        "metal": ("material",),
        "stone": ("material",),
        "cloth": ("material",),
    },
    {"food": "Food", "plant": "Plant", "material": "Material"},
)
"""Two levels above the leaves, two parents for some."""

MISSES = ["partial", "failure", "failure"]

FIRST_DAY = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Planted:
    """A motif and how often it is planted."""

    nodes: tuple[Label, ...]
    edges: tuple[tuple[int, int, EdgeType], ...]
    share: float
    success: float
    """Probability that an episode that holds it succeeds."""


PLANTED = {
    "converging causes": Planted(
        (("symptom", "blank page"), ("symptom", "slow page"), ("cause", "full disk"), ("action", "free space")),
        ((0, 2, "CAUSED_BY"), (1, 2, "CAUSED_BY"), (3, 2, "FIXED")),
        0.025,
        0.9,
    ),
    "parallel steps that join": Planted(
        (("action", "split"), ("action", "left half"), ("action", "right half"), ("action", "join")),
        ((0, 1, "NEXT"), (0, 2, "NEXT"), (1, 3, "NEXT"), (2, 3, "NEXT")),
        0.025,
        0.9,
    ),
    "two generalised nodes": Planted(
        (("action", "weigh"), ("action", "pack"), ("concept", "fruit"), ("concept", "metal")),
        ((0, 1, "NEXT"), (0, 2, "ABOUT"), (1, 3, "ABOUT")),
        0.025,
        0.85,
    ),
    "equal labels": Planted(
        (("action", "retry"), ("action", "retry"), ("action", "retry"), ("symptom", "quota")),
        ((0, 1, "NEXT"), (1, 2, "NEXT"), (2, 3, "RAISED")),
        0.025,
        0.1,
    ),
    "Korean labels": Planted(
        (("action", "환불 요청"), ("action", "본인 확인"), ("tool", "고객 조회"), ("symptom", "이름이 다름")),
        ((0, 1, "NEXT"), (1, 2, "USED"), (1, 3, "RAISED")),
        0.025,
        0.2,
    ),
}


def corpus(episodes: int, seed: int = 11, *, plant: bool = True) -> list[EpisodeGraph]:
    """Make episodes; the same seed gives the same ones."""
    rng = random.Random(seed)
    return [_Writer(rng).write(number, plant=plant) for number in range(episodes)]


class _Writer:
    """Writes one episode."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.nodes: list[GraphNode] = []
        self.edges: list[GraphEdge] = []
        self.shared: dict[Label, int] = {}

    def write(self, number: int, *, plant: bool) -> EpisodeGraph:
        name = self._pick_motif() if plant else None
        motif = PLANTED[name] if name else None
        before = self._walk(1, 3)
        placed = self._plant(motif) if motif else []
        after = self._walk(1, 3)
        if placed:
            self._edge(before[-1], placed[0], "NEXT")
            self._edge(placed[-1], after[0], "NEXT")
        else:
            self._edge(before[-1], after[0], "NEXT")
        for _ in range(self.rng.randint(3, 7)):
            self._decorate(before + placed + after)
        success = motif.success if motif else 0.55
        return EpisodeGraph(
            episode=f"e{number:07d}",
            nodes=tuple(self.nodes),
            edges=tuple(self.edges),
            outcome="success"
            if self.rng.random() < success
            else self.rng.choice(["partial", "failure", "failure"]),
            domain=self.rng.choice(["coding", "support", "data"]),
            unit=f"task:{number // 2}",
            started_at=FIRST_DAY + timedelta(minutes=number),
            steps=sum(node.kind == "action" for node in self.nodes),
        )

    def _pick_motif(self) -> str | None:
        draw = self.rng.random()
        for name, motif in PLANTED.items():
            draw -= motif.share
            if draw < 0:
                return name
        return None

    def _plant(self, motif: Planted) -> list[int]:
        """Add the motif, its generalised nodes as one of their leaves; return its steps."""
        places = [
            self._node((kind, self.rng.choice(FAMILIES[key]) if key in FAMILIES else key))
            for kind, key in motif.nodes
        ]
        for source, target, edge_type in motif.edges:
            self._edge(places[source], places[target], edge_type)
        return [place for place in places if self.nodes[place].kind == "action"]

    def _walk(self, shortest: int, longest: int) -> list[int]:
        planted = [key for motif in PLANTED.values() for kind, key in motif.nodes if kind == "action"]
        steps = []
        for _ in range(self.rng.randint(shortest, longest)):
            keys = planted if self.rng.random() < 0.1 else ACTIONS
            steps.append(self._node(("action", self._skewed(keys))))
        for one, other in pairwise(steps):
            self._edge(one, other, "NEXT")
        return steps

    def _decorate(self, steps: list[int]) -> None:
        step = self.rng.choice(steps)
        draw = self.rng.random()
        if draw < 0.35:
            self._edge(step, self._shared(("tool", self._skewed([*TOOLS, "고객 조회"]))), "USED")
        elif draw < 0.75:
            self._edge(step, self._shared(("concept", self.rng.choice(LEAVES))), "ABOUT")
        else:
            symptom = self._shared(
                ("symptom", self._skewed([*SYMPTOMS, "quota", "blank page", "slow page", "이름이 다름"]))
            )
            self._edge(step, symptom, "RAISED")
            if self.rng.random() < 0.5:
                cause = self._shared(("cause", self._skewed([*CAUSES, "full disk"])))
                self._edge(symptom, cause, "CAUSED_BY")
                if self.rng.random() < 0.5:
                    self._edge(self.rng.choice(steps), cause, "FIXED")

    def _shared(self, label: Label) -> int:
        if label not in self.shared:
            self.shared[label] = self._node(label)
        return self.shared[label]

    def _node(self, label: Label) -> int:
        kind, key = label
        self.nodes.append(GraphNode(kind, key, key.capitalize()))
        return len(self.nodes) - 1

    def _edge(self, source: int, target: int, edge_type: EdgeType) -> None:
        edge = GraphEdge(source, target, edge_type)
        if edge not in self.edges:
            self.edges.append(edge)

    def _skewed(self, keys: list[str]) -> str:
        """Choose with falling weights, the last the rarest."""
        return self.rng.choices(keys, [1 / (place + 3) for place in range(len(keys))])[0]
