"""`memory.episodes`: add, read, label and forget experiences, and find those like a situation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from graphmem.episodes.experience import experience_of
from graphmem.episodes.forgetting import forget_episode
from graphmem.episodes.outcomes import outcome_changes
from graphmem.episodes.reading import read_episodes
from graphmem.episodes.recordings import EpisodeRecordings
from graphmem.episodes.similar import SimilarEpisode, similar_episodes
from graphmem.episodes.situation import Situation, Utterance, situation_of
from graphmem.episodes.views import episode_graph, episodes_frame
from graphmem.episodes.writing import write_episodes
from graphmem.errors import InvalidInputError
from graphmem.graph.mapping.episode import variant_text
from graphmem.graph.records import Cursor, Filter, Saved
from graphmem.models.checking import checked
from graphmem.models.episode import Episode, EpisodeState, Outcome
from graphmem.ports.batches import batches, refuse_changed, together
from graphmem.ports.listing import Listing, between, equals, moment, read_page

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd


class EpisodesService(EpisodeRecordings):
    """The episodes of one tenant, as one user sees them."""

    def add(self, episode: Episode | Mapping[str, Any], *, replace: bool = False) -> Saved:
        """Keep a finished episode; the same id and content twice changes nothing.

        Args:
            episode: What to keep, or a mapping of its fields.
            replace: Whether it replaces a stored episode of this id, steps that are gone included.

        Raises:
            InvalidInputError: A value is refused.
            ConflictError: The id is stored with other content.
        """
        saved = self.add_many([episode], replace=replace)
        if not replace:
            refuse_changed(saved, "episode")
        return saved

    def add_many(self, episodes: Iterable[Episode | Mapping[str, Any]], *, replace: bool = False) -> Saved:
        """Keep a stream of episodes in batches, each written at once or not at all.

        Args:
            episodes: Episodes, or mappings of their fields.
            replace: Whether changed content replaces what is stored.

        Returns:
            What was added, changed (stored with other content) and unchanged.

        Raises:
            InvalidInputError: A value is refused; earlier batches are kept.
        """
        known: set[Any] = set()
        parts = batches(map(self._read, episodes), key=lambda episode: episode.id, weight=_characters)
        workspace = self._workspace
        return together(
            write_episodes(workspace, batch, workspace.now(), known, replace=replace) for batch in parts
        )

    def get(self, id: str) -> Episode:  # noqa: A002 (the documented name)
        """The episode with this id, with its steps.

        Raises:
            NotFoundError: There is none, or it is another user's.
        """
        root = self._workspace.fetch("Episode", id, "episode")
        return read_episodes(self._workspace.graph, [root])[0]

    def list(
        self,
        *,
        domain: str | None = None,
        outcome: Outcome | str | None = None,
        state: EpisodeState | str | None = None,
        task: str | None = None,
        variant: str | Mapping[str, Any] | None = None,
        session: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        order: str = "-started_at",
        after: Cursor | None = None,
        limit: int = 100,
    ) -> Listing[Episode]:
        """A page of episodes, the newest first; those without times come last.

        Args:
            domain: Only of this domain.
            outcome: Only of this outcome.
            state: open or closed.
            task: Only of this task.
            variant: Only of this variant, a name or a flat map.
            session: Only of this session.
            since: Begun at or after this time.
            until: Begun at or before this time.
            order: started_at, created_at, id or another filterable property; `-` before it for falling
                order.
            after: `next` of the page before.
            limit: 1 to 10,000.
        """
        graph = self._workspace.graph
        conditions = (
            *_conditions(domain=domain, outcome=outcome, state=state, task=task, variant=variant, session=session),
            *between("started_at", since, until),
        )
        page = read_page(
            graph,
            "Episode",
            self._workspace.filters("Episode", *conditions),
            order=order,
            after=after,
            limit=limit,
        )
        return Listing(tuple(read_episodes(graph, page.records)), page.next)

    def all(self, **filters: Any) -> Iterator[Episode]:
        """All episodes, page by page; filters and order as for `list`."""
        page = self.list(**filters)
        yield from page.items
        while page.next is not None:
            page = self.list(**filters, after=page.next)
            yield from page.items

    def set_outcome(
        self,
        id: str,  # noqa: A002 (the documented name)
        outcome: Outcome | str,
        *,
        source: str = "",
        at: datetime | None = None,
    ) -> Episode:
        """Say how a closed episode ended; what was said before is kept in its history.

        Args:
            id: The episode's id.
            outcome: success, partial, failure or unknown.
            source: Who or what says so.
            at: When it was said, aware; None: at this moment.

        Returns:
            The episode with its new outcome; saying the same twice changes nothing.

        Raises:
            NotFoundError: There is no such episode.
            RecordingError: It is still open.
            InvalidInputError: The outcome is not one of the four.
        """
        said, when = _outcome(outcome), moment(at, "at")
        ref = self._workspace.fetch("Episode", id, "episode").ref
        with self._workspace.graph.transaction() as transaction:
            for root in transaction.get([ref]).values():
                changes = outcome_changes(root, said, source, when, self._workspace.now())
                if changes is not None:
                    transaction.set_properties("Episode", [(id, changes)])
        return self.get(id)

    def similar(
        self,
        text: str,
        limit: int = 3,
        min_similarity: float = 0.7,
        outcome: Outcome | str | None = None,
        domain: str | None = None,
    ) -> tuple[SimilarEpisode, ...]:
        """Closed episodes about the same situation, best first.

        Args:
            text: The situation in words.
            limit: Most episodes; the filters hold before it, so a rare outcome still yields as many.
            min_similarity: Least similarity, 0 to 1 on the scale all embedders share.
            outcome: Only of this outcome.
            domain: Only of this domain.

        Raises:
            ModelError: The memory was opened without an embedder.
        """
        conditions = _conditions(state=EpisodeState.CLOSED, outcome=outcome, domain=domain)
        return similar_episodes(self._workspace, text, conditions, limit=limit, min_similarity=min_similarity)

    def experience(
        self,
        request: str,
        *,
        language: str | None = None,
        budget: int = 800,
        min_similarity: float = 0.7,
        domain: str | None = None,
    ) -> str:
        """What went well and what went wrong in situations like a request, as a block for a prompt.

        The two most similar successes and the most similar failure, each with its day, by its own
        offset where it has one, its resolution (without one its summary, else its goal) and its lessons.

        Args:
            request: What is to be done.
            language: Of the headings, ko or en; None: that of the request.
            budget: Tokens of the block at most, by the estimate of `graphmem.ports.prompt_text.tokens_of`;
                whole items are dropped from the end.
            min_similarity: Least similarity, 0 to 1 on the scale all embedders share.
            domain: Only episodes of this domain.

        Returns:
            The block; "" when nothing is similar enough, or nothing fits.

        Raises:
            InvalidInputError: A bound is broken, or there is no such language.
            ModelError: The memory was opened without an embedder.
        """
        return experience_of(
            self._workspace,
            request,
            _conditions(state=EpisodeState.CLOSED, domain=domain),
            language=language,
            budget=budget,
            min_similarity=min_similarity,
        )

    def situation(
        self,
        messages: Iterable[Utterance] | Utterance,
        *,
        limit: int = 3,
        min_similarity: float = 0.75,
        language: str | None = None,
        domain: str | None = None,
    ) -> Situation:
        """Whether a running conversation is like something that happened before.

        Args:
            messages: Messages, their texts, or mappings with `text` or `content`, in the order in which
                they were said; the last three with text count.
            limit: Most episodes, 1 to 10,000.
            min_similarity: Least similarity, 0 to 1 on the scale all embedders share.
            language: Of the suggestion, ko or en; None: that of the messages.
            domain: Only episodes of this domain.

        Raises:
            InvalidInputError: A bound is broken, a message is none, or there is no such language.
            ModelError: The memory was opened without an embedder.
        """
        return situation_of(
            self._workspace,
            messages,
            _conditions(state=EpisodeState.CLOSED, domain=domain),
            limit=limit,
            min_similarity=min_similarity,
            language=language,
        )

    def forget(self, id: str) -> None:  # noqa: A002 (the documented name)
        """Remove an episode with its steps, findings and links, and the patterns that it is evidence of.

        Raises:
            NotFoundError: There is none, or it is another user's.
        """
        forget_episode(self._workspace, id)

    def graph(self, id: str) -> nx.MultiDiGraph[str]:  # noqa: A002 (the documented name)
        """The episode as a networkx graph: see `graphmem.episodes.views.episode_graph`.

        Raises:
            NotFoundError: There is none, or it is another user's.
        """
        return episode_graph(self._workspace.graph, self._workspace.fetch("Episode", id, "episode"))

    def to_frame(self, **filters: Any) -> pd.DataFrame:
        """All episodes as a pandas table; filters and order as for `list`.

        Raises:
            GraphMemError: pandas is not installed.
        """
        return episodes_frame(self.all(**filters))

    def _read(self, given: Episode | Mapping[str, Any]) -> Episode:
        if isinstance(given, Episode):
            return self._workspace.stamped(given)
        return checked(Episode, self._workspace.fields_of(given, "Episode"))


def _outcome(outcome: Outcome | str) -> Outcome:
    try:
        return Outcome(outcome)
    except ValueError:
        raise InvalidInputError(f"outcome {str(outcome)[:40]!r} is not one of {', '.join(Outcome)}") from None


def _state(state: EpisodeState | str) -> EpisodeState:
    try:
        return EpisodeState(state)
    except ValueError:
        raise InvalidInputError(f"state {str(state)[:40]!r} is not one of {', '.join(EpisodeState)}") from None


def _conditions(
    *,
    outcome: Outcome | str | None = None,
    state: EpisodeState | str | None = None,
    variant: str | Mapping[str, Any] | None = None,
    **names: str | None,
) -> tuple[Filter, ...]:
    return equals(
        **names,
        outcome=None if outcome is None else _outcome(outcome).value,
        state=None if state is None else _state(state).value,
        variant=variant_text(dict(variant) if isinstance(variant, Mapping) else variant),
    )


def _characters(episode: Episode) -> int:
    return len(episode.goal) + sum(len(step.reasoning) + len(step.result) + 500 for step in episode.steps)
