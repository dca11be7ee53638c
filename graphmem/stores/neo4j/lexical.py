"""Lexical search: full-text indexes find a tenant's candidates, graph/bm25.py orders them.

Scores of the index choose candidates only, since their frequencies mix tenants; where at most 200 nodes
match, all of them are candidates. Counts are the tenant's own, of the labels asked for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from threading import Lock

from graphmem.graph.bm25 import CorpusCounts, most_selective, rank
from graphmem.graph.records import Filter, Hit, NodeRecord, NodeRef
from graphmem.stores.neo4j import statements
from graphmem.stores.neo4j.conditions import Conditions
from graphmem.stores.neo4j.connection import Row
from graphmem.stores.neo4j.reading import Run, get_nodes
from graphmem.stores.neo4j.values import COLUMNS, read_node

FEWEST_CANDIDATES = 200
_EXACT = 200
"""A count up to this is taken anew whenever the tenant changes; a greater one while its documents are about as
many, since it hardly moves a weight."""
_ABOUT = 0.05
_MOST_COUNTED = 10_000
"""Documents counted of one word: a word of more weighs next to nothing unless the tenant is huge."""
_POSTINGS = 20_000
"""Index entries of a query that are read before frequent words stop adding candidates."""
_REACH = 10
"""Multiple of the candidates that the index is asked for at first, where a filter drops some."""
_EVERYTHING = 2**31 - 1
_WHOLE = 2
"""Multiple of the answers asked for that come whole with the candidates: the index orders much as we do."""
_FEW = 25
"""Answers asked for up to which that is quicker than a second question."""
_REMEMBERED = 10_000
_FOLLOWED = 3
"""Times a search begins anew because the tenant changed under it."""


@dataclass(frozen=True, slots=True)
class _Count:
    documents: int
    version: int
    held: int
    """The tenant's documents when it was counted."""

    def stands(self, version: int, held: int) -> bool:
        return self.version == version or (self.documents > _EXACT and abs(held - self.held) <= _ABOUT * self.held)


@dataclass(frozen=True, slots=True)
class _Corpus:
    """The tenant's documents of the labels asked for, at one version."""

    labels: tuple[str, ...]
    version: int
    documents: int
    words: int


class Frequencies:
    """Counts of one tenant, remembered while they are right. Safe to use from several threads."""

    def __init__(self) -> None:
        self._counts: dict[tuple[tuple[str, ...], str], _Count] = {}
        self._corpora: dict[tuple[str, ...], _Corpus] = {}
        self._guard = Lock()

    def corpus(self, labels: tuple[str, ...]) -> _Corpus | None:
        """The corpus seen last; it may be older than the tenant."""
        return self._corpora.get(labels)

    def of(self, run: Run, tenant: str, corpus: _Corpus, tokens: Sequence[str]) -> dict[str, int]:
        """Documents that hold each token."""
        with self._guard:
            self._corpora[corpus.labels] = corpus
            known = {token: self._counts.get((corpus.labels, token)) for token in tokens}
        found = {
            token: count.documents
            for token, count in known.items()
            if count is not None and count.stands(corpus.version, corpus.documents)
        }
        missing = [token for token in tokens if token not in found]
        if missing:
            found |= _count(run, tenant, corpus.labels, missing)
            self._remember(corpus, {token: found[token] for token in missing})
        return found

    def _remember(self, corpus: _Corpus, counts: Mapping[str, int]) -> None:
        with self._guard:
            if len(self._counts) > _REMEMBERED:
                self._counts.clear()
            for token, documents in counts.items():
                self._counts[corpus.labels, token] = _Count(documents, corpus.version, corpus.documents)


def search(
    run: Run,
    tenant: str,
    frequencies: Frequencies,
    tokens: Sequence[str],
    where: Mapping[str, Filter | None],
    *,
    limit: int,
) -> list[Hit]:
    """Nodes of the labels in `where` that hold any of the tokens, best first."""
    distinct = [token for token in dict.fromkeys(tokens) if _is_one_word(token)]
    labels = tuple(where)
    corpus = frequencies.corpus(labels) or _corpus(labels, run(statements.WORDS, {}))
    best: list[tuple[NodeRef, float]] = []
    for _ in range(_FOLLOWED):
        if corpus is None or not distinct:
            return []
        frequency = frequencies.of(run, tenant, corpus, distinct)
        chosen = most_selective(distinct, frequency)
        found = _Found(run, tenant, where, limit)
        found.search(chosen, frequency)
        average = corpus.words / corpus.documents if corpus.documents else 0.0
        best = rank(chosen, found.documents, CorpusCounts(corpus.documents, average, frequency), limit)
        following = _corpus(labels, found.owner or run(statements.WORDS, {}))
        if following is None or following.version == corpus.version:
            break
        # somebody wrote since the counts were taken
        corpus = following
    records = found.whole | get_nodes(run, [ref for ref, _ in best if ref not in found.whole])
    return [Hit(records[ref], score) for ref, score in best if ref in records]


