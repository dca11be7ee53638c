"""The Korean rules: what each finds, an example, and how often it was right where that was counted."""

from __future__ import annotations

from graphmem.language.relations.rules import RelationRule
from graphmem.models.concept import RelationType

_JUDGED = "by judgement"


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


BRING_ABOUT = _rule("causes.유발하다", RelationType.CAUSES, 0.9, "과부하는 지연을 유발한다.")
BRINGING_ABOUT = _rule("causes.유발하는", RelationType.CAUSES, 0.8, "암을 유발하는 물질을 찾았다.")
BROUGHT_ABOUT = _rule("causes.유발되다", RelationType.CAUSES, 0.8, "두통은 스트레스에 의해 유발된다.")
DUE_TO = _rule("causes.로_인한", RelationType.CAUSES, 0.85, "폭설로 인한 정체가 이어졌다.")
CAUSE_OF = _rule("causes.원인이다", RelationType.CAUSES, 0.85, "흡연은 폐암의 원인이다.")
ITS_CAUSE = _rule("causes.원인은", RelationType.CAUSES, 0.8, "화재의 원인은 누전이다.")
BECAUSE_OF = _rule("causes.로_인해", RelationType.CAUSES, 0.75, "폭우로 인해 다리가 무너졌다.")
OWING_TO = _rule("causes.때문에", RelationType.CAUSES, 0.75, "안개 때문에 비행기가 연착됐다.")
BECAUSE = _rule("causes.기_때문에", RelationType.CAUSES, 0.8, "수요가 줄었기 때문에 가격이 떨어졌다.")
AND_SO = _rule("causes.아서", RelationType.CAUSES, 0.7, "비가 와서 경기가 취소됐다.")
KIND_OF = _rule("is_a.의_일종", RelationType.IS_A, 0.95, "고래는 포유류의 일종이다.")
BEING = _rule("is_a.인", RelationType.IS_A, 0.8, "온실가스인 메탄이 빠져나간다.", prose_only=True)
BEING_OF_NAME = _rule("instance_of.인", RelationType.INSTANCE_OF, 0.8, "항구 도시인 부산에 갔다.")
COPULA = _rule("is_a.이다", RelationType.IS_A, 0.7, "첼로는 현악기이다.", prose_only=True)
COPULA_OF_NAME = _rule("instance_of.이다", RelationType.INSTANCE_OF, 0.7, "부산은 항구 도시이다.")
AS_ONE = _rule("is_a.로", RelationType.IS_A, 0.7, "수달은 물가에 사는 포유류로, 밤에 논다.", prose_only=True)
NAME_AS_ONE = _rule(
    "instance_of.로", RelationType.INSTANCE_OF, 0.7, "한강은 서울을 지나는 강으로, 황해로 흐른다.", prose_only=True
)
PART_OF = _rule("part_of.의_일부", RelationType.PART_OF, 0.85, "망막은 눈의 일부이다.")
MADE_UP_OF = _rule("part_of.로_구성되다", RelationType.PART_OF, 0.7, "원자는 원자핵과 전자로 구성된다.")
INCLUDE = _rule("part_of.포함하다", RelationType.PART_OF, 0.6, "소화계는 위와 간을 포함한다.", prose_only=True)

KOREAN_RULES = (
    *(BRING_ABOUT, BRINGING_ABOUT, BROUGHT_ABOUT, DUE_TO, CAUSE_OF, ITS_CAUSE),
    *(BECAUSE_OF, OWING_TO, BECAUSE, AND_SO),
    *(KIND_OF, BEING, COPULA, AS_ONE),
    *(BEING_OF_NAME, COPULA_OF_NAME, NAME_AS_ONE),
    *(PART_OF, MADE_UP_OF, INCLUDE),
)
"""The rules, in their order."""
