"""Splits a message into sentences and says which of them assert something: pure.

Quotations and code are covered up first, so no rule reads what the speaker only cites. Offsets are those of
the text that was given. Left out: grammar; a sentence is judged by its marks and its words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Language = Literal["ko", "en", "other"]
"""Language of a sentence as its script tells; other: neither Hangul nor Latin letters, or no letters."""

COVER = "\ufffc"
"""Stands for each character of a quotation or of code: no rule matches it and no word holds it."""

_CITED = re.compile(
    r"""```.*?(?:```|\Z) | ~~~.*?(?:~~~|\Z) | `[^`\n]{1,500}`
    | ^[ \t]*>[^\n]*
    | "[^"\n]{1,1000}" | “[^”\n]{1,1000}” | «[^»\n]{1,1000}» | 「[^」\n]{1,1000}」 | 『[^』\n]{1,1000}』
    | ‘[^’\n]{1,300}’(?!\w) | (?<!\w)'[^'\n]{1,300}'(?!\w)""",
    re.DOTALL | re.MULTILINE | re.VERBOSE,
)
_MAY_CITE = re.compile(r"[`~>\"“«「『‘']")
_ABBREVIATION = re.compile(r"(?:\b(?:Mrs?|Ms|Dr|Prof|St|Mt|Jr|Sr|vs|e\.g|i\.e|Inc|Ltd|Co)|\b[A-Z])\.$")
_LONGEST = 6
"""Characters of an abbreviation with its stop."""

_STOPS = ".!?…。！？"
_END = re.compile(rf"(?<![{_STOPS}])[{_STOPS}]++[\"'”’」』)\]]*+(?=\s|$)|\n")
_HANGUL = re.compile(r"[가-힣ㄱ-ㅎㅏ-ㅣ\u1100-\u11ff]")
_LATIN = re.compile(r"[A-Za-zÀ-ɏ]")
_BEYOND_LATIN = re.compile("[^\x00-\xa9\xab-\xb9\xbb-\u01ba\u01bc-\u01bf\u01c4-\u024f\u2000-\u206f\ufffc]")
"""What may be a letter of another script."""
_ENGLISH_WORD = re.compile(
    r"(?<![\w@.])(?:I|i|my|we|our|the|is|am|are|in|at|and|to|of|for)(?![\w@.])|\bMy\b|\bWe\b"
)

