"""Mining after changes yields what mining a fresh store with the same contents yields."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any, get_args

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphmem.concepts.service import ConceptsService
from graphmem.episodes.service import EpisodesService
from graphmem.models.episode import Episode, Step
from graphmem.models.pattern import Tier
from graphmem.patterns.service import PatternsService
from graphmem.ports.workspace import Workspace
from workspaces import desk

ACTIONS = ("조회", "환불을", "결제")
FRUIT = ("사과", "배", "감")
EPISODES = 12

Change = tuple[str, int]

CHANGES = st.lists(
    st.tuples(st.sampled_from(["add", "add", "erase", "outcome", "is_a", "mine"]), st.integers(0, EPISODES - 1)),
    max_size=16,
)


def episode(number: int) -> Episode:
    steps = tuple(
        Step(action=ACTIONS[(number + place) % (2 + number % 2)], concepts=(FRUIT[(number + place) % 3],))
        for place in range(1 + number % 3)
    )
    return Episode(
        id=f"run-{number}",
        goal="g",
        outcome=("success", "failure")[number % 2],
        steps=steps,
        task=f"t{number % 4}",
    )


class Store:
    """A store to which changes are made, and what it then holds."""

    def __init__(self, workspace: Workspace) -> None:
        self.episodes, self.concepts = EpisodesService(workspace), ConceptsService(workspace)
        self.patterns = PatternsService(workspace)
        self.outcomes: dict[int, str | None] = {}
        self.fruit: set[int] = set()

    def make(self, changes: Sequence[Change]) -> None:
        for change, number in changes:
            if change == "add" and number not in self.outcomes:
                self.episodes.add(episode(number))
                self.outcomes[number] = None
            elif change == "erase" and number in self.outcomes:
                self.episodes.forget(f"run-{number}")
                del self.outcomes[number]
            elif change == "outcome" and number in self.outcomes:
                self.outcomes[number] = ("success", "partial", "failure")[number % 3]
                self.episodes.set_outcome(f"run-{number}", self.outcomes[number])  # type: ignore[arg-type]
            elif change == "is_a":
                self.relate(number % 3)
            elif change == "mine":
                self.patterns.mine()

    def relate(self, number: int) -> None:
        self.concepts.relate(FRUIT[number], "is_a", "과일")
        self.fruit.add(number)

    def contents(self) -> list[Change]:
        """The fewest changes that lead to the same contents."""
        changed = [("outcome", number) for number, outcome in self.outcomes.items() if outcome]
        return [("is_a", number) for number in sorted(self.fruit)] + [
            *(("add", number) for number in sorted(self.outcomes)),
            *sorted(changed),
        ]

    def mined(self) -> list[dict[str, Any]]:
        """All patterns after a run, without what tells of the runs before: their time and their number."""
        self.patterns.mine()
        found = [one for tier in get_args(Tier) for one in self.patterns.list(tier=tier, limit=10_000)]
        history = {"run", "replication"}
        return sorted((one.model_dump(exclude=history) for one in found), key=lambda one: str(one["id"]))


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(CHANGES)
def test_after_any_changes_the_patterns_are_those_of_a_fresh_store(changes: list[Change]) -> None:
    with TemporaryDirectory() as folder:
        desks = [desk(Path(made)) for made in (mkdtemp(dir=folder), mkdtemp(dir=folder))]
        changed, fresh = (Store(one.workspace()) for one in desks)
        changed.make([("add", number) for number in range(6)])
        changed.make(changes)
        fresh.make(changed.contents())
        assert changed.mined() == fresh.mined()
        for one in desks:
            one.store.close()
