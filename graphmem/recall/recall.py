"""The workflow of recall: embed the query, ask both indexes, fuse, explain.

Query text is data: it has no operators, and nothing in it changes what may be seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from graphmem.errors import InvalidInputError
from graphmem.graph.tokens import query_tokens
from graphmem.ports.listing import moment
from graphmem.ports.prompt_text import check_budget
from graphmem.ports.workspace import Workspace
from graphmem.recall.candidates import Candidate, by_likeness, by_words, merged
from graphmem.recall.context import ContextBlock, context_block
from graphmem.recall.fusion import Fused, Signals, fuse
from graphmem.recall.recipes import DEFAULT_RECIPE, RecallRecipe, Weights, recipe_named
from graphmem.recall.results import Recalled, RecallResult, Signal, kind_of, offset_of, text_of, time_of
from graphmem.recall.scope import Scope, advises, is_current, scope_of
from graphmem.recall.script import blended, unspaced_share

MAX_LIMIT = 1000
"""Items of an answer at most."""

MAX_TOKENS = 256
"""Tokens of a query that a store is asked to weigh; it ranks by the most selective of them."""

_MOST_CANDIDATES = 10_000
"""The port's own bound."""


class RecallService:
    """Recall over one tenant, as one user sees it."""

    def __init__(self, workspace: Workspace, recipe: RecallRecipe = DEFAULT_RECIPE) -> None:
        """Prepare.

        Args:
            workspace: Whose memory it is.
            recipe: Ranks where a call names none.
        """
        self._workspace = workspace
        self._recipe = recipe

    def recall(
        self,
        text: str,
        *,
        limit: int = 10,
        kinds: Iterable[str] | None = None,
        as_of: datetime | None = None,
        recipe: RecallRecipe | str | None = None,
    ) -> RecallResult:
        """What is remembered about a text, best first.

        Args:
            text: Any text; a blank one recalls nothing.
            limit: Most items, 1 to 1,000.
            kinds: message, episode, concept, procedure, pattern, or kinds of memory; None: all.
            as_of: The view of that moment: memories that held then (superseded since or not), messages
                and episodes until then. None: what stands at this moment.
            recipe: A recipe or the name of one.

        Raises:
            InvalidInputError: A bound is broken, or a kind or recipe is unknown.
        """
        if not 1 <= limit <= MAX_LIMIT:
            raise InvalidInputError(f"limit is {limit}; it can be 1 to {MAX_LIMIT}")
        chosen = recipe_named(recipe, self._recipe)
        scope = scope_of(self._workspace, kinds, moment(as_of, "as_of"))
        weights = blended(chosen.spaced, chosen.unspaced, unspaced_share(text))
        tokens = query_tokens(text, MAX_TOKENS)
        found: list[Candidate] = []
        if tokens and scope.labels:
            bound = min(max(chosen.candidates, limit), _MOST_CANDIDATES)
            found = self._candidates(text, tokens, scope, bound, embed=weights.similarity > 0)
        found = [candidate for candidate in found if is_current(candidate.record)]
        if kinds is None:
            found = [candidate for candidate in found if advises(candidate.record)]
        best = _ranked(found, weights, chosen)[:limit]
        items = tuple(_recalled(candidate, scores, tokens) for candidate, scores in best)
        return RecallResult(items, chosen.name, (weights.lexical, weights.similarity))

    def context(self, text: str, *, budget: int = 800, limit: int = 10) -> ContextBlock:
        """What is remembered about a text, as a block for a prompt.

        Args:
            text: What the prompt is about.
            budget: Tokens of the block at most, by the estimate of `graphmem.ports.prompt_text.tokens_of`;
                whole items are dropped from the end.
            limit: Most items.

        Raises:
            InvalidInputError: A bound is broken.
        """
        check_budget(budget)
        told = self._recipe.model_copy(update={"bare_names": 0.0})
        return context_block(self.recall(text, limit=limit, recipe=told), budget)

    def _candidates(
        self, text: str, tokens: Sequence[str], scope: Scope, bound: int, *, embed: bool
    ) -> list[Candidate]:
        graph, embedder = self._workspace.graph, self._workspace.embedder
        query = (embedder.embed([text])[0], embedder) if embed and embedder is not None else None
        words = by_words(graph, scope, tokens, bound)
        likeness = [] if query is None else by_likeness(graph, scope, query[0], bound)
        return merged(graph, words, likeness, query)


def _ranked(
    candidates: Sequence[Candidate], weights: Weights, recipe: RecallRecipe
) -> list[tuple[Candidate, Fused]]:
    """Best first, ties by label and id; what no signal speaks for is left out."""
    # where all that is left are names, they need no handicap; without any weight they are left out
    only_names = all(candidate.signals.bare for candidate in candidates)
    handicap = 1.0 if only_names and recipe.bare_names > 0 else recipe.bare_names
    fused = fuse([candidate.signals for candidate in candidates], weights, handicap)
    told = [pair for pair in zip(candidates, fused, strict=True) if _speaks(pair[0].signals, recipe)]
    return sorted(told, key=lambda pair: (-pair[1].score, pair[0].record.ref))


def _speaks(signals: Signals, recipe: RecallRecipe) -> bool:
    if signals.bare and recipe.bare_names == 0:
        return False
    return signals.lexical > 0 or (signals.similarity or 0.0) > recipe.least_similarity


def _recalled(candidate: Candidate, scores: Fused, tokens: Sequence[str]) -> Recalled:
    record = candidate.record
    return Recalled(
        id=record.id,
        kind=kind_of(record),
        text=text_of(record),
        score=scores.score,
        why=_why(candidate, scores, tokens),
        at=time_of(record),
        utc_offset=offset_of(record),
    )


def _why(candidate: Candidate, scores: Fused, tokens: Sequence[str]) -> tuple[Signal, ...]:
    signals, reasons = candidate.signals, []
    if signals.lexical > 0:
        held = set(str(candidate.record.properties.get("search_text", "")).split())
        shared = [token for token in tokens if token in held]
        words = f"shares {', '.join(shared[:8])}{' and more' if len(shared) > 8 else ''}"
        reasons.append(Signal("lexical", signals.lexical, scores.lexical, words))
    if signals.similarity is not None:
        words = _likeness(signals.similarity)
        reasons.append(Signal("similarity", signals.similarity, scores.similarity, words))
    return tuple(reasons)


def _likeness(similarity: float) -> str:
    if similarity >= 0.7:
        return "says nearly the same"
    return "is about something alike" if similarity >= 0.35 else "is hardly alike"
