"""`memory.patterns`: mine, read, use and forget what recurs across episodes."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from datetime import datetime
from typing import TYPE_CHECKING, Any, get_args

from graphmem.errors import InvalidInputError
from graphmem.graph.mapping.pattern import to_pattern
from graphmem.graph.mapping.run import to_run
from graphmem.graph.records import Cursor, Equals, Filter, In
from graphmem.models.checking import checked
from graphmem.models.comparison import VariantComparison
from graphmem.models.pattern import CLAIMING_TIERS, TESTED_TIERS, Pattern, Polarity, Tier
from graphmem.models.runs import MiningRun
from graphmem.patterns.ancestry import taxonomy_above
from graphmem.patterns.asking import check_kinds
from graphmem.patterns.contrasted import contrasted
from graphmem.patterns.entering import EnteredPattern, entered_patterns
from graphmem.patterns.frames import patterns_frame
from graphmem.patterns.policy import MiningPolicy
from graphmem.patterns.prompt_block import by_confidence, patterns_block
from graphmem.patterns.reading import read_corpus
from graphmem.patterns.running import Running, running_graph
from graphmem.patterns.selecting import PatternFilters, of_widest_runs, pattern_page
from graphmem.patterns.workers import hired
from graphmem.ports.listing import Listing
from graphmem.ports.prompt_text import check_budget, chosen_language
from graphmem.ports.workspace import Workspace

if TYPE_CHECKING:
    import pandas as pd

    from graphmem.patterns.comparing import Variant
    from graphmem.patterns.discovery import Progress
    from graphmem.patterns.matrix import PatternMatrix
    from graphmem.patterns.mine import MiningReport

_MOST_TOLD = 100
"""Patterns of a prompt block at most."""

_CONSIDERED = 1_000
"""Patterns of a tier among which the surest are chosen, those of most support."""


_FILTERS = frozenset({"tier", "order", *PatternFilters.__dataclass_fields__})
"""What `list` takes besides its pages."""

_AT_ONCE = 1_000
"""Patterns read at once where all are wanted."""


class PatternsService:
    """The patterns of one tenant, mined over all its users."""

    def __init__(self, workspace: Workspace, policy: MiningPolicy | None = None) -> None:
        self._workspace = workspace
        self._policy = policy or MiningPolicy()

    def mine(
        self,
        *,
        progress: Progress | None = None,
        executor: Executor | None = None,
        workers: int | None = None,
        dask: str | None = None,
        **bounds: Any,
    ) -> MiningReport:
        """Find the motifs of all closed episodes and keep them as patterns, with their evidence.

        Args:
            progress: Told how far the run is.
            executor: Searches the episodes in parts, one a processor of this machine unless `partitions` says
                more or fewer. The result does not depend on it.
            workers: Processes of this machine to start for that instead.
            dask: Address of a Dask scheduler to use for that instead.
            **bounds: Fields of `MiningPolicy`: `min_support`, or `domain`, `task`, `since` and `until`, which
                limit what is mined. Runs of other limits keep their patterns.

        Raises:
            InvalidInputError: A bound is unknown or refused.
            GraphMemError: The cluster cannot be reached, or a worker process ended.
        """
        from graphmem.patterns.mine import mine_patterns  # noqa: PLC0415 (scipy is slow to load)

        policy = self._bounded(bounds)
        with hired(executor, workers, dask) as crew:
            spread = policy.model_copy(update={"partitions": policy.partitions or crew.size})
            return mine_patterns(self._workspace, spread, progress=progress, executor=crew.executor)

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
        polarity: Polarity | None = None,
        about: str | None = None,
        tool: str | None = None,
        goal: str | None = None,
        task: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        order: str = "-support",
        after: Cursor | None = None,
        limit: int = 100,
    ) -> Listing[Pattern]:
        """A page of patterns, by falling support; what is asked of evidence holds of one and the same episode.

        Args:
            tier: Only those of this tier; None: all that were tested and, while none is, the candidates.
            domain: Only those whose episodes all are of this domain.
            polarity: Only those that went with success (positive), or with failure (negative).
            about: Only with this concept, symptom or cause, or one that is_a this.
            tool: Only with this tool, or one that is_a this.
            goal: Only with evidence in an episode whose goal holds these words, or whose summary is about the
                same situation by the embedder; of more than 10,000 such episodes the best 10,000.
            task: Only with evidence in a run of this task.
            since: Only with evidence begun at or after this time.
            until: Only with evidence begun at or before this time.
            order: id or a filterable property (support, first_seen, last_seen ...); `-` for falling order.
            after: `next` of the page before.
            limit: 1 to 10,000.

        Raises:
            InvalidInputError: A bound is broken, a name is blank or a time has no offset.
        """
        asked: dict[str, Any] = {
            "domain": domain,
            "polarity": polarity,
            "about": about,
            "tool": tool,
            "goal": goal,
            "task": task,
            "since": since,
            "until": until,
        }
        check_kinds({**asked, "order": order, "after": after, "limit": limit})
        filters = PatternFilters(**asked)
        return pattern_page(self._workspace, filters, self._tiers(tier), order=order, after=after, limit=limit)

    def block(self, *, domain: str | None = None, language: str = "en", budget: int = 800, limit: int = 10) -> str:
        """What was learned from many episodes, as a block for a prompt.

        Holds replicated and significant patterns only: replicated ones first, then the surer.

        Args:
            domain: Only those whose episodes all are of this domain.
            language: Of the words around the patterns, ko or en.
            budget: Tokens of the block at most, by the estimate of `graphmem.ports.prompt_text.tokens_of`;
                whole patterns are dropped from the end.
            limit: Most patterns, 1 to 100.

        Returns:
            The block; "" while no pattern has been tested so far, or nothing fits.

        Raises:
            InvalidInputError: A bound is broken, or there is no such language.
        """
        spoken = chosen_language(language, "")
        check_budget(budget)
        if not isinstance(limit, int) or not 1 <= limit <= _MOST_TOLD:
            raise InvalidInputError(f"limit is {limit!r}; it can be 1 to {_MOST_TOLD}")
        found = of_widest_runs(
            pattern
            for tier in CLAIMING_TIERS
            for pattern in self.list(tier=tier, domain=domain, limit=_CONSIDERED)
        )
        told = by_confidence(found)[:limit]
        contrasts = contrasted(self._workspace.graph, told) if spoken != "en" else {}
        return patterns_block(told, spoken, budget, contrasts)

    def match(self, steps: Running, *, domain: str | None = None) -> tuple[EnteredPattern, ...]:
        """The replicated and significant patterns that a running episode has entered, and what comes next.

        A pattern is entered when an edge of it, and with a step all steps before that, is there and the rest can
        still follow; see `graphmem.patterns.entering`. Kinds of things count as in mining.

        Args:
            steps: Steps so far, each a `Step`, a mapping of its fields or an action; or an episode, a recorder,
                or the id of a stored episode.
            domain: Only patterns whose episodes all are of this domain.

        Returns:
            Replicated ones first, then those of which most is there, then by falling support and id.

        Raises:
            InvalidInputError: A step is refused.
            NotFoundError: No episode has this id, or it is another user's.
        """
        graph = running_graph(self._workspace, steps)
        taxonomy = taxonomy_above(self._workspace.graph, {node.key for node in graph.nodes})
        every = (pattern for tier in CLAIMING_TIERS for pattern in self._every(tier=tier, domain=domain))
        found = of_widest_runs(every)
        return entered_patterns(found, graph, taxonomy)

    def compare(self, first: Variant, second: Variant) -> VariantComparison:
        """Hold one variant of the agent against another: success, then each tested pattern.

        Differences are the second less the first, within tasks that both ran, else within domains. Patterns are
        looked up in the episodes as they are now; frequency and effect of all of them are one family of tests.

        Args:
            first: A variant, a name or a flat map.
            second: Another one.

        Raises:
            InvalidInputError: A variant has fewer than 3 closed episodes, or both are the same.
        """
        from graphmem.patterns.comparing import compare_variants  # noqa: PLC0415 (as above)

        patterns = of_widest_runs(pattern for tier in TESTED_TIERS for pattern in self._every(tier=tier))
        return compare_variants(self._workspace, first, second, patterns, self._policy)

    def matrix(self, **filters: Any) -> PatternMatrix:
        """Which closed episode holds which pattern now, with outcome, stratum, domain, task, variant and user.

        Args:
            **filters: Of `list`: they choose the patterns; the episodes are all that this user sees.
        """
        from graphmem.patterns.matrix import pattern_matrix  # noqa: PLC0415 (as above)

        (mine,) = self._workspace.filters("Episode")
        corpus = read_corpus(self._workspace.graph, where=mine)
        graphs = [mined.graph for mined in corpus.episodes]
        patterns = of_widest_runs(self._every(**filters))
        return pattern_matrix(patterns, graphs, corpus.taxonomy, by_task=self._policy.task_strata)

    def to_frame(self, **filters: Any) -> pd.DataFrame:
        """All patterns as a pandas table, a row each; filters and order as for `list`.

        Raises:
            GraphMemError: pandas is not installed.
        """
        return patterns_frame(self._every(**filters))

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

    def _every(self, **filters: Any) -> Iterator[Pattern]:
        if paging := sorted({"limit", "after"} & filters.keys()):
            raise InvalidInputError(f"{paging[0]} is of `list` alone: all patterns are taken here")
        if unknown := sorted(filters.keys() - _FILTERS):
            raise InvalidInputError(
                f"{unknown[0]} is no filter of patterns; there are {', '.join(sorted(_FILTERS))}"
            )
        page = self.list(**filters, limit=_AT_ONCE)
        yield from page
        while page.next is not None:
            page = self.list(**filters, limit=_AT_ONCE, after=page.next)
            yield from page

    def _tiers(self, tier: Tier | None) -> Filter:
        if tier is not None:
            if tier not in get_args(Tier):
                raise InvalidInputError(f"tier is {tier!r}; it can be {', '.join(get_args(Tier))}")
            return Equals("tier", tier)
        tested = In("tier", TESTED_TIERS)
        return tested if self._workspace.graph.count("Pattern", tested) else Equals("tier", "candidate")

    def _bounded(self, bounds: dict[str, Any]) -> MiningPolicy:
        return checked(MiningPolicy, {**self._policy.model_dump(), **bounds})
