"""Runs of nouns in Korean sentences without morphemes, told by the particles behind them: pure.

A word with a particle is a noun, and so are the bare words before it that end like none of the verbs. Left out:
names that no particle follows, unless a copula does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from graphmem.language.particles import agrees, final_consonant
from graphmem.language.relations.surface_words import word_set

Span = tuple[int, int]

MAX_RUN = 4
"""Words of a run."""

_WORD = re.compile(r"[가-힣A-Za-z0-9][가-힣A-Za-z0-9_+#.'-]*")
_ENDS_A_NAME = re.compile(r"\s?(?:[,·()&/\"'”’」』》>:]|(?:그리고|및|또는|등)(?![가-힣]))")
"""Marks behind which a bare run of nouns ends."""

_CLEAR = word_set(
    "에서는 에서도 으로는 으로도 에서의 으로의 에게서 으로부터 로부터 이라는 이라고 입니다 이었다 이었으며 이다"
    " 이며 였다 라는 라고 에서 에게 한테 께서 에는 에도 과의 와의 까지 부터 처럼 보다 으로 이란 하고 이랑 과 를 와"
    " 들"
)
"""Particles and forms of the copula that stand behind nouns alone."""
_UNCLEAR = word_set("는 가 은 이 을 도 만 로 에 의")
"""Those that a verb or another word may end with as well."""
_LONGEST = 4
"""Characters of a particle."""
_VERBAL_STEM = (
    *(
        "하",
        "되",
        "시키",
        "있",
        "없",
        "않",
        "받",
        "당하",
        "싶",
        "같",
        "였",
        "었",
        "았",
        "겠",
        "했",
        "됐",
        "리",
        "지",
    ),
    *("키", "기", "스럽", "럽", "롭", "답", "오", "나", "가", "보", "주"),
)
_ADNOMINAL = frozenset({"는", "은", "을"})
_VERBAL = (
    *(
        "다",
        "요",
        "며",
        "면",
        "서",
        "지",
        "게",
        "히",
        "는",
        "한",
        "된",
        "할",
        "될",
        "인",
        "던",
        "운",
        "른",
        "긴",
        "진",
    ),
    *(
        "린",
        "고",
        "죠",
        "네",
        "까",
        "려고",
        "하여",
        "되어",
        "해",
        "돼",
        "든지",
        "지만",
        "적",
        "같은",
        "없이",
        "에",
    ),
    *("를", "을"),
)
_NO_NAMES = word_set(
    "그 이 저 것 수 때 등 및 또 더 이것 그것 저것 여기 거기 저기 나 너 저희 우리 그녀 그들 무엇 뭐 누구"
    " 이거 그거 저거 매우 가장 아주 너무 다시 모두 많이 조금 거의 항상 자주 가끔 이미 아직 바로 함께 서로 오늘"
    " 어제 내일 지금 이번 다음 지난 경우 정도 때문 중 후 전 내 안 밖 위 아래 앞 뒤 옆 사이 동안 대해 통해"
    " 위해 따라 의해 대한 관한 위한 또한 그리고 그러나 하지만 그래서 따라서 즉 약 각 모든 어떤 여러 다른 새 몇"
    " 한 두 세 네 제 내가 네가 제가 거 게 걸 건 데 줄 뿐 만큼"
)


def korean_runs(text: str) -> Iterator[Span]:
    """Where noun phrases are: a run of nouns across blanks, then each of its words where there are several."""
    run: list[Span] = []
    last = 0
    for word in _WORD.finditer(text):
        if run and text[last : word.start()] != " ":
            run = []
        last = word.end()
        noun = _noun(word[0])
        if noun is not None:
            yield from _spans([*run, (word.start(), word.start() + len(noun))][-MAX_RUN:])
            run = []
        elif not _may_modify(word[0]):
            run = []
        else:
            run = [*run, word.span()][-MAX_RUN:]
            if _ENDS_A_NAME.match(text, last):
                yield from _spans(run)


def _spans(run: list[Span]) -> Iterator[Span]:
    yield run[0][0], run[-1][1]
    if len(run) > 1:
        yield from run


def _noun(word: str) -> str | None:
    """The word without its particle; None where it has none, or names nothing."""
    word = word.rstrip("./'-")
    if word in _NO_NAMES:
        return None
    for length in range(min(_LONGEST, len(word) - 1), 0, -1):
        stem, particle = word[:-length], word[-length:]
        if (particle in _CLEAR or particle in _UNCLEAR) and agrees(stem, particle):
            return stem if _is_name(stem, particle) else None
    return None


def _is_name(stem: str, particle: str) -> bool:
    if stem in _NO_NAMES or not any(map(str.isalpha, stem)):
        return False
    if particle in _CLEAR:
        return True
    return not _is_short(stem) and not (particle in _ADNOMINAL and stem.endswith(_VERBAL_STEM))


def _is_short(stem: str) -> bool:
    """Whether a stem is a single syllable: most of these are verbs and words that stand for others."""
    return len(stem) == 1 and final_consonant(stem) is not None


def _may_modify(word: str) -> bool:
    return (
        not word.endswith(_VERBAL)
        and word not in _NO_NAMES
        and not _is_short(word)
        and any(map(str.isalpha, word))
    )
