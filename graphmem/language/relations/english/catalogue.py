"""The English rules over parses, with what each was right where it was counted.

A prior is (right + 1) / (found + 2): few cases give little confidence, and no rule is certain. Most counts are
pairs of nouns that SemEval-2010 task 8 marks; `benchmarks/relations.py` counts them again.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from graphmem.language.relations.rules import RelationRule
from graphmem.models.concept import RelationType


def _rule(name: str, prior: float, measured: str, example: str, *, prose_only: bool = False) -> RelationRule:
    return RelationRule(
        name=name,
        relation=RelationType(name.partition(".")[0]),
        language="en",
        form="parse",
        prior=prior,
        example=example,
        measured=measured,
        prose_only=prose_only,
    )


_JUDGED = "by judgement"


def _task_8(right: int, found: int) -> str:
    return f"{right} of {found}, SemEval-2010 task 8"


ENGLISH_RULES: tuple[RelationRule, ...] = (
    _rule("causes.caused_by", 0.97, _task_8(276, 284), "The outage was caused by a memory leak."),
    _rule("causes.caused_from", 0.8, _JUDGED, "Damage caused from humidity is common."),
    _rule("causes.caused_due_to", 0.8, _JUDGED, "The delay was caused due to fog."),
    _rule("causes.cause", 0.97, _task_8(119, 122), "Smoking causes cancer."),
    _rule("causes.bring_about", 0.8, _JUDGED, "The reform brought about a recession."),
    _rule("causes.brought_about_by", 0.8, _JUDGED, "The recession was brought about by speculation."),
    _rule("causes.give_rise_to", 0.8, _JUDGED, "Speculation gave rise to a panic."),
    _rule("causes.lead_to", 0.88, _task_8(6, 6), "Poor hygiene leads to infections."),
    _rule("causes.result_in", 0.93, _task_8(27, 28), "The strike resulted in delays."),
    _rule("causes.culminate_in", 0.7, _JUDGED, "The dispute culminated in a strike."),
    _rule("causes.contribute_to", 0.7, _JUDGED, "Stress contributes to fatigue."),
    _rule("causes.result_from", 0.8, _JUDGED, "The delay resulted from fog."),
    _rule("causes.arise_from", 0.83, _task_8(9, 10), "The conflict arose from a misunderstanding."),
    _rule("causes.stem_from", 0.71, _task_8(4, 5), "The error stems from a race condition."),
    _rule("causes.attributed_to", 0.7, _JUDGED, "The increase is attributed to inflation."),
    _rule("causes.be_cause_of", 0.94, _task_8(29, 30), "Inflation is a major cause of poverty."),
    _rule("causes.produce", 0.88, _task_8(22, 24), "The strike created confusion."),
    _rule("causes.produced_by", 0.78, _task_8(20, 25), "The confusion was created by the strike."),
    _rule("causes.effect_from", 0.96, _task_8(102, 105), "She has a headache from the noise."),
    _rule(
        "causes.effect_after",
        0.88,
        _task_8(29, 32),
        "Grief after the death of a child is normal.",
        prose_only=True,
    ),
    _rule(
        "causes.effect_through", 0.86, _task_8(5, 5), "Weight loss through exercise is healthy.", prose_only=True
    ),
    _rule("causes.feeling_about", 0.8, _JUDGED, "There was outrage over the demolition.", prose_only=True),
    _rule("causes.rooted_in", 0.8, _JUDGED, "The conflict is rooted in poverty."),
    _rule("causes.responsible_for", 0.8, _JUDGED, "The bacteria responsible for the outbreak were found."),
    _rule("causes.effect_comes_from", 0.93, _task_8(25, 26), "The noise comes from a broken fan."),
    _rule("causes.be_result_of", 0.8, _JUDGED, "The crash was the result of a memory leak."),
    _rule("causes.cause_is", 0.9, _JUDGED, "The main cause of the fire was a spark."),
    _rule("causes.be_due_to", 0.8, _JUDGED, "The delay was due to fog."),
    _rule("causes.happen_due_to", 0.8, _JUDGED, "The accident happened because of fog."),
    _rule("causes.noun_due_to", 0.8, _JUDGED, "Losses due to fraud are insured."),
    _rule("causes.because", 0.87, "12 of 13 read in chat", "The service failed because the pool was exhausted."),
    _rule("causes.so_that", 0.7, _JUDGED, "The pool was exhausted, so that all requests failed."),
    _rule("part_of.consist_of", 0.47, _task_8(6, 13), "The engine consists of a piston and a cylinder."),
    _rule("part_of.comprise", 0.81, _task_8(21, 25), "The system comprises a sensor and a display."),
    _rule("part_of.comprised_of", 0.75, _task_8(5, 6), "The house is comprised of a hall and a kitchen."),
    _rule("part_of.composed_of", 0.62, _task_8(7, 11), "The cell is composed of a nucleus and a membrane."),
    _rule("part_of.made_up_of", 0.7, _JUDGED, "The index is made up of several shards."),
    _rule("part_of.equipped_with", 0.75, _task_8(2, 2), "The car is equipped with a radio."),
    _rule("part_of.built_into", 0.50, _task_8(1, 2), "A camera is built into the door."),
    _rule("part_of.be_part_of", 0.83, _task_8(29, 34), "The router is part of the network."),
    _rule("part_of.include", 0.68, _task_8(14, 20), "The package includes a camera.", prose_only=True),
    _rule("part_of.have", 0.94, _task_8(14, 14), "The house has a roof.", prose_only=True),
    _rule(
        "part_of.part_noun_of", 0.97, _task_8(102, 104), "They repaired the roof of the house.", prose_only=True
    ),
    _rule("member_of.group_of", 0.93, _task_8(144, 154), "A flock of birds flew past."),
    _rule(
        "member_of.group_consists_of", 0.82, _task_8(13, 15), "The committee consists of a chair and two experts."
    ),
    _rule("member_of.be_member_of", 0.78, _task_8(6, 7), "Ada is a member of the committee."),
    _rule("is_a.copula", 0.84, "20 of 23 read in HotpotQA", "A violin is an instrument.", prose_only=True),
    _rule("is_a.kind_of", 0.80, "3 of 3 read in HotpotQA", "A violin is a kind of instrument."),
    _rule("is_a.such_as", 0.97, "27 of 27 read in HotpotQA", "Tools such as hammers are cheap."),
    _rule("is_a.include", 0.7, _JUDGED, "Mammals include whales."),
    _rule("is_a.including", 0.89, "24 of 26 read in HotpotQA", "Many tools, including hammers, are cheap."),
    _rule("is_a.like", 0.7, _JUDGED, "Tools like hammers are cheap.", prose_only=True),
    _rule("is_a.and_other", 0.85, "10 of 11 read in HotpotQA", "Hammers and other tools are cheap."),
    _rule("instance_of.copula", 0.94, "31 of 32 read in HotpotQA", "Boston is a city."),
    _rule("instance_of.kind_of", 0.9, _JUDGED, "Python is a kind of language."),
    _rule("instance_of.apposition", 0.71, "4 of 5 read in HotpotQA", "Boston, a city, is old."),
    _rule("instance_of.such_as", 0.91, "9 of 9 read in HotpotQA", "Cities such as Boston are old."),
    _rule("instance_of.include", 0.7, _JUDGED, "Cities include Boston."),
    _rule("instance_of.including", 0.83, "4 of 4 read in HotpotQA", "Old cities, including Boston, are small."),
    _rule("instance_of.like", 0.7, _JUDGED, "Cities like Boston are old.", prose_only=True),
    _rule("instance_of.and_other", 0.50, "1 of 2 read in HotpotQA", "Boston and other cities are old."),
)
"""All rules, in the order in which the reference lists them."""

RULES: Mapping[str, RelationRule] = MappingProxyType({rule.name: rule for rule in ENGLISH_RULES})
"""The rules by name."""
