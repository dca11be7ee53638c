"""The pattern report as text, Markdown and JSON: honest words, nothing of a label can break out."""

from __future__ import annotations

import json
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.models.pattern import Contrast, LengthAdjusted, OutcomeCounts, PatternNode, Replication, Strata
from graphmem.ports.prompt_text import Language
from graphmem.reports.patterns.escaping import escape_markdown
from graphmem.reports.patterns.values import Entry, Example, ExampleStep, PatternReport, Section
from graphmem.reports.patterns.wording import WORDS, ordinal
from graphmem.reports.render import ReportFormat, render_report
from reported import HOSTILE, claimed, coverage, mining, pattern, report

FORMS: tuple[ReportFormat, ...] = ("text", "md", "html")


def test_text_says_what_recurs_how_it_ended_on_which_evidence_and_that_nothing_is_tested() -> None:
    text = render_report(report(pattern(), folded=1, notes=(WORDS["en"].whole.candidates_only,)), "text")
    for part in (
        "조회 → refund",
        "candidate: 3 episodes, 2 tasks, 1 user: 3 success",
        "evidence: a, b, c",
        "success in 3 of 4 episodes with a known outcome (75%)",
        "and 1 more over nearly the same episodes",
        WORDS["en"].whole.candidates_only,
    ):
        assert part in text


@pytest.mark.parametrize("form", FORMS)
def test_every_form_says_how_sure_on_what_evidence_and_compared_within_what(form: ReportFormat) -> None:
    shown = render_report(report(claimed()), form).replace("\\", "")
    for part in (
        "Went with success" if form != "text" else "WENT WITH SUCCESS",
        "78% to 99%",
        "+66 points (95 % interval +44 to +89) against a baseline of 68%",
        "within task (7 informative)",
        "significant, adjusted p 0.002",
        "5 episodes, 2 tasks, 1 user",
    ):
        assert part in shown
    by_domain = render_report(report(claimed(strata=Strata(by="domain", informative=2))), form)
    assert "compared within domain only" in by_domain


@pytest.mark.parametrize("form", FORMS)
def test_no_form_claims_a_cause_and_each_says_how_to_try_a_pattern(form: ReportFormat) -> None:
    shown = render_report(report(claimed(), claimed("b", polarity="negative"), pattern(tier="recurrent")), form)
    assert not re.search(r"\bcauses?\b|because|leads? to", shown.partition("</style>")[2] or shown)
    assert "patterns compare A B" in shown
    assert "two variants" in shown


def test_success_comes_before_failure_and_failure_before_what_claims_nothing() -> None:
    shown = render_report(report(pattern(tier="recurrent"), claimed("b", polarity="negative"), claimed()), "text")
    places = [shown.index(heading) for heading in ("WENT WITH SUCCESS", "WENT WITH FAILURE", "RECURS, NO CLAIM")]
    assert places == sorted(places)


@pytest.mark.parametrize("form", FORMS)
def test_every_form_says_what_a_reader_must_keep_in_mind(form: ReportFormat) -> None:
    careful = claimed(
        late=True,
        hindsight=True,
        single_user=True,
        support_is_lower_bound=True,
        length_adjusted=LengthAdjusted(risk_difference=0.1, interval=(-0.2, 0.4), p=1.0),
    )
    shown = render_report(report(careful), form).replace("\\", "")
    for part in (
        "last fifth of its episodes",
        "recorded with hindsight",
        "one user only",
        "at least 5",
        "+10 points (-20 to +40)",
        "not told apart from the length",
    ):
        assert part in shown


@pytest.mark.parametrize("form", FORMS)
def test_what_later_episodes_say_is_shown_apart(form: ReportFormat) -> None:
    since = "2026-03-01T00:00:00Z"
    later = Replication.model_validate_json(
        f'{{"since": "{since}", "direction": "positive", "episodes": 6, "successes": 5, "p": 0.03}}'
    )
    held = render_report(report(claimed(tier="replicated", replication=later)), form).replace("\\", "")
    assert "5 of 6 succeeded: replicated, one-sided p 0.030" in held
    failed = render_report(report(claimed(replication=later)), form).replace("\\", "")
    assert "5 of 6 succeeded: not replicated so far" in failed


@pytest.mark.parametrize("form", FORMS)
def test_a_pattern_without_a_claim_says_which_difference_could_have_been_seen(form: ReportFormat) -> None:
    shown = render_report(report(pattern(tier="recurrent", visible_difference=0.6)), form)
    assert "60 points" in shown
    assert "none" in render_report(report(pattern(tier="recurrent")), form)


@pytest.mark.parametrize("form", FORMS)
def test_a_recommendation_is_shown_with_what_went_with_success_instead(form: ReportFormat) -> None:
    contrast = Contrast(pattern="p2", title="요청 확인 → 환불", risk_difference=0.5, interval=(0.2, 0.8))
    advice = "Went with failure: avoid 조회; what went with success in a like situation: 요청 확인 → 환불"
    shown = render_report(report(claimed(polarity="negative", contrast=contrast, recommendation=advice)), form)
    assert "요청 확인 → 환불" in shown


