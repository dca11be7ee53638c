"""The pattern report over a store: claims by domain, failures covered, stale runs, hidden labels, texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from graphmem.concepts.service import ConceptsService
from graphmem.episodes.service import EpisodesService
from graphmem.errors import InvalidInputError
from graphmem.graph.mapping.pattern import pattern_edges, pattern_record
from graphmem.graph.records import Equals
from graphmem.models.episode import Episode, Outcome, Step
from graphmem.models.pattern import Contrast, Pattern, PatternNode
from graphmem.patterns.advice import recommendation
from graphmem.patterns.graphs import GraphEdge
from graphmem.patterns.service import PatternsService
from graphmem.patterns.titles import motif_title
from graphmem.reports.pattern_report import pattern_report
from graphmem.reports.patterns.corpus import widest_run
from graphmem.reports.patterns.values import PatternReport
from graphmem.reports.patterns.wording import WORDS
from reported import claimed, pattern
from workspaces import Desk, desk


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Desk]:
    made = desk(tmp_path)
    yield made
    made.store.close()


def keep(office: Desk, *patterns: Pattern) -> None:
    """Store patterns as if a run had found them."""
    workspace = office.workspace()
    now = workspace.now()
    with workspace.graph.transaction() as tx:
        tx.save_nodes([pattern_record(one, now) for one in patterns])
        for one in patterns:
            roles = {episode: {"0": f"{episode}/0"} for episode in one.episodes}
            tx.save_edges(pattern_edges(one, roles, now))


def record(
    office: Desk, name: str, outcome: str, *actions: str, domain: str | None = "쇼핑몰", **fields: Any
) -> None:
    user = fields.pop("user", None)
    steps = tuple(Step(action=action, tools=("주문API",), result=f"{action} 결과") for action in actions)
    EpisodesService(office.workspace(user=user)).add(
        Episode(id=name, goal=f"목표 {name}", outcome=Outcome(outcome), domain=domain, steps=steps, **fields)
    )


def reported(office: Desk, patterns: Sequence[Pattern], **asked: Any) -> PatternReport:
    return pattern_report(office.workspace().graph, patterns, **asked)


def test_claims_come_first_and_each_domain_has_its_own_section(office: Desk) -> None:
    record(office, "a", "success", "조회")
    found = [
        pattern("c", "a", tier="recurrent", domain="쇼핑몰"),
        claimed("n", "bcd", polarity="negative", domain=None),
        claimed("n2", "efg", polarity="negative"),
        claimed("p", "hij", domain="support"),
    ]
    made = reported(office, found)
    assert [(section.claim, section.domain) for section in made.sections] == [
        ("success", "support"),
        ("failure", "쇼핑몰"),
        ("failure", WORDS["en"].whole.several_domains),
        ("none", "쇼핑몰"),
    ]
    assert made.claims == {"none": 1, "failure": 2, "success": 1}
    assert made.notes == ()
    assert reported(office, [pattern()]).notes == (WORDS["en"].whole.candidates_only,)


def test_a_pattern_without_a_claim_is_folded_under_one_that_has_one(office: Desk) -> None:
    record(office, "a", "success", "조회")
    plain = pattern("plain", "abcde", tier="recurrent", domain="쇼핑몰")
    [section] = reported(office, [plain, claimed("claims", "abcde")]).sections
    assert [entry.pattern.title for entry in section.entries] == ["claims"]
    assert [folded.title for folded in section.entries[0].family] == ["plain"]


def test_what_is_not_shown_is_counted(office: Desk) -> None:
    record(office, "a", "success", "조회")
    found = [claimed(name, name) for name in "abcdef"]
    [section] = reported(office, found, most=2).sections
    assert (len(section.entries), section.left_out, section.patterns) == (2, 4, 6)


def test_coverage_counts_the_failures_that_a_significant_negative_pattern_holds(office: Desk) -> None:
    for name in "abcd":
        record(office, name, "failure", "조회")
    record(office, "e", "success", "조회")
    record(office, "other", "failure", "조회", domain="support")
    negative = claimed("n", "ab", polarity="negative")
    late = claimed("late", "bc", polarity="negative", late=True)
    keep(office, negative, late, claimed("p", "d"), pattern("r", "d", tier="recurrent"))
    covered = reported(office, [negative], scope=Equals("domain", "쇼핑몰")).coverage
    assert (covered.failures, covered.covered, covered.only_late) == (4, 3, 1)
    assert [(failed.id, failed.goal) for failed in covered.uncovered] == [("d", None)]
    whole = reported(office, [], with_text=True).coverage
    assert [(failed.id, failed.goal) for failed in whole.uncovered] == [("d", "목표 d"), ("other", "목표 other")]
    assert whole.failures == 5


def test_a_report_is_stale_once_an_episode_was_added_after_the_run(office: Desk) -> None:
    for name in "abc":
        record(office, name, "success", "조회", "환불")
    service = PatternsService(office.workspace())
    office.clock.advance(minutes=1)
    service.mine()
    fresh = reported(office, service.list().items, run=service.last_run()).mining
    assert fresh is not None
    assert (fresh.stale, fresh.look, fresh.episodes, fresh.permutations, fresh.seed) == (False, 1, 3, 1000, 0)
    office.clock.advance(minutes=1)
    record(office, "d", "success", "조회")
    later = reported(office, service.list().items, run=service.last_run()).mining
    assert later is not None
    assert later.stale


def test_labels_and_domains_of_fewer_users_are_hidden_wherever_they_stand(office: Desk) -> None:
    for name, user in (("a", "ada"), ("b", "ben"), ("c", "ben"), ("d", None)):
        secret = ("비밀 작업",) if name in "cd" else ()
        domain = "쇼핑몰" if name in "ab" else "비밀 부서"
        record(office, name, "success", "조회", *secret, user=user, domain=domain)
    nodes = tuple(PatternNode(label=name, kind="action", key=name) for name in ("조회", "비밀 작업"))
    other = pattern("조회 → 비밀 작업", "cd", nodes=nodes)
    keep(office, other)
    bad = claimed(
        "조회 → 비밀 작업",
        "cd",
        polarity="negative",
        nodes=nodes,
        domain="비밀 부서",
        contrast=Contrast(pattern=other.id, title=other.title),
        recommendation="avoid 비밀 작업",
        cypher="MATCH",
        cypher_parameters={"a1": "비밀 작업"},
    )
    common = claimed("조회", "ab", nodes=nodes[:1], edges=(), recommendation="Went with success: try 조회.")
    made = reported(office, [bad, common], min_users=2)
    assert "비밀" not in str(made.to_dict())
    [kept, hidden] = made.sections
    assert kept.entries[0].pattern == common
    assert hidden.domain == "[hidden: fewer than 2 users]"
    shown = hidden.entries[0].pattern
    assert shown.title == "조회 → [hidden: fewer than 2 users]"
    assert "[hidden: fewer than 2 users]" in (shown.recommendation or "")
    assert shown.episodes == ("c", "d")
    assert "비밀 작업" in str(reported(office, [bad], min_users=1).to_dict())


def test_an_ancestor_is_of_the_users_of_all_that_is_one(office: Desk) -> None:
    record(office, "a", "success", "카드 결제", user="ada")
    record(office, "b", "success", "현금 결제", user="ben")
    for name in ("카드 결제", "현금 결제"):
        ConceptsService(office.workspace()).relate(name, "is_a", "결제")
    node = PatternNode(label="결제", kind="action", key="결제", generalised=True)
    found = claimed("any 결제", "ab", nodes=(node,), edges=())
    [section] = reported(office, [found], min_users=2).sections
    assert section.entries[0].pattern.title == "any 결제"


def test_texts_are_shown_only_when_asked_for_and_never_with_hidden_labels(office: Desk) -> None:
    for name in "abc":
        record(office, name, "success", "조회", "환불")
    found = claimed("조회 → 환불", "abc")
    keep(office, found)
    assert "결과" not in str(reported(office, [found]).to_dict())
    [section] = reported(office, [found], with_text=True).sections
    [first, second] = section.entries[0].examples
    assert (first.episode, first.goal, second.episode) == ("a", "목표 a", "b")
    assert [(step.action, step.text) for step in first.steps] == [("조회", "조회 결과")]
    with pytest.raises(InvalidInputError, match="least number of users"):
        reported(office, [found], with_text=True, min_users=2)


def test_a_later_run_over_one_domain_leaves_the_figures_of_the_whole(office: Desk) -> None:
    for name in "abc":
        record(office, name, "success", "조회", "환불")
    graph, service = office.workspace().graph, PatternsService(office.workspace())
    assert widest_run(graph) is None
    office.clock.advance(minutes=1)
    service.mine(domain="쇼핑몰")
    limited = widest_run(graph)
    office.clock.advance(minutes=1)
    whole = service.mine()
    office.clock.advance(minutes=1)
    service.mine(domain="쇼핑몰")
    found = widest_run(graph)
    assert found is not None
    assert found.id == whole.run
    assert limited is not None
    told = reported(office, service.list().items, run=limited).mining
    assert told is not None
    assert (told.limits, told.stale) == ({"domain": "쇼핑몰"}, False)
    [section] = reported(office, service.list().items).sections
    titles = [one.title for entry in section.entries for one in entry.family]
    assert len(titles) == len(set(titles))


def stored_advice(one: Pattern) -> Pattern:
    """The pattern as mining stores it, its title and recommendation said by the templates."""
    titled = one.model_copy(update={"title": motif_title(one.nodes, [GraphEdge(*edge) for edge in one.edges])})
    return titled.model_copy(update={"recommendation": recommendation(titled)})


def test_a_korean_report_retells_titles_recommendations_and_contrasts_in_korean(office: Desk) -> None:
    record(office, "a", "success", "조회")
    nodes = (
        PatternNode(label="환불", kind="action", key="환불", generalised=True),
        PatternNode(label="주문API", kind="tool", key="주문api"),
    )
    better = stored_advice(claimed("p", "hij", nodes=nodes, edges=((0, 1, "USED"),), tasks=3))
    for name in "hij":
        record(office, name, "success", "환불")
    keep(office, better)
    against = Contrast(pattern=better.id, title=better.title)
    worse = stored_advice(claimed("n", "bcd", polarity="negative", labels=("재시도", "포기"), contrast=against))
    korean = reported(office, [better, worse], language="ko")
    shown = {entry.pattern.id: entry.pattern for section in korean.sections for entry in section.entries}
    assert shown[better.id].title == "환불 종류, 도구: 주문API"
    assert shown[worse.id].contrast == against.model_copy(update={"title": "환불 종류, 도구: 주문API"})
    advice = shown[worse.id].recommendation
    assert advice is not None
    assert "환불 종류, 도구: 주문API" in advice
    assert "any" not in advice
    english = reported(office, [better, worse])
    assert {entry.pattern.title for section in english.sections for entry in section.entries} == {
        "any 환불 uses 주문API",
        "재시도 → 포기",
    }


def test_what_somebody_reworded_stays_as_it_is_in_korean(office: Desk) -> None:
    record(office, "a", "success", "조회")
    korean = reported(office, [claimed("order first", "hij", recommendation="look it up")], language="ko")
    [section] = korean.sections
    assert section.entries[0].pattern.title == "order first"
    assert section.entries[0].pattern.recommendation == "look it up"


def test_a_korean_report_hides_in_korean_and_names_several_domains(office: Desk) -> None:
    record(office, "a", "success", "조회", user="kim")
    [section] = reported(office, [claimed(domain=None)], min_users=2, language="ko").sections
    assert section.domain == "여러 도메인"
    assert "[숨김: 사용자 2명 미만]" in section.entries[0].pattern.nodes[0].label
    assert reported(office, [pattern()], language="ko").notes == (WORDS["ko"].whole.candidates_only,)


def test_a_report_in_another_language_is_refused(office: Desk) -> None:
    with pytest.raises(InvalidInputError, match="'fr' is not one of ko, en"):
        reported(office, [], language="fr")
