"""What others need to write a store or a model: contract suites, a reference model, a clock, a scripted model.

Needs the extra `testing` (pytest, hypothesis). Names are resolved when asked for, so that a test that
only wants the clock loads neither.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graphmem.testing.analyzers import AnalyzerContract
    from graphmem.testing.clock import FakeClock
    from graphmem.testing.embedders import EmbedderContract
    from graphmem.testing.language_models import LanguageModelContract
    from graphmem.testing.reference import ReferenceGraph
    from graphmem.testing.scripted_model import ScriptedModel
    from graphmem.testing.store import StoreContract, StoreSchemaContract

_HOMES = {
    "AnalyzerContract": "graphmem.testing.analyzers",
    "EmbedderContract": "graphmem.testing.embedders",
    "FakeClock": "graphmem.testing.clock",
    "LanguageModelContract": "graphmem.testing.language_models",
    "ReferenceGraph": "graphmem.testing.reference",
    "ScriptedModel": "graphmem.testing.scripted_model",
    "StoreContract": "graphmem.testing.store",
    "StoreSchemaContract": "graphmem.testing.store",
}

__all__ = [
    "AnalyzerContract",
    "EmbedderContract",
    "FakeClock",
    "LanguageModelContract",
    "ReferenceGraph",
    "ScriptedModel",
    "StoreContract",
    "StoreSchemaContract",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(home), name)
