"""Writes recalled items as a block for a prompt: pure.

Retrieved text is data. Each item is one line whatever it holds, so it can neither close the block nor
open another one, and no character of it is invisible.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from graphmem.ports.prompt_text import one_line, tokens_of, unmarked
from graphmem.recall.results import Recalled

HEADER = "=== MEMORY CONTEXT FOR RESPONSE ==="
STRATEGY = "default"
"""Hybrid recall over everything of the user: what is done where no routing rule applies."""


@dataclass(frozen=True, slots=True)
class ContextBlock:
    """A prompt block and what stands in it."""

    text: str
    """The block; "" when nothing was recalled or nothing fits."""
    strategy: str
    items: tuple[Recalled, ...]
    """The items in the block, best first."""


def context_block(items: Iterable[Recalled], budget: int) -> ContextBlock:
    """The block of the best items that fit.

    Args:
        items: Best first.
        budget: Tokens of the whole block at most, by `tokens_of`; whole items are dropped from the end.
    """
    head = [HEADER, f"STRATEGY: {STRATEGY.upper()} MEMORY"]
    spent = sum(tokens_of(line) + 1 for line in head)
    lines: list[str] = []
    kept: list[Recalled] = []
    for item in items:
        line = f"MEMORY: {unmarked(one_line(_dated(item)))}"
        spent += tokens_of(line) + 1
        if spent > budget:
            break
        lines.append(line)
        kept.append(item)
    return ContextBlock("\n".join([*head, *lines]) if kept else "", STRATEGY, tuple(kept))


def _dated(item: Recalled) -> str:
    return item.text if item.local_at is None else f"({item.local_at:%Y-%m-%d}) {item.text}"
