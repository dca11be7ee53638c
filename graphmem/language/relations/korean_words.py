"""Korean words with the particle behind them told by its form, for sentences without morphemes: pure.

A word with a particle is a noun, and so is a bare word that ends like no verb.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from unicodedata import is_normalized, normalize

from graphmem.language.composing import composed
from graphmem.language.particles import agrees, final_consonant
from graphmem.language.relations.surface_words import word_set

MAX_RUN = 4
"""Words of a noun phrase."""


def _endings(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_WORD = re.compile(r"[가-힣A-Za-z0-9][가-힣A-Za-z0-9_+#.-]*")
_CLEAR = word_set(
    "에서는 에서도 으로는 으로도 에서의 으로의 에게서 으로부터 로부터 이라는 이라고 입니다 이었다 이었으며"
    " 이다 이며 였다 라는 라고 에서 에게 한테 께서 에는 에도 과의 와의 까지 부터 처럼 보다 으로 이란"
    " 하고 이랑 과 를 와 들 께서는"
)
"""Particles and forms of the copula that stand behind nouns alone."""
_UNCLEAR = word_set("는 가 은 이 을 도 만 로 에 의")
"""Those that a verb or another word may end with as well."""
_AFTER_LONGER = frozenset({"와", "과"})
"""Those that end many nouns of two syllables: 효과."""
_LONGEST = 4
"""Characters of a particle."""
_VERBAL_STEM = _endings(
    "하 되 시키 있 없 않 받 당하 싶 같 였 었 았 겠 했 됐 리 지 키 기 스럽 럽 롭 답 오 나 가 보 주"
)
_ADNOMINAL = frozenset({"는", "은", "을"})
_VERBAL = _endings(
    "는 된 될 던 른 긴 린 로운 려운 까운 거운 러운 쉬운 어진 아진 해진 해서 아서 어서 려서 켜서 려고"
    " 하여 되어 든지 지만 같은 없이 에 를 을 시켜 하자 되자 는데 어난 타난 러난 라난 어온 아온 려온"
)
"""Endings of words that are no nouns."""
_VERBAL_OF_LONG = _endings("다 요 며 면 게 히 한 할 고 해 돼 적 은 적인")
"""Those of words of three syllables and more: shorter ones are often nouns, such as 수면 and 광고."""
_LONG = 3
_VERBAL_FINALS = frozenset("ᆭᆶᆬᆴᆵᇂᆻ")
"""Final consonants that no noun has and verbs do: 쌓, 있, 앉, 많."""
_NOUNS = frozenset({"최소한", "최대한"})
_NO_NAMES = word_set(
    "그 이 저 것 수 때 등 및 또 더 이것 그것 저것 여기 거기 저기 나 너 저희 우리 그녀 그들 무엇 뭐"
    " 누구 이거 그거 저거 매우 가장 아주 너무 다시 모두 많이 조금 거의 항상 자주 가끔 이미 아직 바로"
    " 함께 서로 오늘 어제 내일 지금 이번 다음 지난 경우 정도 때문 중 후 전 내 안 밖 위 아래 앞 뒤 옆"
    " 사이 동안 대해 통해 위해 따라 의해 대한 관한 위한 또한 그리고 그러나 하지만 그래서 따라서 즉 약 각"
    " 모든 어떤 여러 다른 새 몇 한 두 세 네 제 내가 네가 제가 거 게 걸 건 데 줄 뿐 만큼 하고 되고"
    " 있고 없고 크고 높고 낮고 같고 하며 되며 크게 쉽게 높게 낮게 좋게 작게 특히 결코 계속 직접 먼저"
    " 좋은 많은 작은 높은 낮은 같은 있다 없다 하면 되면 있으면 강한 약한 심한 흔한 급한 큰 이런 저런"
    " 인한 의한 통한 향한 따른 인해 먹고 받고 찾고 잡고 읽고 듣고 걷고 믿고 씻고 웃고 울고 살고 알고 열고 걸고"
    " 팔고 놀고 들고 가고 오고 쓰고 타고 자고 켜고 끄고 두고 내고 풀고 묻고 닫고 남고 넘고 담고 안고"
    " 그런 못한 않은 해 돼 대해서 위해서 통해서 의해서 사람 사람들 인물 존재 소지 일종"
)
"""Words that are no names, whatever is behind them."""


@dataclass(frozen=True, slots=True)
class KoreanWord:
    """A word between blanks."""

    text: str
    start: int
    end: int
    """Behind its last character."""
    stem: str
    """The word without its particle."""
    stem_end: int
    """Behind the last character of its stem."""
    particle: str
    """Empty where it has none."""
    is_noun: bool
    """Whether its particle shows that it is a noun."""
    may_modify: bool
    """Whether it may be a noun without a particle, in front of another one."""
    is_joined: bool
    """Whether only a blank parts it from the word before."""


def korean_words(text: str) -> list[KoreanWord]:
    """The words of a sentence, in order, in composed characters; offsets are those of the text as written."""
    if is_normalized("NFC", text):
        return _words(text)
    read, spans = composed(text)
    return [
        replace(
            word,
            start=spans[word.start][0],
            end=spans[word.end - 1][1],
            stem_end=spans[word.stem_end - 1][1],
        )
        for word in _words(read)
    ]


def _words(text: str) -> list[KoreanWord]:
    words: list[KoreanWord] = []
    last = -1
    for found in _WORD.finditer(text):
        start = found.start()
        stem, particle, is_noun, may_modify = _read(found[0])
        is_joined = start == last + 1 and text[last] == " "
        words.append(
            KoreanWord(
                found[0], start, found.end(), stem, start + len(stem), particle, is_noun, may_modify, is_joined
            )
        )
        last = found.end()
    return words


def phrase_start(words: Sequence[KoreanWord], place: int) -> int:
    """Where the noun phrase begins that ends with a word: at the bare nouns in front of it."""
    begin = place
    while begin > 0 and words[begin].is_joined and words[begin - 1].may_modify and place - begin < MAX_RUN - 1:
        begin -= 1
    return begin


@lru_cache(maxsize=1 << 13)
def _read(word: str) -> tuple[str, str, bool, bool]:
    """Stem, particle, whether it is a noun by its particle, and whether it may be one without."""
    bare = word.rstrip("./-")
    if bare in _NO_NAMES:
        return bare, "", False, False
    for length in range(min(_LONGEST, len(bare) - 1), 0, -1):
        stem, particle = bare[:-length], bare[-length:]
        if (particle in _CLEAR or particle in _UNCLEAR) and agrees(stem, particle):
            if _is_name(stem, particle):
                return stem, particle, True, False
            return bare, "", False, stem not in _NO_NAMES and _may_modify(bare)
    return bare, "", False, _may_modify(bare)


def _is_name(stem: str, particle: str) -> bool:
    if stem in _NO_NAMES or _is_verb(stem) or not any(map(str.isalpha, stem)):
        return False
    if particle in _CLEAR and not (particle in _AFTER_LONGER and _is_short(stem)):
        return True
    return not _is_short(stem) and not (particle in _ADNOMINAL and stem.endswith(_VERBAL_STEM))


def _is_short(stem: str) -> bool:
    """Whether a stem is a single syllable: most of these are verbs and words that stand for others."""
    return len(stem) == 1 and final_consonant(stem) is not None


def _is_verb(word: str) -> bool:
    """Whether one of its syllables ends like no noun does."""
    return not _VERBAL_FINALS.isdisjoint(normalize("NFD", word))


def _may_modify(word: str) -> bool:
    if _is_verb(word):
        return False
    if word.endswith(_VERBAL) or (len(word) >= _LONG and word.endswith(_VERBAL_OF_LONG) and word not in _NOUNS):
        return False
    return not _is_short(word) and not word[:1].isdigit() and any(map(str.isalpha, word))
