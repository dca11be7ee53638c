"""What extraction found in a text, as claims and mentions."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from graphmem.consolidation.sources import LONGEST, episode_source, message_source
from graphmem.consolidation.statements import Statement, mentioned, statements_in
from graphmem.graph.mapping.claim import (
    ALIAS,
    ClaimEnd,
    ClaimWords,
    Evidence,
    claim_record,
    evidence_edge,
    to_claim,
    to_evidence,
)
from graphmem.graph.mapping.episode import episode_tree
from graphmem.graph.mapping.message import message_record
from graphmem.graph.records import NodeRef
from graphmem.graph.validation import check_edge, check_node
from graphmem.language.extraction import (
    EVENT,
    ConceptMention,
    ExtractedRelation,
    Extraction,
    Factuality,
    RejectedRelation,
)
from graphmem.models.concept import RelationType
from graphmem.models.episode import Cause, Episode, Step
from graphmem.models.message import Message

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def mention(name: str, start: int = 0, kind: str = "concept", aliases: tuple[str, ...] = ()) -> ConceptMention:
    return ConceptMention(name, name.casefold(), kind, start, start + len(name), aliases)


def relation(
    head: ConceptMention, tail: ConceptMention, confidence: float = 0.9, factuality: Factuality = "asserted"
) -> ExtractedRelation:
    return ExtractedRelation(head, RelationType.CAUSES, tail, "causes.test", confidence, "It is said.", factuality)


def said(*relations: ExtractedRelation, denied: tuple[ExtractedRelation, ...] = ()) -> Extraction:
    rejected = tuple(RejectedRelation(one, "the sentence denies it") for one in denied)
    return Extraction((), relations, rejected)


def words(statements: list[Statement]) -> list[tuple[str, str, str, bool]]:
    return [(one.words.head.key, one.words.relation, one.words.tail.key, one.against) for one in statements]


def test_a_claim_is_one_however_its_ends_are_written() -> None:
    ends = ClaimEnd("router", "concept", "Router"), ClaimEnd("device", "concept", "a Device")
    others = ClaimEnd("router", "concept", "the router"), ClaimEnd("device", "concept", "device")
    claim = ClaimWords(ends[0], "is_a", ends[1])
    assert claim.ref == ClaimWords(others[0], "is_a", others[1]).ref
    assert claim.ref != ClaimWords(ends[1], "is_a", ends[0]).ref
    assert claim.ref != ClaimWords(replace(ends[0], kind="event"), "is_a", ends[1]).ref
    node = claim_record(claim, NOON)
    check_node(node)
    assert to_claim(node) == claim


def test_evidence_comes_back_as_it_was() -> None:
    source = NodeRef("Episode", "e")
    for user, against in ((None, True), ("ada", False)):
        evidence = Evidence(source, "소음은 고장을 유발한다.", "rule", 0.8, against, "session:s", NOON, user)
        edge = evidence_edge(NodeRef("Claim", "c"), evidence, NOON)
        check_edge(edge)
        assert to_evidence(edge) == evidence


def test_the_last_word_of_a_text_counts_and_else_the_stronger_rule() -> None:
    early, late = (
        relation(mention("salt", start), mention("rust", start + 10), 0.5 + start / 100) for start in (0, 30)
    )
    assert [one.prior for one in statements_in([("", said(early, late))])] == [0.8]
    denied = relation(mention("salt", 50), mention("rust", 60), 0.6, "denied")
    assert words(statements_in([("", said(early, denied=(denied,)))])) == [("salt", "causes", "rust", True)]
    again = ("", said(relation(mention("salt"), mention("rust"))))
    assert words(statements_in([("", said(denied=(denied,))), again])) == [("salt", "causes", "rust", False)]


def test_what_is_denied_of_a_pronoun_or_only_supposed_says_nothing() -> None:
    of_it = relation(mention("it"), mention("rust"), factuality="denied")
    supposed = relation(mention("salt"), mention("rust"), factuality="supposed")
    assert statements_in([("", said(denied=(of_it, supposed)))]) == []


def test_names_that_no_key_holds_and_clauses_without_end_are_left_out() -> None:
    odd = (relation(mention("  "), mention("rust")), relation(mention("x" * 600), mention("rust")))
    assert statements_in([("", said(*odd, relation(mention("rust"), mention("Rust"))))]) == []


def test_an_event_that_is_a_finding_of_the_episode_is_that_finding() -> None:
    cause, effect = mention("disk full", kind=EVENT), mention("build failed", kind=EVENT)
    (statement,) = statements_in([("", said(relation(cause, effect)))], findings=["build failed"])
    assert (statement.words.head.kind, statement.words.tail.kind) == (EVENT, "finding")


def test_a_second_name_is_a_claim_with_the_words_around_it() -> None:
    text = "우리는 서울(Seoul)에 산다."
    place = text.index("서울")
    found = Extraction((mention("서울", place, aliases=("Seoul", "서울", " ")),))
    (statement,) = statements_in([(text, found)])
    assert words([statement]) == [("서울", ALIAS, "seoul", False)]
    assert statement.sentence == text


def test_a_mention_counts_once_a_text() -> None:
    found = Extraction((mention("서울"), mention("Seoul"), mention("seoul")))
    assert mentioned([("", found), ("", Extraction((mention("서울"),)))]) == {
        ("서울", "concept"): 2,
        ("seoul", "concept"): 1,
    }


def test_messages_of_users_and_assistants_are_read_as_chat() -> None:
    for role, texts in (("user", 1), ("assistant", 1), ("system", 0), ("tool", 0)):
        message = Message(id="m", text="x" * 30_000, at=NOON, role=role, session="s", user_id="ada")
        source = message_source(message_record(message, NOON))
        assert [len(text) for text in source.texts] == [LONGEST] * texts
        assert (source.genre, source.unit, source.user, source.at) == ("chat", "session:s", "ada", NOON)
    alone = message_source(message_record(Message(id="m", text="x", at=NOON), NOON))
    assert alone.unit == "message:m"


def test_an_episode_is_read_with_all_that_it_says() -> None:
    step = Step(action="restart_service", reasoning="It hung.", result="ok", errors=("Time out",), fixes=("Pool",))
    episode = Episode(
        id="e", goal="주문", steps=(step,), causes=(Cause(effect="Time out", cause="Queue"),), ended_at=NOON
    )
    tree = episode_tree(episode, NOON)
    source = episode_source(tree.root, [node for node in tree.nodes if node.label == "Step"])
    assert source.texts == ("주문", "It hung.", "ok", "Time out", "Pool", "Queue")
    assert (source.genre, source.unit, source.at) == ("prose", "episode:e", NOON)
    assert source.findings == ("time out", "pool", "queue")
    assert source.steps == (("restart service", NodeRef("Step", "e/0")),)
