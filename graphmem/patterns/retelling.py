"""A stored pattern in another language: pure.

Titles and recommendations are stored in English. What was said by this project's own templates is said again;
a text that somebody reworded stays as it is, and so do labels.
"""

from __future__ import annotations

from collections.abc import Mapping

from graphmem.models.pattern import Contrast, Pattern
from graphmem.patterns.advice import recommendation
from graphmem.patterns.graphs import GraphEdge
from graphmem.patterns.titles import motif_title
from graphmem.ports.prompt_text import Language


def retold(pattern: Pattern, language: Language, contrasts: Mapping[str, Pattern] | None = None) -> Pattern:
    """The pattern with its title, its contrast's title and its recommendation in a language.

    Args:
        pattern: As stored, in English.
        language: Of the words between labels.
        contrasts: Patterns by id that contrasts name; the title of another one stays in English.
    """
    if language == "en":
        return pattern
    contrast = _contrast(pattern.contrast, language, contrasts or {}) if pattern.contrast else None
    changed = pattern.model_copy(update={"title": title_in(pattern, language), "contrast": contrast})
    stored = pattern.recommendation
    advice = recommendation(changed, language) if stored == recommendation(pattern) else stored
    return changed.model_copy(update={"recommendation": advice})


def title_in(pattern: Pattern, language: Language) -> str:
    """The title of a pattern in a language."""
    edges = [GraphEdge(*edge) for edge in pattern.edges]
    is_ours = pattern.title == motif_title(pattern.nodes, edges)
    return motif_title(pattern.nodes, edges, language) if is_ours else pattern.title


def _contrast(contrast: Contrast, language: Language, known: Mapping[str, Pattern]) -> Contrast:
    other = known.get(contrast.pattern)
    if other is None or other.title != contrast.title:
        return contrast
    return contrast.model_copy(update={"title": title_in(other, language)})
