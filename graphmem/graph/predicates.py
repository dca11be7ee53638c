"""Relations that facts are stated with: one key however they are spelled, and which hold one object at a time."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, field_validator

from graphmem.graph.keys import label_key

SPELLINGS: dict[str, tuple[str, ...]] = {
    "lives_in": ("live_in", "resides_in", "거주지", "사는_곳", "사는_도시", "거주", "살다", "산다"),
    "works_at": ("work_at", "works_for", "employed_by", "is_employed_by", "직장", "다니는_회사", "근무지"),
    "married_to": ("is_married_to", "spouse", "배우자", "결혼_상대"),
    "studies_at": ("study_at", "attends_school", "다니는_학교", "재학_학교"),
    "born_in": ("was_born_in", "place_of_birth", "birthplace", "출생지", "태어난_곳"),
    "birthday_is": ("birthday", "date_of_birth", "birth_date", "생일", "생년월일"),
    "job_title_is": ("job_title", "직책", "직위", "직급"),
    "reports_to": ("manager_is", "직속_상사"),
    "headquartered_in": ("headquarters", "headquarters_in", "본사", "본사_위치"),
}
"""A relation's key with other names of it, in English and Korean; blanks and hyphens count as underscores."""

UNCHANGING = ("born_in", "birthday_is")
"""Relations that hold one object for good."""

_CANONICAL = {name: key for key, names in SPELLINGS.items() for name in names}
_JOINTS = re.compile(r"[\s_-]+")


class FactPolicy(BaseModel):
    """How statements about the same subject are weighed against each other."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    functional: tuple[str, ...] = Field(
        tuple(SPELLINGS),
        description="Predicates that hold one object at a time: a newer one retires the older; others accumulate.",
    )
    unchanging: tuple[str, ...] = Field(
        UNCHANGING,
        description="Of these, the predicates whose object never changes: a second one contradicts the first, "
        "and the better supported one stays.",
    )
    prior_weight: float = Field(
        4.0, gt=0, le=1000, description="Statements that the confidence of the surest one counts as."
    )
    confidence_cap: float = Field(0.99, gt=0, lt=1, description="Confidence that repeating a fact never exceeds.")

    @field_validator("functional", "unchanging", mode="before")
    @classmethod
    def _split(cls, value: Any) -> Any:
        """A text, such as an environment variable holds, names predicates with commas between them."""
        return (
            tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else value
        )

    @property
    def functional_keys(self) -> frozenset[str]:
        """The keys of the predicates that hold one object at a time."""
        return _keys(self.functional)

    def is_functional(self, key: str) -> bool:
        """Whether the predicate with this key holds one object at a time."""
        return key in self.functional_keys

    def is_unchanging(self, key: str) -> bool:
        """Whether the predicate with this key holds one object, and always the same."""
        return self.is_functional(key) and key in _keys(self.unchanging)

    def strengthened(self, confidences: tuple[float, ...]) -> float:
        """Confidence of a fact out of those of the statements that say it, as the mean of a beta distribution.

        The surest statement, c, is the prior Beta(w c, w (1 - c)) with w the prior's weight, and each further
        one counts as one observation for it: (w c + n - 1) / (w + n - 1), never lower than c and, where it grew,
        never above the cap.

        Args:
            confidences: Of the n statements, at least one; 0..1 each.
        """
        surest, further = max(confidences), len(confidences) - 1
        grown = (self.prior_weight * surest + further) / (self.prior_weight + further)
        return round(max(surest, min(grown, self.confidence_cap)), 6)


def _keys(names: tuple[str, ...]) -> frozenset[str]:
    return frozenset(key for key in map(predicate_key, names) if key is not None)


@lru_cache(maxsize=4096)
def predicate_key(name: str) -> str | None:
    """The key under which statements with the same relation are compared.

    >>> predicate_key("Lives in"), predicate_key("거주지"), predicate_key("likes")
    ('lives_in', 'lives_in', 'likes')

    Returns:
        The label's key with blanks and hyphens as underscores, or the relation that it is another name of;
        None for a name without anything a key could hold.
    """
    label = label_key(name)
    if label is None:
        return None
    joined = _JOINTS.sub("_", label)
    return _CANONICAL.get(joined, joined)
