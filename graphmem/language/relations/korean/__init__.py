"""Concepts and relations of Korean sentences, by rules over morphemes: pure."""

from graphmem.language.relations.korean.catalogue import KOREAN_RULES
from graphmem.language.relations.korean.mentions import korean_mentions
from graphmem.language.relations.korean.relating import korean_relations

__all__ = ["KOREAN_RULES", "korean_mentions", "korean_relations"]
