"""What recall answers: items with their score and why they are there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from graphmem.graph.records import NodeRecord
from graphmem.graph.texts import embedding_text
from graphmem.models.offsets import in_offset


@dataclass(frozen=True, slots=True)
class Signal:
    """One reason why an item was recalled."""

    name: str
    """lexical or similarity."""
    score: float
    """lexical: BM25, 0 or more. similarity: 0 to 1 on the scale all embedders share."""
    share: float
    """What it gave to the item's score, 0 to 1."""
    words: str
    """The same in words."""

    def __str__(self) -> str:
        return f"{self.words} ({self.name} {self.score:.2f}, gave {self.share:.2f})"


@dataclass(frozen=True, slots=True)
class Recalled:
    """One remembered item."""

    id: str
    kind: str
    """message, episode, concept, procedure, pattern, or a kind of memory."""
    text: str
    score: float
    """0 to 1 within this answer: not comparable between queries."""
    why: tuple[Signal, ...]
    """The signals behind the score; their shares sum up to it."""
    at: datetime | None
    """When it was said, began or was last seen; None when that is not known."""
    utc_offset: int | None = None
    """Minutes east of UTC of that time as it was given; None: UTC, or not known."""

    @property
    def local_at(self) -> datetime | None:
        """`at` in the offset that it was given with."""
        return None if self.at is None else in_offset(self.at, self.utc_offset)

    def explain(self) -> str:
        """The reasons in one line."""
        return "; ".join(map(str, self.why))


@dataclass(frozen=True, slots=True)
class RecallResult:
    """What was recalled, best first; false when it is nothing."""

    items: tuple[Recalled, ...]
    recipe: str
    """Name of the recipe that ranked."""
    weights: tuple[float, float]
    """Weights of words and likeness for this query, by its script."""

    def __iter__(self) -> Iterator[Recalled]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    def __getitem__(self, index: int) -> Recalled:
        return self.items[index]

    def explain(self) -> str:
        """A line an item: place, score, kind, id and reasons."""
        head = f"recipe {self.recipe}: words {self.weights[0]:.2f}, likeness {self.weights[1]:.2f}"
        lines = [
            f"{place}. {item.score:.2f} {item.kind} {item.id}: {item.explain()}"
            for place, item in enumerate(self.items, 1)
        ]
        return "\n".join((head, *lines))


def kind_of(record: NodeRecord) -> str:
    """What recall calls a node."""
    return str(record.properties["kind"]) if record.label == "Memory" else record.label.lower()


def text_of(record: NodeRecord) -> str:
    """The text of a node as a reader wants it."""
    if record.label == "Message":
        return str(record.properties.get("text", ""))
    return embedding_text(record.label, record.properties)


_TIMES = {"Message": "at", "Episode": "started_at", "Memory": "at", "Pattern": "last_seen"}


def time_of(record: NodeRecord) -> datetime | None:
    """When what a node holds happened or was said."""
    value = record.properties.get(_TIMES.get(record.label, ""))
    return value if isinstance(value, datetime) else None


def offset_of(record: NodeRecord) -> int | None:
    """Minutes east of UTC of that time as it was given."""
    value = record.properties.get("utc_offset")
    return value if isinstance(value, int) else None
