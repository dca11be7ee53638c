"""Facts of others keep no word and no time of what an erased user said."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import graphmem
from graphmem.graph.timeline import Claim
from graphmem.graph.topics import Topic
from graphmem.ports.settling import write_settled
from graphmem.transfer.erasing import erase_user

TOPIC = Topic("fact", None, "user", "lives_in")


def test_a_common_fact_that_an_erased_user_stated_first_keeps_none_of_his_words(tmp_path: Path) -> None:
    with graphmem.open(tmp_path / "memory.db", embedder="hashing", boundary={"enabled": False}) as memory:
        words = {"m1": "나는 서울에 살아요 CANARY", "m2": "I live in 서울", "m3": "I moved to 부산"}
        claims = []
        for number, (name, text) in enumerate(words.items(), 1):
            at = datetime(2020 + number, 1, 1, tzinfo=UTC)
            place = "부산" if name == "m3" else "서울"
            user = "bob" if name in {"m1", "m3"} else None
            message = {"id": name, "text": text, "at": at}
            memory.messages.add_many([message if user is None else {**message, "user_id": user}])
            claim = Claim(place, name, at=at, text=text, subject="user", predicate="lives_in", object=place)
            claims.append(claim)
        now = datetime(2026, 1, 1, tzinfo=UTC)
        write_settled(memory.workspace, now, [TOPIC], {TOPIC: claims})
        assert [fact.text for fact in memory.facts.history("user")] == [words["m1"], words["m3"]]
        erase_user(memory.workspace.graph, "bob")
        (fact,) = memory.facts.history("user")
        assert (fact.text, fact.sources) == (words["m2"], ("m2",))
        assert [one.id for one in memory.facts.list()] == [fact.id]
    assert b"CANARY" not in (tmp_path / "memory.db").read_bytes()
