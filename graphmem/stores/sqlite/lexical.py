"""Lexical search: the index finds a tenant's candidates, graph/bm25.py orders them.

Counts are the tenant's own, of the labels asked for. Candidates are the nodes with the greatest sum
of inverse document frequencies; where at most 200 nodes match, all of them are candidates.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock

import numpy as np
import numpy.typing as npt

from graphmem.graph.bm25 import CorpusCounts, most_selective, rank
from graphmem.graph.records import Filter, Hit, NodeRef
from graphmem.stores.sqlite.filters import condition, table
from graphmem.stores.sqlite.nodes import read_nodes, scope_token
from graphmem.stores.sqlite.session import Session, as_list
from graphmem.stores.sqlite.state import TenantRow

FEWEST_CANDIDATES = 200
POSTINGS = 12_800
"""Index entries of a query that are read before frequent tokens stop adding candidates: 64 tokens times
200 nodes, so that whatever holds a token of a query with at most 200 matches is a candidate."""
_REMEMBERED = 10_000
_SEPARATORS = frozenset({"Zs", "Zl", "Zp", "Cc", "Cs"})

Keys = npt.NDArray[np.int64]
Candidates = dict[int, tuple[NodeRef, str]]
"""Name and search text of nodes by key."""


class Frequencies:
    """Document frequencies of one tenant, remembered while it does not change."""

    def __init__(self) -> None:
        self._version: tuple[int, int] = (0, 0)
        self._counts: dict[tuple[tuple[int, ...], str], int] = {}
        self._guard = Lock()

    def of(
        self, session: Session, tenant: TenantRow, labels: tuple[int, ...], tokens: Sequence[str]
    ) -> dict[str, int]:
        """Documents of these labels that hold each token."""
        version = (tenant.key, tenant.version)
        with self._guard:
            if self._version != version or len(self._counts) > _REMEMBERED:
                self._version, self._counts = version, {}
            counts = self._counts
        for token in tokens:
            if (labels, token) not in counts:
                counts[labels, token] = _count(session, tenant.key, labels, token)
        return {token: counts[labels, token] for token in tokens}


def search(
    session: Session,
    tenant: TenantRow,
    frequencies: Frequencies,
    tokens: Sequence[str],
    where: Mapping[str, Filter | None],
    *,
    limit: int,
) -> list[Hit]:
    """Nodes of the labels in `where` that hold any of the tokens, best first."""
    codes = tuple(session.codes.labels[label] for label in where)
    distinct = [token for token in dict.fromkeys(tokens) if _is_one_word(token)]
    frequency = frequencies.of(session, tenant, codes, distinct)
    chosen = most_selective(distinct, frequency)
    if not chosen:
        return []
    documents, words = _held(session, tenant, codes)
    counts = CorpusCounts(documents, words / documents if documents else 0.0, frequency)
    query = _Query(session, tenant.key, codes, chosen, counts, where)
    wanted = max(FEWEST_CANDIDATES, 10 * limit)
    candidates = query.candidates(wanted)
    if len(candidates) < limit and sum(frequency[token] for token in chosen) > POSTINGS:
        # the filter let too few of those that were read pass: never short silently
        candidates = query.filtered(wanted)
    keys = {ref: key for key, (ref, _) in candidates.items()}
    best = rank(chosen, candidates.values(), counts, limit)
    records = read_nodes(session, [keys[ref] for ref, _ in best])
    return [Hit(records[keys[ref]], score) for ref, score in best]


def _is_one_word(token: str) -> bool:
    """Whether the index keeps the token in one piece; others are in no text."""
    if token.isascii():
        return token.isprintable() and " " not in token and token != ""
    return not any(unicodedata.category(character) in _SEPARATORS for character in token)


def _count(session: Session, tenant: int, labels: tuple[int, ...], token: str) -> int:
    row = session.row(
        "words.frequency", "SELECT count(*) FROM words WHERE words MATCH ?", (_expression(tenant, labels, token),)
    )
    return int(row[0]) if row else 0


def _expression(tenant: int, labels: tuple[int, ...], token: str) -> str:
    scopes = " OR ".join(f'"{scope_token(tenant, label)}"' for label in labels)
    quoted = token.replace('"', '""')
    return f'({scopes}) AND "{quoted}"'


def _held(session: Session, tenant: TenantRow, labels: tuple[int, ...]) -> tuple[int, int]:
    row = session.row(
        "holding.read",
        "SELECT coalesce(sum(documents), 0), coalesce(sum(words), 0) FROM holding"
        " WHERE tenant = ? AND label IN (SELECT value FROM json_each(?))",
        (tenant.key, as_list(labels)),
    )
    return (row[0], row[1]) if row else (0, 0)


@dataclass(frozen=True, slots=True)
class _Query:
    session: Session
    tenant: int
    labels: tuple[int, ...]
    tokens: Sequence[str]
    counts: CorpusCounts
    where: Mapping[str, Filter | None]

    def candidates(self, wanted: int) -> Candidates:
        """The most promising nodes that pass the filter, as far as the index is read."""
        found: Candidates = {}
        for chunk in _growing(self._promising(wanted, POSTINGS), wanted):
            found.update(self._passing(chunk))
            if len(found) >= wanted:
                break
        return found

    def filtered(self, wanted: int) -> Candidates:
        """The most promising of all nodes that pass the filter, for one that lets few pass."""
        keys = self._all_passing()
        if len(keys) > wanted:
            promising = self._promising(wanted, None)
            keys = promising[np.isin(promising, keys)][:wanted]
        return self._passing(keys)

    def _promising(self, wanted: int, postings: int | None) -> Keys:
        """Keys by falling sum of the weights of the tokens they hold, as far as the tokens were read."""
        keys: list[Keys] = []
        weights: list[float] = []
        read = 0
        for token in sorted(self.tokens, key=lambda token: self.counts.frequency[token]):
            if postings is not None and read + self.counts.frequency[token] > postings and read >= wanted:
                break
            keys.append(self._postings(token, -1 if postings is None else postings))
            weights.append(math.log(1 + self.counts.documents / self.counts.frequency[token]))
            read += len(keys[-1])
        distinct, places = np.unique(np.concatenate(keys), return_inverse=True)
        summed = np.bincount(places, np.repeat(weights, [len(part) for part in keys]))
        # of equally promising ones the newest
        return distinct[np.lexsort((-distinct, -summed))]

    def _postings(self, token: str, limit: int) -> Keys:
        rows = self.session.rows(
            "words.match",
            "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT ?",
            (_expression(self.tenant, self.labels, token), limit),
        )
        return np.fromiter((key for (key,) in rows), np.int64, len(rows))

    def _passing(self, keys: Keys) -> Candidates:
        """Those of the nodes that the filter of their label lets pass."""
        parts, values = [], []
        for label, part in self.where.items():
            sql, parameters = condition(part)
            parts.append(f"(label = {self.session.codes.labels[label]} AND ({sql}))")
            values.extend(parameters)
        rows = self.session.rows(
            "words.candidates",
            "SELECT key, label, id, words FROM node WHERE key IN (SELECT value FROM json_each(?))"
            f" AND +tenant = ? AND ({' OR '.join(parts)})",
            (as_list(keys.tolist()), self.tenant, *values),
        )
        names = self.session.codes.label_names
        return {key: (NodeRef(names[label], node_id), words or "") for key, label, node_id, words in rows}

    def _all_passing(self) -> Keys:
        keys: list[int] = []
        for label, part in self.where.items():
            sql, values = condition(part)
            rows = self.session.rows(
                "words.filter",
                f"SELECT key FROM {table(label, part)}"
                f" WHERE tenant = ? AND label = {self.session.codes.labels[label]} AND ({sql})",
                (self.tenant, *values),
            )
            keys.extend(key for (key,) in rows)
        return np.array(keys, np.int64)


def _growing(keys: Keys, first: int) -> Iterator[Keys]:
    """The keys in order, in chunks that grow: most filters let enough of the first ones pass."""
    begin, size = 0, first
    while begin < len(keys):
        yield keys[begin : begin + size]
        begin, size = begin + size, size * 4
