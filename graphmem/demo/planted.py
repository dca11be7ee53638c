"""What the sample episodes hide: the planted patterns, how often they occur and how they end.

| name | what | episodes | success |
|---|---|---|---|
| verified-refund | support: policy and payment are checked before a refund through `payments` | 22 | .95 |
| pool-exhausted | ops: a gateway timeout caused by an exhausted pool, fixed by raising its limit | 20 | .95 |
| reproduce-first | coding: a runtime fault (any below `RuntimeFault`) reproduced, then a failing test | 20 | .95 |
| parallel-reconcile | data: orders and refunds loaded side by side, joined in one reconciliation | 18 | .94 |
| retry-loop | coding and data: the same call three times into `RateLimited` | 16 | .06 |
| seat-sold-out | 여행: 좌석매진 solved by offering another flight, then changing the booking | 18 | .94 |
| appliance-exchange | 쇼핑몰: an exchange of any 가전 followed at once by booking the engineer | 18 | .94 |
| payment-retry | 쇼핑몰: 결제 재시도 three times into 승인거절 | 12 | .08 |

Traps look like findings and are not: `hand-over` stands at the end of runs that failed already, and
`legacy-console` marks three hard tasks, whoever works on them and however.

The episodes without a planted pattern hold every one of these labels too, in other arrangements. About
a quarter of them succeed, most of them where a retry loop is what fails. Shares are of the closed
episodes; success is over known outcomes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

EPISODES = 316
"""All sample episodes."""
OPEN_EPISODES = 2
CLOSED_EPISODES = EPISODES - OPEN_EPISODES

NodeKind = Literal["action", "tool", "concept", "symptom", "cause"]
EdgeType = Literal["NEXT", "USED", "ABOUT", "RAISED", "CAUSED_BY", "FIXED"]


@dataclass(frozen=True, slots=True)
class PlantedPattern:
    """A motif put into the samples, in the form of a mined pattern."""

    name: str
    domain: str | None
    """None when it occurs in several."""
    nodes: tuple[tuple[str, NodeKind], ...]
    """(label, kind)."""
    edges: tuple[tuple[int, int, EdgeType], ...]
    """(from, to, type), by index of node."""
    episodes: int
    successes: int
    polarity: Literal["positive", "negative"] | None
    """None for a trap: it should not be reported as going with an outcome."""

    @property
    def share(self) -> float:
        """Of the closed episodes, 0..1."""
        return self.episodes / CLOSED_EPISODES

    @property
    def success_rate(self) -> float:
        """Of its episodes with a known outcome, 0..1."""
        return self.successes / self.episodes


PLANTED = (
    PlantedPattern(
        name="verified-refund",
        domain="support",
        nodes=(
            ("lookup_order", "action"),
            ("check_policy", "action"),
            ("verify_payment", "action"),
            ("issue_refund", "action"),
            ("payments", "tool"),
        ),
        edges=((0, 1, "NEXT"), (1, 2, "NEXT"), (2, 3, "NEXT"), (3, 4, "USED")),
        episodes=22,
        successes=21,
        polarity="positive",
    ),
    PlantedPattern(
        name="pool-exhausted",
        domain="ops",
        nodes=(
            ("check_service", "action"),
            ("GatewayTimeout", "symptom"),
            ("PoolExhausted", "cause"),
            ("raise_pool_limit", "action"),
        ),
        edges=((0, 1, "RAISED"), (1, 2, "CAUSED_BY"), (3, 2, "FIXED")),
        episodes=20,
        successes=19,
        polarity="positive",
    ),
    PlantedPattern(
        name="reproduce-first",
        domain="coding",
        nodes=(("reproduce_bug", "action"), ("write_failing_test", "action"), ("RuntimeFault", "concept")),
        edges=((0, 1, "NEXT"), (0, 2, "ABOUT")),
        episodes=20,
        successes=19,
        polarity="positive",
    ),
    PlantedPattern(
        name="parallel-reconcile",
        domain="data",
        nodes=(
            ("plan_report", "action"),
            ("load_orders", "action"),
            ("load_refunds", "action"),
            ("reconcile_totals", "action"),
        ),
        edges=((0, 1, "NEXT"), (0, 2, "NEXT"), (1, 3, "NEXT"), (2, 3, "NEXT")),
        episodes=18,
        successes=17,
        polarity="positive",
    ),
    PlantedPattern(
        name="retry-loop",
        domain=None,
        nodes=(
            ("call_api", "action"),
            ("call_api", "action"),
            ("call_api", "action"),
            ("RateLimited", "symptom"),
        ),
        edges=((0, 1, "NEXT"), (1, 2, "NEXT"), (0, 3, "RAISED"), (1, 3, "RAISED"), (2, 3, "RAISED")),
        episodes=16,
        successes=1,
        polarity="negative",
    ),
    PlantedPattern(
        name="seat-sold-out",
        domain="여행",
        nodes=(
            ("항공편 조회", "action"),
            ("좌석매진", "symptom"),
            ("대체편 제안", "action"),
            ("예약 변경", "action"),
        ),
        edges=((0, 1, "RAISED"), (0, 2, "NEXT"), (2, 1, "FIXED"), (2, 3, "NEXT")),
        episodes=18,
        successes=17,
        polarity="positive",
    ),
    PlantedPattern(
        name="appliance-exchange",
        domain="쇼핑몰",
        nodes=(("교환 접수", "action"), ("설치기사 예약", "action"), ("가전", "concept")),
        edges=((0, 1, "NEXT"), (0, 2, "ABOUT")),
        episodes=18,
        successes=17,
        polarity="positive",
    ),
    PlantedPattern(
        name="payment-retry",
        domain="쇼핑몰",
        nodes=(
            ("결제 재시도", "action"),
            ("결제 재시도", "action"),
            ("결제 재시도", "action"),
            ("승인거절", "symptom"),
        ),
        edges=((0, 1, "NEXT"), (1, 2, "NEXT"), (0, 3, "RAISED"), (1, 3, "RAISED"), (2, 3, "RAISED")),
        episodes=12,
        successes=1,
        polarity="negative",
    ),
)

LEGACY_TRAP = PlantedPattern(
    name="legacy-console",
    domain="ops",
    nodes=(("read_runbook", "action"), ("open_console", "action"), ("legacy_console", "tool")),
    edges=((0, 1, "NEXT"), (1, 2, "USED")),
    episodes=10,
    successes=1,
    polarity=None,
)
"""Goes with failure over all episodes, and with nothing within the tasks it occurs in."""
