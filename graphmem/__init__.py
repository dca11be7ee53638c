"""A knowledge-graph memory for software agents: episodes, concepts and the patterns across runs.

::

    import graphmem

    with graphmem.open("memory.db") as memory:
        memory.remember("Ada prefers e-mail", kind="preference")
        print(memory.context("How do I reach Ada?"))

Names load when they are first used, so importing the package is cheap.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graphmem.bootstrap import open_memory as open  # noqa: A004 (the documented name)
    from graphmem.errors import (
        ConflictError,
        EmbeddingError,
        GraphMemError,
        InvalidInputError,
        ModelError,
        ModelUnavailableError,
        NotFoundError,
        RecordingError,
        ReplyError,
        SchemaError,
        SettingsError,
        StatementError,
        StoreError,
        StoreMissingError,
        StoreUnavailableError,
        TransferError,
    )
    from graphmem.memory import GraphMemory
    from graphmem.models.concept import Concept, Relation, RelationType
    from graphmem.models.episode import Cause, Episode, EpisodeState, Outcome, OutcomeChange, Step
    from graphmem.models.memories import (
        Correction,
        DomainKnowledge,
        Fact,
        Lesson,
        Preference,
        Validation,
        WorkingMemory,
    )
    from graphmem.models.message import Message, Session
    from graphmem.models.pattern import Pattern
    from graphmem.models.procedure import Procedure
    from graphmem.recall.recipes import RecallRecipe
    from graphmem.recall.results import Recalled, RecallResult
    from graphmem.settings import Settings

_HOMES = {
    "graphmem.errors": (
        *("GraphMemError", "SettingsError", "RecordingError", "InvalidInputError", "NotFoundError"),
        *("StoreError", "StoreUnavailableError", "StoreMissingError", "SchemaError", "StatementError"),
        "ConflictError",
        *("ModelError", "ModelUnavailableError", "EmbeddingError", "ReplyError", "TransferError"),
    ),
    "graphmem.memory": ("GraphMemory",),
    "graphmem.models.concept": ("Concept", "Relation", "RelationType"),
    "graphmem.models.episode": ("Cause", "Episode", "EpisodeState", "Outcome", "OutcomeChange", "Step"),
    "graphmem.models.memories": (
        *("Fact", "Preference", "Lesson", "Correction", "Validation", "DomainKnowledge", "WorkingMemory"),
    ),
    "graphmem.models.message": ("Message", "Session"),
    "graphmem.models.pattern": ("Pattern",),
    "graphmem.models.procedure": ("Procedure",),
    "graphmem.recall.recipes": ("RecallRecipe",),
    "graphmem.recall.results": ("Recalled", "RecallResult"),
    "graphmem.settings": ("Settings",),
}
_MODULES = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "Cause",
    "Concept",
    "ConflictError",
    "Correction",
    "DomainKnowledge",
    "EmbeddingError",
    "Episode",
    "EpisodeState",
    "Fact",
    "GraphMemError",
    "GraphMemory",
    "InvalidInputError",
    "Lesson",
    "Message",
    "ModelError",
    "ModelUnavailableError",
    "NotFoundError",
    "Outcome",
    "OutcomeChange",
    "Pattern",
    "Preference",
    "Procedure",
    "RecallRecipe",
    "RecallResult",
    "Recalled",
    "RecordingError",
    "Relation",
    "RelationType",
    "ReplyError",
    "SchemaError",
    "Session",
    "Settings",
    "SettingsError",
    "StatementError",
    "Step",
    "StoreError",
    "StoreMissingError",
    "StoreUnavailableError",
    "TransferError",
    "Validation",
    "WorkingMemory",
    "open",
]


def __getattr__(name: str) -> Any:
    if name == "open":
        value = import_module("graphmem.bootstrap").open_memory
    elif name in _MODULES:
        value = getattr(import_module(_MODULES[name]), name)
    else:
        raise AttributeError(f"module 'graphmem' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
