"""The pattern report in its forms: honest words, nothing of a label can break out."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from graphmem.models.pattern import OutcomeCounts, Pattern, PatternNode
from graphmem.reports.pattern_report import (
    CANDIDATES_ONLY,
    Entry,
    PatternReport,
    Section,
    deviation,
    fold_families,
)
from graphmem.reports.render import escape_markdown, render_report


def pattern(name: str = "조회 → refund", episodes: str = "abc", **fields: Any) -> Pattern:
    nodes = tuple(PatternNode(label=label, kind="action", key=label) for label in ("조회", "refund"))
    outcomes = fields.pop("outcomes", OutcomeCounts(success=len(episodes)))
    return Pattern(
        id=f"id-{name}",
        title=name,
        nodes=nodes,
        edges=((0, 1, "NEXT"),),
        support=len(episodes),
        tasks=2,
        users=1,
        outcomes=outcomes,
        episodes=tuple(episodes),
        **fields,
    )


def report(*patterns: Pattern, notes: tuple[str, ...] = (CANDIDATES_ONLY,)) -> PatternReport:
    entries = tuple(Entry(found, 1, 0.5) for found in patterns)
    section = Section("쇼핑몰", OutcomeCounts(success=3, failure=1), entries, 7)
    return PatternReport("acme", 4, OutcomeCounts(success=3, failure=1), {"candidate": 7}, notes, (section,))


def test_text_says_what_recurs_how_it_ended_on_which_evidence_and_that_nothing_is_tested() -> None:
    text = render_report(report(pattern()), "text")
    for part in (
        "조회 → refund",
        "candidate: 3 episodes, 2 tasks: 3 success",
        "evidence: a, b, c",
        "success in 3 of 4 episodes with a known outcome (75%)",
        "and 1 more over nearly the same episodes",
        CANDIDATES_ONLY,
    ):
        assert part in text
    assert "causes" not in text


def test_json_holds_every_field_and_all_evidence() -> None:
    shown = json.loads(render_report(report(pattern(episodes="abcdefghijkl")), "json"))["sections"][0]["shown"][0]
    assert shown["pattern"]["episodes"] == list("abcdefghijkl")
    assert shown["pattern"]["tier"] == "candidate"
    assert shown["folded"] == 1


def test_long_evidence_is_counted_where_it_is_not_listed() -> None:
    assert "a, b, c, d, e, f, g, h and 4 more" in render_report(report(pattern(episodes="abcdefghijkl")), "text")


def test_a_support_that_hit_a_cap_is_said_to_be_a_lower_bound() -> None:
    assert "at least 3 episodes" in render_report(report(pattern(support_is_lower_bound=True)), "text")


def test_nothing_mined_says_what_to_run() -> None:
    empty = PatternReport("acme", 0, OutcomeCounts(), {}, (), ())
    assert "graphmem patterns mine" in render_report(empty, "text")
    assert "graphmem patterns mine" in render_report(empty, "md")


HOSTILE = "<script>alert(1)</script> | a\n# x [l](http://e) ![i](x) `c` *b* \x1b[31m \u202e"


def test_a_label_cannot_leave_its_markdown_cell() -> None:
    lines = render_report(report(pattern(HOSTILE)), "md").splitlines()
    row = next(line for line in lines if "alert" in line)
    assert len(re.findall(r"(?<!\\)\|", row)) == 11
    assert "<" not in row.replace("&lt;", "")
    assert "\x1b" not in row
    assert "\u202e" not in row
    assert r"\[l\]\(http\:\/\/e\)" in row


@given(st.text())
def test_escaped_markdown_is_one_line_without_a_live_mark(text: str) -> None:
    escaped = escape_markdown(text)
    assert len(escaped.splitlines()) <= 1
    assert not re.search(r"(?<!\\)[`*_|\[\]<>]", escaped.replace("\\\\", ""))


def test_patterns_over_nearly_the_same_episodes_are_one_family() -> None:
    wide, near, other = pattern("wide", "abcdefghij"), pattern("near", "abcdefghi"), pattern("other", "klm")
    assert [(head.title, count) for head, count in fold_families([wide, near, other], 5)] == [
        ("wide", 1),
        ("other", 0),
    ]
    assert [head.title for head, _ in fold_families([wide, other, near], 1)] == ["wide"]


def test_the_order_is_by_standard_deviations_from_the_domains_rate() -> None:
    outcomes = Counter(success=50, failure=50)
    assert deviation(pattern(episodes="abcd"), outcomes) == 2.0
    assert deviation(pattern(episodes="abcd", outcomes=OutcomeCounts(failure=4)), outcomes) == -2.0
    assert deviation(pattern(episodes="ab", outcomes=OutcomeCounts(unknown=2)), outcomes) == 0.0
    assert deviation(pattern(), Counter(unknown=5)) == 0.0
