"""The Korean surface rules on the labelled sentences: few relations, and none that is not labelled."""

from __future__ import annotations

import json
from pathlib import Path

from graphmem.graph.keys import canonical_key
from graphmem.language.relations.extractor import Extractor
from graphmem.text.plain import PlainAnalyzer

LABELLED = Path(__file__).parents[3] / "data" / "relations" / "ko.jsonl"


def test_without_morphemes_nothing_is_found_that_is_not_stated() -> None:
    extractor = Extractor(PlainAnalyzer())
    wrong, right = [], 0
    for line in LABELLED.read_text(encoding="utf-8").splitlines():
        given = json.loads(line)
        stated = {
            (canonical_key(one["head"]), one["relation"], canonical_key(one["tail"]))
            for one in given.get("relations", ())
        }
        found = extractor.extract(given["text"], given["genre"]).relations
        keys = {(one.head.key, one.relation.value, one.tail.key) for one in found}
        wrong += [(given["text"], key) for key in keys - stated]
        right += len(keys & stated)
    assert wrong == []
    assert right >= 25
