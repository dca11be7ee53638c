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

ENGLISH_RULES: tuple[RelationRule, ...] = (
    _rule("causes.caused_by", 0.95, _JUDGED, "The outage was caused by a memory leak."),
    _rule("causes.caused_from", 0.8, _JUDGED, "Damage caused from humidity is common."),
    _rule("causes.caused_due_to", 0.8, _JUDGED, "The delay was caused due to fog."),
    _rule("causes.cause", 0.95, _JUDGED, "Smoking causes cancer."),
    _rule("causes.bring_about", 0.8, _JUDGED, "The reform brought about a recession."),
    _rule("causes.brought_about_by", 0.8, _JUDGED, "The recession was brought about by speculation."),
    _rule("causes.give_rise_to", 0.8, _JUDGED, "Speculation gave rise to a panic."),
    _rule("causes.lead_to", 0.8, _JUDGED, "Poor hygiene leads to infections."),
    _rule("causes.result_in", 0.9, _JUDGED, "The strike resulted in delays."),
    _rule("causes.culminate_in", 0.7, _JUDGED, "The dispute culminated in a strike."),
    _rule("causes.contribute_to", 0.7, _JUDGED, "Stress contributes to fatigue."),
    _rule("causes.result_from", 0.8, _JUDGED, "The delay resulted from fog."),
    _rule("causes.arise_from", 0.7, _JUDGED, "The conflict arose from a misunderstanding."),
    _rule("causes.stem_from", 0.8, _JUDGED, "The error stems from a race condition."),
    _rule("causes.attributed_to", 0.7, _JUDGED, "The increase is attributed to inflation."),
    _rule("causes.be_cause_of", 0.9, _JUDGED, "Inflation is a major cause of poverty."),
    _rule("causes.produce", 0.7, _JUDGED, "The strike created confusion."),
    _rule("causes.produced_by", 0.7, _JUDGED, "The confusion was created by the strike."),
    _rule("causes.effect_from", 0.9, _JUDGED, "She has a headache from the noise."),
    _rule("causes.be_result_of", 0.8, _JUDGED, "The crash was the result of a memory leak."),
    _rule("causes.cause_is", 0.9, _JUDGED, "The main cause of the fire was a spark."),
    _rule("causes.be_due_to", 0.8, _JUDGED, "The delay was due to fog."),
    _rule("causes.happen_due_to", 0.8, _JUDGED, "The accident happened because of fog."),
    _rule("causes.noun_due_to", 0.8, _JUDGED, "Losses due to fraud are insured."),
    _rule("causes.because", 0.92, "11 of 12 read in chat", "The service failed because the pool was exhausted."),
    _rule("causes.so_that", 0.7, _JUDGED, "The pool was exhausted, so that all requests failed."),
    _rule("part_of.consist_of", 0.7, _JUDGED, "The engine consists of a piston and a cylinder."),
    _rule("part_of.comprise", 0.89, _JUDGED, "The system comprises a sensor and a display."),
    _rule("part_of.comprised_of", 0.8, _JUDGED, "The house is comprised of a hall and a kitchen."),
    _rule("part_of.composed_of", 0.83, _JUDGED, "The cell is composed of a nucleus and a membrane."),
    _rule("part_of.made_up_of", 0.7, _JUDGED, "The index is made up of several shards."),
    _rule("part_of.equipped_with", 0.6, _JUDGED, "The car is equipped with a radio."),
    _rule("part_of.built_into", 0.6, _JUDGED, "A camera is built into the door."),
    _rule("part_of.be_part_of", 0.6, _JUDGED, "The router is part of the network."),
    _rule("part_of.include", 0.6, _JUDGED, "The package includes a camera.", prose_only=True),
    _rule("part_of.have", 0.5, _JUDGED, "The house has a roof.", prose_only=True),
    _rule("part_of.part_noun_of", 0.8, _JUDGED, "They repaired the roof of the house.", prose_only=True),
    _rule("member_of.group_of", 0.81, _JUDGED, "A flock of birds flew past."),
    _rule("member_of.group_consists_of", 0.8, _JUDGED, "The committee consists of a chair and two experts."),
    _rule("member_of.be_member_of", 0.7, _JUDGED, "Ada is a member of the committee."),
    _rule("is_a.copula", 0.8, _JUDGED, "A violin is an instrument.", prose_only=True),
    _rule("is_a.kind_of", 0.9, _JUDGED, "A violin is a kind of instrument."),
    _rule("is_a.such_as", 0.81, _JUDGED, "Tools such as hammers are cheap."),
    _rule("is_a.include", 0.7, _JUDGED, "Mammals include whales."),
    _rule("is_a.including", 0.8, _JUDGED, "Many tools, including hammers, are cheap."),
    _rule("is_a.like", 0.7, _JUDGED, "Tools like hammers are cheap.", prose_only=True),
    _rule("is_a.and_other", 0.81, _JUDGED, "Hammers and other tools are cheap."),
    _rule("instance_of.copula", 0.9, _JUDGED, "Boston is a city."),
    _rule("instance_of.kind_of", 0.9, _JUDGED, "Python is a kind of language."),
    _rule("instance_of.apposition", 0.9, _JUDGED, "Boston, a city, is old."),
    _rule("instance_of.such_as", 0.8, _JUDGED, "Cities such as Boston are old."),
    _rule("instance_of.include", 0.7, _JUDGED, "Cities include Boston."),
    _rule("instance_of.including", 0.8, _JUDGED, "Old cities, including Boston, are small."),
    _rule("instance_of.like", 0.7, _JUDGED, "Cities like Boston are old.", prose_only=True),
    _rule("instance_of.and_other", 0.8, _JUDGED, "Boston and other cities are old."),
)
"""All rules, in the order in which the reference lists them."""

RULES: Mapping[str, RelationRule] = MappingProxyType({rule.name: rule for rule in ENGLISH_RULES})
"""The rules by name."""
