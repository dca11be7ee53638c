"""The Korean rules: what each finds, an example, and how often it was right where that was counted."""

from __future__ import annotations

from graphmem.language.relations.rules import RelationRule
from graphmem.models.concept import RelationType

_JUDGED = "by judgement"
_UNSEEN = "24 of 32 with its like, web, unseen"
_CAUSES = RelationType.CAUSES
_IS_A = RelationType.IS_A
_INSTANCE_OF = RelationType.INSTANCE_OF


def _rule(
    name: str,
    relation: RelationType,
    prior: float,
    example: str,
    measured: str = _JUDGED,
    *,
    prose_only: bool = False,
) -> RelationRule:
    return RelationRule(name, relation, "ko", "morphemes", prior, example, measured, prose_only)


BRING_ABOUT = _rule("causes.유발하다", _CAUSES, 0.75, "과부하는 지연을 유발한다.", _UNSEEN)
BRINGING_ABOUT = _rule("causes.유발하는", _CAUSES, 0.7, "암을 유발하는 물질을 찾았다.", _UNSEEN)
BROUGHT_ABOUT = _rule("causes.유발되다", _CAUSES, 0.7, "두통은 스트레스에 의해 유발된다.", _UNSEEN)
DUE_TO = _rule("causes.로_인한", _CAUSES, 0.75, "폭설로 인한 정체가 이어졌다.", _UNSEEN)
CAUSE_OF = _rule("causes.원인이다", _CAUSES, 0.75, "흡연은 폐암의 원인이다.", _UNSEEN)
ITS_CAUSE = _rule("causes.원인은", _CAUSES, 0.75, "화재의 원인은 누전이다.", _UNSEEN)
BECAUSE_OF = _rule("causes.로_인해", _CAUSES, 0.7, "폭우로 인해 다리가 무너졌다.", "8 of 12, KorQuAD")
OWING_TO = _rule(
    "causes.때문에", _CAUSES, 0.55, "안개 때문에 비행기가 연착됐다.", "0 of 3 strictly, KorQuAD; 11 of 14 before"
)
BECAUSE = _rule("causes.기_때문에", _CAUSES, 0.7, "수요가 줄었기 때문에 가격이 떨어졌다.", "4 of 6, KorQuAD")
AND_SO = _rule(
    "causes.아서", _CAUSES, 0.5, "비가 와서 경기가 취소됐다.", "0 of 4 strictly, KorQuAD; 9 of 13 before"
)
KIND_OF = _rule("is_a.의_일종", _IS_A, 0.9, "고래는 포유류의 일종이다.")
BEING = _rule("is_a.인", _IS_A, 0.7, "온실가스인 메탄이 빠져나간다.", "22 of 31, KorQuAD", prose_only=True)
BEING_OF_NAME = _rule("instance_of.인", _INSTANCE_OF, 0.85, "항구 도시인 부산에 갔다.", "18 of 20, KorQuAD")
COPULA = _rule("is_a.이다", _IS_A, 0.6, "첼로는 현악기이다.", "17 of 28, KorQuAD", prose_only=True)
COPULA_OF_NAME = _rule("instance_of.이다", _INSTANCE_OF, 0.8, "부산은 항구 도시이다.", "9 of 10, KorQuAD")
AS_ONE = _rule("is_a.로", _IS_A, 0.75, "수달은 물가에 사는 포유류로, 밤에 논다.", prose_only=True)
NAME_AS_ONE = _rule(
    "instance_of.로", _INSTANCE_OF, 0.75, "한강은 서울을 지나는 강으로, 황해로 흐른다.", prose_only=True
)
PART_OF = _rule("part_of.의_일부", RelationType.PART_OF, 0.85, "망막은 눈의 일부이다.")
MADE_UP_OF = _rule(
    "part_of.로_구성되다", RelationType.PART_OF, 0.7, "원자는 원자핵과 전자로 구성된다.", "11 of 16, KorQuAD"
)
INCLUDE = _rule(
    "part_of.포함하다",
    RelationType.PART_OF,
    0.7,
    "소화계는 위와 간을 포함한다.",
    "10 of 12, KorQuAD",
    prose_only=True,
)

KOREAN_RULES = (
    *(BRING_ABOUT, BRINGING_ABOUT, BROUGHT_ABOUT, DUE_TO, CAUSE_OF, ITS_CAUSE),
    *(BECAUSE_OF, OWING_TO, BECAUSE, AND_SO),
    *(KIND_OF, BEING, COPULA, AS_ONE),
    *(BEING_OF_NAME, COPULA_OF_NAME, NAME_AS_ONE),
    *(PART_OF, MADE_UP_OF, INCLUDE),
)
"""The rules, in their order."""