def _is_one_word(token: str) -> bool:
    """Whether the index keeps the token in one piece; others are in no text."""
    return token != "" and token.isprintable() and not any(character.isspace() for character in token)


def _corpus(labels: tuple[str, ...], rows: Sequence[Row]) -> _Corpus | None:
    """What a row of the tenant's counts says; None where it never wrote."""
    if not rows:
        return None
    (owner,) = rows[0]
    documents, words = (
        sum(owner.get(f"{kind}_{label}", 0) for label in labels) for kind in ("documents", "words")
    )
    return _Corpus(labels, owner["version"], documents, words)


def _count(run: Run, tenant: str, labels: Sequence[str], tokens: Sequence[str]) -> dict[str, int]:
    counts = [
        (place, index_name(label), lucene(tenant, [token]))
        for place, token in enumerate(tokens)
        for label in labels
    ]
    found = dict.fromkeys(tokens, 0)
    for place, documents in run(statements.FREQUENCIES, {"counts": counts, "limit": _MOST_COUNTED}):
        found[tokens[place]] += documents
    return found


def _promising(tokens: Sequence[str], frequency: Mapping[str, int], wanted: int) -> list[str]:
    """The rarest tokens, as far as together they lead to few enough documents."""
    chosen: list[str] = []
    read = 0
    for token in sorted(tokens, key=lambda token: frequency[token]):
        if chosen and read >= wanted and read + frequency[token] > _POSTINGS:
            break
        chosen.append(token)
        read += frequency[token]
    return chosen


class _Found:
    """The candidates of one search, and the tenant's counts when they were found."""

    def __init__(self, run: Run, tenant: str, where: Mapping[str, Filter | None], limit: int) -> None:
        self._run = run
        self._tenant = tenant
        self._where = where
        self._limit = limit
        self._wanted = max(FEWEST_CANDIDATES, 10 * limit)
        self._whole = _WHOLE * limit if limit <= _FEW else 0
        self.documents: list[tuple[NodeRef, str]] = []
        self.whole: dict[NodeRef, NodeRecord] = {}
        """Those of the documents that came with all their properties."""
        self.owner: list[Row] = []

    def search(self, tokens: Sequence[str], frequency: Mapping[str, int]) -> None:
        """Find what holds any of the tokens: the promising ones first."""
        promising = _promising(tokens, frequency, self._wanted)
        self._read(promising)
        if len(self.documents) < self._limit and len(promising) < len(tokens):
            # the filter let too few of those that were read pass: never short silently
            self._read(tokens)

    def _read(self, tokens: Sequence[str]) -> None:
        self.documents = []
        if not tokens:
            return
        words = lucene(self._tenant, tokens)
        for label, part in self._where.items():
            conditions = Conditions().add(part)
            if conditions.impossible:
                continue
            reach = self._wanted if part is None else _REACH * self._wanted
            hits, documents, rows = self._query(label, words, conditions, reach)
            if part is not None and hits == reach and len(documents) < self._wanted:
                _, documents, rows = self._query(label, words, conditions, _EVERYTHING)
            self.documents.extend((NodeRef(label, node_id), text) for node_id, text in documents)
            self.whole.update((record.ref, record) for record in (read_node(label, row) for row in rows))

    def _query(
        self, label: str, words: str, conditions: Conditions, reach: int
    ) -> tuple[int, list[tuple[str, str]], list[Row]]:
        parameters = {"index": index_name(label), "words": words, "reach": reach, "limit": self._wanted}
        names, moments = COLUMNS[label]
        shown = {"whole": self._whole, "names": names, "moments": moments}
        given = parameters | shown | conditions.parameters
        ((hits, ids, texts, rows, owner),) = self._run(statements.CANDIDATES, given, filter=conditions.text)
        self.owner = self.owner or [[owner]]
        return hits, list(zip(ids, texts, strict=True)), rows


def index_name(label: str) -> str:
    """Name of a label's full-text index."""
    return f"graphmem_{label}_text"


def lucene(tenant: str, tokens: Sequence[str]) -> str:
    """The index's query for a tenant's documents that hold any of the tokens.

    Every token is quoted, so nothing in it is an operator; the tenant adds nothing to the score.
    """
    words = " ".join(_quoted(token) for token in tokens)
    return f"+tenant:{_quoted(tenant)}^0 +search_text:({words})"


def _quoted(token: str) -> str:
    escaped = token.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
