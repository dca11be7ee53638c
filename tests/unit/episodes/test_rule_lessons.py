"""Lessons by rules: what failed, what then worked, and about what."""

from __future__ import annotations

import unicodedata

import pytest

from graphmem.episodes.lessons import MAX_LESSONS, rule_lessons
from graphmem.errors import InvalidInputError
from graphmem.models.checking import checked
from graphmem.models.episode import Cause, Episode, Step


def lessons(*steps: Step, causes: tuple[Cause, ...] = (), language: str = "en") -> tuple[str, ...]:
    episode = Episode(id="e", goal="g", steps=steps, causes=causes)
    return rule_lessons(episode, "ko" if language == "ko" else "en")


def failed(action: str, *errors: str, concepts: tuple[str, ...] = ()) -> Step:
    return Step(action=action, errors=errors, concepts=concepts, effective=False)


def test_a_fix_of_the_error_is_the_lesson() -> None:
    found = lessons(failed("call_api", "Timeout"), Step(action="other"), Step(action="wait", fixes=("timeout",)))
    assert found == ("When Timeout: wait worked after call_api did not.",)


def test_a_fix_of_its_cause_counts_through_a_chain() -> None:
    chain = (Cause(effect="Timeout", cause="PoolExhausted"), Cause(effect="PoolExhausted", cause="NoisyNeighbor"))
    found = lessons(failed("call_api", "Timeout"), Step(action="move", fixes=("NoisyNeighbor",)), causes=chain)
    assert found == ("When Timeout: move worked after call_api did not.",)
    # what is caused by the error is not behind it
    back = (Cause(effect="NoisyNeighbor", cause="Timeout"),)
    assert not lessons(failed("call_api", "Timeout"), Step(action="move", fixes=("NoisyNeighbor",)), causes=back)


def test_names_that_differ_only_in_how_they_are_written_may_form_a_cycle_and_end() -> None:
    # as written they are no cycle, by key they are
    ring = (Cause(effect="Time Out", cause="Pool"), Cause(effect="pool", cause="time out"))
    found = lessons(failed("a", "Time Out"), Step(action="b", fixes=("Pool",)), causes=ring)
    assert found == ("When Time Out: b worked after a did not.",)


def test_a_cycle_is_refused_by_the_model() -> None:
    ring = [{"effect": "a", "cause": "b"}, {"effect": "b", "cause": "a"}]
    with pytest.raises(InvalidInputError, match="cycle"):
        checked(Episode, {"id": "e", "goal": "g", "causes": ring})


def test_the_same_concept_counts_and_the_first_that_worked_is_named() -> None:
    about = ("가전",)
    found = lessons(
        failed("검색", concepts=about),
        Step(action="분류", concepts=about),
        Step(action="추천", concepts=about),
        language="ko",
    )
    assert found == ("가전 상황: 검색 실패 후 분류 성공.",)


def test_the_same_action_again_is_a_retry() -> None:
    found = lessons(failed("call_api", "Timeout"), Step(action="call_api", fixes=("Timeout",)))
    assert found == ("When Timeout: call_api worked when it was tried again.",)
    korean = lessons(failed("조회", "시간 초과"), Step(action="조회", fixes=("시간 초과",)), language="ko")
    assert korean == ("시간 초과 상황: 조회 재시도 후 성공.",)


def test_decomposed_and_composed_names_are_the_same_topic() -> None:
    decomposed = unicodedata.normalize("NFD", "시간 초과")
    assert len(lessons(failed("조회", decomposed), Step(action="대기", fixes=("시간 초과",)), language="ko")) == 1


def test_what_worked_before_teaches_nothing_and_neither_does_a_failure_that_nothing_mended() -> None:
    assert lessons(Step(action="wait", fixes=("Timeout",)), failed("call_api", "Timeout")) == ()
    assert lessons(failed("a", "Timeout"), failed("b", "Timeout")) == ()
    assert lessons(Step(action="a", errors=("Timeout",)), Step(action="b", fixes=("Timeout",))) == ()


def test_the_same_lesson_comes_once_and_a_long_run_gives_few() -> None:
    pair = (failed("a", "Timeout"), Step(action="b", fixes=("Timeout",)))
    assert len(lessons(*pair, *pair)) == 1
    many = [step for n in range(20) for step in (failed(f"a{n}", f"E{n}x"), Step(action="b", fixes=(f"E{n}x",)))]
    assert len(lessons(*many)) == MAX_LESSONS
    assert lessons(*many)[0].startswith("When E0x")


def test_braces_in_names_are_only_text() -> None:
    found = lessons(failed("{topic}", "{later}"), Step(action="{0}", fixes=("{later}",)))
    assert found == ("When {later}: {0} worked after {topic} did not.",)
