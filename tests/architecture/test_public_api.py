from __future__ import annotations

import graphmem

PROMISED = {
    "open",
    "GraphMemory",
    "Settings",
    *("Episode", "Step", "Cause", "EpisodeState", "Outcome", "OutcomeChange"),
    *("Message", "Session", "Concept", "Relation", "RelationType", "Procedure", "Pattern"),
    *("Fact", "Preference", "Lesson", "Correction", "Validation", "DomainKnowledge", "WorkingMemory"),
    *("Recalled", "RecallResult", "RecallRecipe"),
    *("GraphMemError", "SettingsError", "RecordingError", "InvalidInputError", "NotFoundError"),
    *(
        "StoreError",
        "StoreUnavailableError",
        "StoreMissingError",
        "SchemaError",
        "StatementError",
        "ConflictError",
    ),
    *("ModelError", "ModelUnavailableError", "EmbeddingError", "ReplyError", "TransferError"),
}


def test_the_public_names_are_these_and_no_others() -> None:
    assert set(graphmem.__all__) == PROMISED
    assert len(graphmem.__all__) == len(PROMISED)


def test_every_public_name_can_be_had_and_is_documented() -> None:
    for name in graphmem.__all__:
        assert getattr(graphmem, name).__doc__, name
    assert set(graphmem.__all__) <= set(dir(graphmem))


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    assert not hasattr(graphmem, "Nonsense")


def test_the_facade_offers_what_is_documented() -> None:
    verbs = {"remember", "recall", "context", "consolidate", "forget", "query", "close"}
    assert verbs <= {name for name in dir(graphmem.GraphMemory) if not name.startswith("_")}
