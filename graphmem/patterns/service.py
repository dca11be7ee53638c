"""`memory.patterns`: mine, read and forget what recurs across episodes."""

from __future__ import annotations

from typing import Any

from graphmem.graph.mapping.pattern import to_pattern
from graphmem.graph.mapping.run import to_run
from graphmem.graph.records import Cursor, Equals, Filter, In
from graphmem.models.checking import checked
from graphmem.models.pattern import TESTED_TIERS, Pattern, Tier
from graphmem.models.runs import MiningRun
from graphmem.patterns.discovery import Progress
from graphmem.patterns.mine import MiningReport, mine_patterns
from graphmem.patterns.policy import MiningPolicy
from graphmem.ports.listing import Listing, equals, listing, read_page
from graphmem.ports.workspace import Workspace


class PatternsService:
    """The patterns of one tenant, mined over all its users."""

    def __init__(self, workspace: Workspace, policy: MiningPolicy | None = None) -> None:
        self._workspace = workspace
        self._policy = policy or MiningPolicy()

    def mine(self, *, progress: Progress | None = None, **bounds: Any) -> MiningReport:
        """Find the motifs of all closed episodes and keep them as patterns, with their evidence.

        Args:
            progress: Told how far the run is.
            **bounds: Fields of `MiningPolicy`, such as `domain` or `min_support`.

        Raises:
            InvalidInputError: A bound is unknown or refused.
        """
        return mine_patterns(self._workspace, self._bounded(bounds), progress=progress)

    def get(self, id: str) -> Pattern:  # noqa: A002 (the documented name)
        """The pattern with this id.

        Raises:
            NotFoundError: There is none.
        """
        return to_pattern(self._workspace.fetch("Pattern", id, "pattern"))

    def list(
        self,
        *,
        tier: Tier | None = None,
        domain: str | None = None,
        order: str = "-support",
        after: Cursor | None = None,
        limit: int = 100,
    ) -> Listing[Pattern]:
        """A page of patterns, by falling support.

        Args:
            tier: Only those of this tier; None: all that were tested and, while none is, the candidates.
            domain: Only those whose episodes all are of this domain.
            order: id or a filterable property (support, first_seen, last_seen ...); `-` for falling order.
            after: `next` of the page before.
            limit: 1 to 10,000.
        """
        conditions: tuple[Filter, ...] = (self._tiers(tier), *equals(domain=domain))
        filters = self._workspace.filters("Pattern", *conditions)
        page = read_page(self._workspace.graph, "Pattern", filters, order=order, after=after, limit=limit)
        return listing(page, to_pattern)

    def forget(self, id: str) -> None:  # noqa: A002 (the documented name)
        """Remove a pattern with its evidence links; mining again brings it back while it holds.

        Raises:
            NotFoundError: There is none.
        """
        self._workspace.forget("Pattern", id, "pattern")

    def last_run(self) -> MiningRun | None:
        """The latest mining run; None when there was none."""
        page = self._workspace.graph.scan("MiningRun", order="-started_at", limit=1)
        return to_run(page.records[0], MiningRun) if page.records else None

    def _tiers(self, tier: Tier | None) -> Filter:
        if tier is not None:
            return Equals("tier", tier)
        tested = In("tier", TESTED_TIERS)
        return tested if self._workspace.graph.count("Pattern", tested) else Equals("tier", "candidate")

    def _bounded(self, bounds: dict[str, Any]) -> MiningPolicy:
        return checked(MiningPolicy, {**self._policy.model_dump(), **bounds})