@pytest.mark.parametrize("form", FORMS)
def test_failures_that_no_pattern_covers_are_counted_and_listed(form: ReportFormat) -> None:
    rest = [f"실패{number}" for number in range(25)]
    shown = render_report(report(claimed(), coverage=coverage(6, *rest)), form)
    assert "significant patterns cover 6 of 31 failures" in shown
    assert "실패0" in shown
    assert ("실패24" in shown) == (form == "html")
    assert ("and 5 more" in shown) == (form != "html")


@pytest.mark.parametrize("form", FORMS)
def test_every_form_says_what_the_figures_come_from_and_what_was_left_open(form: ReportFormat) -> None:
    facts = mining(stale=True, capped=2, incomplete="time ran out", limits={"domain": "지원"})
    shown = render_report(report(claimed(), mining=facts), form).replace("\\", "")
    for part in (
        "3rd look at these data",
        "325 closed episodes of domain 지원",
        "406, as one family",
        "1000, seed 0",
        "abcdef012345",
        "Stale: ",
        "Incomplete: time ran out",
        "Capped: 2 episodes",
    ):
        assert part in shown
    fresh = render_report(report(claimed(), mining=mining()), form)
    assert not any(word in fresh for word in ("Stale", "Incomplete", "Capped"))


def test_json_holds_every_field_and_all_evidence() -> None:
    made = report(pattern(episodes="abcdefghijkl"), folded=1, coverage=coverage(1, *"xyz"), mining=mining())
    held = json.loads(render_report(made, "json"))
    shown = held["sections"][0]["shown"][0]
    assert shown["pattern"]["episodes"] == list("abcdefghijkl")
    assert shown["pattern"]["tier"] == "candidate"
    assert (shown["folded"], shown["family"][0]["id"]) == (1, "f0")
    assert [failed["id"] for failed in held["coverage"]["uncovered"]] == ["x", "y", "z"]
    assert held["mining"]["look"] == 3


def test_long_evidence_is_counted_where_it_is_not_listed() -> None:
    assert "a, b, c, d, e, f, g, h and 4 more" in render_report(report(pattern(episodes="abcdefghijkl")), "text")


def test_a_support_that_hit_a_cap_is_said_to_be_a_lower_bound() -> None:
    assert "at least 3 episodes" in render_report(report(pattern(support_is_lower_bound=True)), "text")


@pytest.mark.parametrize("form", FORMS)
def test_nothing_mined_says_what_to_run(form: ReportFormat) -> None:
    empty = PatternReport("acme", 0, OutcomeCounts(), {}, {}, (), ())
    assert "graphmem patterns mine" in render_report(empty, form)


def hostile_report(language: Language = "en") -> PatternReport:
    nodes = (
        PatternNode(label=HOSTILE, kind="action", key="k", generalised=True),
        PatternNode(label=HOSTILE, kind="tool", key="k"),
    )
    bad = claimed(
        HOSTILE,
        nodes=nodes,
        edges=((0, 1, "USED"),),
        domain=HOSTILE,
        recommendation=HOSTILE,
        contrast=Contrast(pattern="p", title=HOSTILE),
    ).model_copy(update={"episodes": (HOSTILE,)})
    example = Example(HOSTILE, HOSTILE, (ExampleStep(HOSTILE, HOSTILE),))
    section = Section("success", HOSTILE, OutcomeCounts(success=1), (Entry(bad, (), (example,)),), 1)
    return report(
        tenant=HOSTILE,
        notes=(HOSTILE,),
        sections=(section,),
        coverage=coverage(0, HOSTILE),
        mining=mining(run=HOSTILE, limits={"domain": HOSTILE}, incomplete=HOSTILE),
        language=language,
    )


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("form", FORMS)
def test_stored_text_brings_no_character_that_steers_and_no_line_of_its_own(
    form: ReportFormat, language: Language
) -> None:
    shown = render_report(hostile_report(language), form)
    assert not {unicodedata.category(character) for character in shown.replace("\n", "")} & {"Cc", "Cf", "Cs"}
    shown.encode()
    assert not any(line.startswith("# x") for line in shown.splitlines())


@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_label_cannot_leave_its_markdown_cell(language: Language) -> None:
    lines = render_report(hostile_report(language), "md").splitlines()
    row = next(line for line in lines if line.startswith("| 1 |"))
    assert len(re.findall(r"(?<!\\)\|", row)) == 9
    assert "<" not in row.replace("&lt;", "")
    assert r"\[l\]\(http\:\/\/e\)" in row


@given(st.text())
def test_escaped_markdown_is_one_line_without_a_live_mark(text: str) -> None:
    escaped = escape_markdown(text)
    assert len(escaped.splitlines()) <= 1
    assert not re.search(r"(?<!\\)[`*_|\[\]<>]", escaped.replace("\\\\", ""))


@pytest.mark.parametrize(
    ("number", "said"), [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (13, "13th"), (22, "22nd")]
)
def test_looks_are_counted_in_words(number: int, said: str) -> None:
    assert ordinal(number) == said