_ASKS_EN = re.compile(
    r"\s*(?:and\s+|but\s+|so\s+)?(?:(?:do|does|did|is|are|am|was|were|can|could|will|would|should|shall|have|has|had"
    r"|may|might)\s+(?:i|you|we|they|he|she|it|the|this|that|my|your)\b"
    r"|(?:who|whom|whose|where|when|why|how|which|what)\b)",
    re.IGNORECASE,
)
_ASKS_KO = re.compile(
    r"(?:까요?|(?<![만지끝빛어\s])나요|ㄴ가요|은가요|는가요|인가요|던가요|을래요?|(?<![머언])니|냐|는지요)\s*[.~…]*$"
)
_SUPPOSES_EN = re.compile(
    r"\b(?:if|unless|imagine|suppose|supposing|pretend|pretending|assume|assuming|wish|hypothetically|whether"
    r"|maybe|perhaps|probably|let's\s+say|what\s+if|as\s+though|would|could|might|kidding|joking|dreamt|dreamed"
    r"|in\s+(?:my|a|the)\s+(?:dreams?|game|novel|story|book|movie|film|next\s+life)|in\s+another\s+life"
    r"|for\s+example|for\s+instance|e\.g)\b",
    re.IGNORECASE,
)
_SUPPOSES_KO = re.compile(
    r"만약|만일|혹시|아마|예를\s?들|라면(?=[\s,]|$)|다면|[가-힣]면(?:서도)?(?=[\s,])(?<!화면)(?<!반면)(?<!측면)(?<!장면)(?<!라면)"
    r"|싶|좋겠|텐데|셨으면|수도\s?있|지도\s?모르|지도\s?몰라|것\s?같|거\s?같|듯(?:해|하|이|싶)|척(?:해|하|했)|꿈에서|농담"
    r"|(?:할|살|될|갈|일|쓸|울|을)\s?(?:예정|계획|생각|거예요|겁니다|거야|것이)"
)
_REPORTS_EN = re.compile(
    r"\b(?:said|says|say|told|tells|asked|asks|claims?|claimed|heard|thinks?|thought|believes?|believed|reads?|wrote"
    r"|writes|goes\s+like|according\s+to|quote|sentence|translate)\b",
    re.IGNORECASE,
)
_REPORTS_KO = re.compile(
    r"(?:다|냐|자|래|대)고(?=\s)(?<!하고)|(?:[가-힣])(?:대요|래요|답니다|랍니다)\s*[.!~…]*$|라는\s|(?<!보)다는\s|(?:말|얘기|이야기)(?:했|하)|번역"
)
_NEGATES_EN = re.compile(
    r"\b(?:not|never|no\s+longer|neither|nor|without|hardly)\b|\w+n't\b|\bcannot\b", re.IGNORECASE
)
_NEGATES_KO = re.compile(
    r"(?:^|\s)(?:안|못)\s|지\s?(?:는\s?)?(?:않|못|마)|아니(?:에|야|고|라|다|며)|없(?:어|습|다|고|는|지)"
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a message."""

    text: str
    """As written, without outer blanks."""
    start: int
    """Offset of its first character in the message."""
    asserted: str
    """The same characters, with each one of a quotation or of code replaced by COVER."""
    language: Language
    """Language by script and function words."""

    @property
    def end(self) -> int:
        """Offset after its last character in the message."""
        return self.start + len(self.text)

    @property
    def has_quotation(self) -> bool:
        """Whether some of it is quoted or code."""
        return COVER in self.asserted

    @property
    def is_question(self) -> bool:
        """Whether it asks, by its mark or without one by its first or last words."""
        if "?" in self.asserted or "？" in self.asserted:
            return True
        asks = _ASKS_KO.search(self.asserted) if self.language == "ko" else _ASKS_EN.match(self.asserted)
        return asks is not None


def split_sentences(text: str) -> tuple[Sentence, ...]:
    """The sentences of a text in order.

    Args:
        text: Any text; pass it in NFC, as the rules compare composed characters.
    """
    asserted = cover_cited(text)
    return tuple(
        Sentence(text[start:end], start, asserted[start:end], language_of(asserted[start:end]))
        for start, end in _spans(asserted)
    )


def cover_cited(text: str) -> str:
    """The text with quotations and code covered up, of the same length; curly apostrophes made straight."""
    if _MAY_CITE.search(text):
        text = _CITED.sub(lambda match: COVER * len(match[0]), text)
    return text.replace("’", "'")


def language_of(text: str) -> Language:
    """The language of a sentence: Korean words with Latin names in them are Korean, and the other way round."""
    if text.isascii():
        return "en" if _LATIN.search(text) else "other"
    if not _BEYOND_LATIN.search(text):
        return "en" if _LATIN.search(text) else "other"
    hangul, latin = len(_HANGUL.findall(text)), len(_LATIN.findall(text))
    if hangul and (hangul >= latin or not _ENGLISH_WORD.search(text)):
        return "ko"
    return "en" if latin > sum(unicodedata.category(c) == "Lo" for c in text) - hangul else "other"


def is_hypothetical(text: str, language: Language) -> bool:
    """Whether a sentence supposes, wishes, plans or plays instead of asserting."""
    return (_SUPPOSES_KO if language == "ko" else _SUPPOSES_EN).search(text) is not None


def is_reported(text: str, language: Language) -> bool:
    """Whether a sentence gives the words or thoughts of somebody."""
    return (_REPORTS_KO if language == "ko" else _REPORTS_EN).search(text) is not None


def is_negated(text: str, language: Language) -> bool:
    """Whether a clause denies something."""
    return (_NEGATES_KO if language == "ko" else _NEGATES_EN).search(text) is not None


def _spans(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for match in _END.finditer(text):
        if match[0] == "." and _ABBREVIATION.search(text, max(start, match.end() - _LONGEST), match.end()):
            continue
        yield from _trimmed(text, start, match.end())
        start = match.end()
    yield from _trimmed(text, start, len(text))


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    words = text[start:end]
    first = start + len(words) - len(words.lstrip())
    last = first + len(words.strip())
    if last > first:
        yield first, last
