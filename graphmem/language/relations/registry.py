"""All relation rules of all languages in one place, for whoever lists them."""

from __future__ import annotations

from graphmem.language.relations.english.catalogue import ENGLISH_RULES
from graphmem.language.relations.korean import KOREAN_RULES
from graphmem.language.relations.rules import RelationRule
from graphmem.language.relations.surface_cues import ENGLISH_SURFACE_RULES
from graphmem.language.relations.surface_korean import KOREAN_SURFACE_RULES


def relation_rules() -> tuple[RelationRule, ...]:
    """Every rule, by language and form; each name once."""
    return (*ENGLISH_RULES, *ENGLISH_SURFACE_RULES, *KOREAN_RULES, *KOREAN_SURFACE_RULES)
