"""Random calls of several tenants and users in one file, against a dictionary that keeps them apart."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import graphmem
from graphmem.errors import ConflictError, NotFoundError
from graphmem.testing.clock import FakeClock

TENANTS = ("acme", "가게", "ACME")
USERS = (None, "ada", "민수")
IDS = ("x", "y", "z")
WORDS = ("refund 환불", "timeout 시간초과", "seoul 서울")

Key = tuple[str, str, str]
"""Tenant, kind and id."""
Call = tuple[str, str | None, str, str, str, str]
"""Tenant, user, kind, what is done, id, words."""

_CALLS = st.lists(
    st.tuples(
        st.sampled_from(TENANTS),
        st.sampled_from(USERS),
        st.sampled_from(("message", "fact", "episode")),
        st.sampled_from(("add", "replace", "forget")),
        st.sampled_from(IDS),
        st.sampled_from(WORDS),
    ),
    max_size=14,
)


@settings(max_examples=25, deadline=None)
@given(calls=_CALLS)
def test_every_tenant_and_user_sees_exactly_what_is_his(
    tmp_path_factory: pytest.TempPathFactory, calls: list[Call]
) -> None:
    path = tmp_path_factory.mktemp("random") / "memory.db"
    clock = FakeClock()
    opened = {
        (tenant, user): graphmem.open(path, tenant=tenant, user=user, embedder="hashing", clock=clock)
        for tenant in TENANTS
        for user in USERS
    }
    opened["acme", None].procedures.add(graphmem.Procedure(id="p", name="makes the store", steps=()))
    model: dict[Key, tuple[str | None, str]] = {}
    for one in calls:
        tenant, user, kind, call, name, words = one
        expected = _expected(model, one)
        with suppress(ConflictError, NotFoundError):
            _done(opened[tenant, user], kind, call, name, words)
        model = expected
    for (tenant, user), memory in opened.items():
        assert _seen(memory) == _visible(model, tenant, user)
        talks, said = _talks(memory)
        assert talks == said
        for words in WORDS:
            recalled = {(item.kind, item.id, item.text) for item in memory.recall(words, limit=50)}
            assert {
                (kind, name, text) for kind, name, text in recalled if kind != "procedure" and not _is_talk(name)
            } <= {(kind, name, text) for (kind, name), text in _visible(model, tenant, user).items()}
            wanted = {key for key, text in _visible(model, tenant, user).items() if text == words}
            assert wanted <= {(kind, name) for kind, name, _ in recalled}
        memory.close()


def _done(memory: graphmem.GraphMemory, kind: str, call: str, name: str, words: str) -> None:
    replace = call == "replace"
    if call == "forget":
        memory.forget(kind=kind, id=name)
    elif kind == "message":
        memory.messages.add(words, id=name, replace=replace)
    elif kind == "fact":
        memory.facts.add(graphmem.Fact(id=name, text=words), replace=replace)
    else:
        memory.episodes.add(graphmem.Episode(id=name, goal=words), replace=replace)


def _expected(model: dict[Key, tuple[str | None, str]], one: Call) -> dict[Key, tuple[str | None, str]]:
    """The dictionary after a call, written down once more."""
    tenant, user, kind, call, name, words = one
    key = (tenant, kind, name)
    stored = model.get(key)
    if stored is None:
        return model if call == "forget" else {**model, key: (user, words)}
    if call == "add" or not _sees(user, stored[0], kind):
        return model
    if call == "forget":
        return {other: value for other, value in model.items() if other != key}
    return {**model, key: (user, words)}


def _sees(user: str | None, owner: str | None, kind: str) -> bool:
    return user is None or owner == user or (owner is None and kind == "fact")


def _visible(
    model: dict[Key, tuple[str | None, str]], tenant: str, user: str | None
) -> dict[tuple[str, str], str]:
    return {
        (kind, name): words
        for (where, kind, name), (owner, words) in model.items()
        if where == tenant and _sees(user, owner, kind)
    }


def _seen(memory: graphmem.GraphMemory) -> dict[tuple[str, str], str]:
    found = {("message", message.id): message.text for message in memory.messages.list()}
    found |= {("fact", fact.id): fact.text for fact in memory.facts.list()}
    return found | {("episode", one.id): one.goal for one in memory.episodes.list() if not _is_talk(one.id)}


def _talks(memory: graphmem.GraphMemory) -> tuple[set[str], set[str | None]]:
    """Conversations that a user sees, and those that his messages are in."""
    seen = {episode.id for episode in memory.episodes.list() if _is_talk(episode.id)}
    return seen, {message.episode for message in memory.messages.list()}


def _is_talk(name: str) -> bool:
    return name.startswith("conversation-")
