"""Counts what a language model was asked and what it cost; limits are kept by `graphmem.llm.budgeted`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from graphmem.ports.language_model import LanguageModel


@dataclass(frozen=True, slots=True)
class Usage:
    """Calls made and tokens spent, each 0 or more."""

    calls: int = 0
    """Requests, further attempts and those that failed included; answers from a cache are none."""
    input_tokens: int = 0
    output_tokens: int = 0

    @property
    def tokens(self) -> int:
        """Both together."""
        return self.input_tokens + self.output_tokens

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.calls + other.calls,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
        )

    def __sub__(self, other: Usage) -> Usage:
        return Usage(
            self.calls - other.calls,
            self.input_tokens - other.input_tokens,
            self.output_tokens - other.output_tokens,
        )


@runtime_checkable
class Metered(Protocol):
    """A model, or a wrapper of one, that counts."""

    @property
    def used(self) -> Usage:
        """Since it was made."""
        ...


def usage_of(model: LanguageModel | None) -> Usage:
    """What a model has used since it was made; nothing for none, and for one that does not count.

    A workflow takes it before and after, and reports the difference.
    """
    return model.used if isinstance(model, Metered) else Usage()
