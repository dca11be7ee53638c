"""Laws of what is told and repeated: no order of arrival matters, and one user is no proof for others."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from graphmem.consolidation.policy import ConsolidationPolicy
from graphmem.consolidation.sayings import Saying, Told, told_procedures
from graphmem.consolidation.sequences import Sequences, Use, kept_procedures, keys_of, repeated_procedures

START = datetime(2026, 3, 2, tzinfo=UTC)


def saying(number: int, version: int, user: str | None, name: str) -> Saying:
    told = Told(name, ("빌드", f"테스트 {version}"), None, is_goal=True, rule="ko.goal")
    return Saying(told, f"m{number}", user, START + timedelta(minutes=number))


SAYINGS = st.lists(
    st.tuples(st.integers(0, 3), st.sampled_from(["ada", "bob", "cy", None]), st.sampled_from(["배포", "push"])),
    max_size=12,
).map(lambda found: [saying(number, *one) for number, one in enumerate(found)])


@given(SAYINGS, st.randoms(use_true_random=False))
def test_what_is_told_does_not_depend_on_the_order_of_arrival(sayings: list[Saying], chance: object) -> None:
    shuffled = list(sayings)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]  # a random.Random
    assert told_procedures(shuffled, 2, "told-") == told_procedures(sayings, 2, "told-")


@given(SAYINGS)
def test_what_is_everybodys_was_said_by_two_or_has_no_user(sayings: list[Saying]) -> None:
    said = {one.message: one for one in sayings}
    for procedure in told_procedures(sayings, 2, "told-").values():
        users = {said[source].user for source in procedure.sources}
        assert users == {procedure.user_id} or (procedure.user_id is None and len(users) >= 2)


@given(SAYINGS)
def test_each_goal_of_an_owner_has_one_current_version_which_was_said_last(sayings: list[Saying]) -> None:
    said = {one.message: one for one in sayings}
    found = told_procedures(sayings, 2, "told-")
    replaced = {one.supersedes for one in found.values()}
    current = [one for one in found.values() if one.id not in replaced]
    assert len({(one.user_id, one.name) for one in current}) == len(current)
    for one in found.values():
        if one.supersedes is not None:
            older = found[one.supersedes]
            assert (older.user_id, older.name) == (one.user_id, one.name)
            assert max(said[s].order for s in older.sources) < max(said[s].order for s in one.sources)


EPISODES = st.lists(
    st.tuples(
        st.lists(st.sampled_from("abcd"), max_size=7),
        st.sampled_from(["success", "failure", "partial", "unknown"]),
        st.integers(0, 3),
        st.sampled_from(["ada", "bob", None]),
    ),
    max_size=15,
)


@given(EPISODES)
def test_repeated_steps_have_the_counts_of_the_episodes_that_hold_them(
    episodes: list[tuple[list[str], str, int, str | None]],
) -> None:
    policy = ConsolidationPolicy()
    sequences = Sequences(policy.repeated_most_steps, ())
    for number, (steps, outcome, task, user) in enumerate(episodes):
        sequences.add(Use(f"e{number}", f"t{task}", user, outcome), [(step, step, True) for step in steps])
    for procedure in repeated_procedures(sequences, policy, "repeated-", ()).values():
        keys = "".join(keys_of(procedure))
        held = [
            (outcome, task, user) for steps, outcome, task, user in episodes if keys in _without_repeats(steps)
        ]
        mine = [one for one in held if procedure.user_id in {None, one[2]}]
        assert procedure.successes == sum(outcome == "success" for outcome, _, _ in mine)
        assert procedure.failures == sum(outcome == "failure" for outcome, _, _ in mine)
        good = [one for one in held if one[0] == "success"]
        assert len(good) >= 3
        assert len({task for _, task, _ in good}) >= 2
        assert procedure.user_id in {None, *(user for _, _, user in good)}


def _without_repeats(steps: list[str]) -> str:
    return "".join(step for at, step in enumerate(steps) if at == 0 or steps[at - 1] != step)


def _taken(*users: str) -> Sequences:
    sequences = Sequences(3, [("조회", "환불")])
    for number, user in enumerate(users):
        use = Use(f"e{number}", f"t{number}", user, "success")
        sequences.add(use, [("조회", "조회", True), ("환불", "환불", True)])
    return sequences


def test_what_several_confirmed_is_ones_own_again_when_the_others_are_erased() -> None:
    (shared,) = repeated_procedures(_taken("ada", "bora", "ada"), ConsolidationPolicy(), "repeated-", ()).values()
    assert (shared.user_id, shared.successes) == (None, 3)
    (kept,) = kept_procedures([shared], {}, _taken("ada", "ada"), ()).values()
    assert (kept.user_id, kept.successes, kept.sources) == ("ada", 2, ("e0", "e1"))
    assert kept.id != shared.id
    (again,) = kept_procedures([kept], {}, _taken("ada", "ada"), ()).values()
    assert again == kept


def test_a_users_own_procedure_names_his_episodes_alone() -> None:
    sequences = _taken("ada", "ada", "ada")
    failed = Use("e9", "t9", "bora", "failure")
    sequences.add(failed, [("조회", "조회", True), ("환불", "환불", True)])
    (own,) = repeated_procedures(sequences, ConsolidationPolicy(), "repeated-", ()).values()
    assert (own.user_id, own.failures, own.sources) == ("ada", 0, ("e0", "e1", "e2"))
