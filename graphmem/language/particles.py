"""Korean particles at the end of a word, with the final consonant before them: pure.

Left out: endings of verbs, and particles that only a dictionary can tell from the end of a name.
"""

from __future__ import annotations

_FIRST, _LAST = ord("가"), ord("힣")
_FINALS = 28
"""Syllables a vowel: one without a final consonant and 27 with one."""
_RIEUL = 8
"""The place of ㄹ among the final consonants."""

AFTER_CONSONANT = frozenset({"은", "이", "을", "과", "이랑", "이나", "이에요", "이야", "이고", "이라고", "아"})
"""What follows a final consonant only."""

AFTER_VOWEL = frozenset({"는", "가", "를", "와", "랑", "나", "예요", "야", "고", "라고"})
"""What follows a vowel only."""

PARTICLES = (
    *("에서", "으로", "부터", "까지", "이랑", "하고", "은", "는", "이", "가", "을", "를"),
    *("에", "로", "와", "과", "랑", "도"),
)
"""The particles that are taken off, longest first."""


def final_consonant(text: str) -> int | None:
    """Place of the final consonant of the last syllable, 0 for none; None when it is no Hangul syllable."""
    code = ord(text[-1]) if text else 0
    return (code - _FIRST) % _FINALS if _FIRST <= code <= _LAST else None


def agrees(word: str, particle: str) -> bool:
    """Whether a particle may follow a word; after Latin letters and digits any of them may."""
    final = final_consonant(word)
    if final is None:
        return True
    if particle.startswith("으로"):
        return final not in {0, _RIEUL}
    if particle.startswith("로"):
        return final in {0, _RIEUL}
    if particle in AFTER_CONSONANT:
        return final != 0
    return particle not in AFTER_VOWEL or final == 0


def strip_particle(word: str, particles: tuple[str, ...] = PARTICLES) -> str:
    """The word without one particle at its end; unchanged when none fits or nothing would remain.

    >>> strip_particle("제주도에"), strip_particle("대구로"), strip_particle("Naver에서")
    ('제주도', '대구', 'Naver')
    """
    for particle in particles:
        stem = word.removesuffix(particle)
        if stem and stem != word and agrees(stem, particle):
            return stem
    return word
