"""Words for times that no calendar dates, such as seasons and holidays, in Korean and English: pure.

They date nothing, but what stands beside them can be read once they are covered: 올여름에 부산으로 이사했어.
Left out: a season or holiday that is spoken of itself (여름을 좋아해요, "I love summer"), and habits
(매년 여름에).
"""

from __future__ import annotations

import re

_SEASON_KO = (
    r"(?:(?:초|늦|한|이른\s|늦은\s)?(?:봄|여름|가을|겨울)(?:\s?방학|철)?"
    r"|설날?|추석|명절|크리스마스|(?:황금\s?)?연휴)"
)
_WHICH_KO = r"(?:올해?|지난해?|저번|이번|다음|작년|재작년|내년|금년|그해|(?:19|20)\d\d\s?년(?:도)?)"
_WHEN_KO = r"(?:에는?|엔|부터는?|까지는?|이후로?는?|쯤에?|무렵에?|\s?(?:동안|내내))"
_KOREAN = re.compile(
    rf"(?<![\w-])(?<!매년\s)(?<!매해\s)(?:{_WHICH_KO}\s?{_SEASON_KO}(?:\s?(?:초|말))?{_WHEN_KO}?|{_SEASON_KO}{_WHEN_KO})(?!\w)"
)

_SEASON_EN = r"(?:spring|summer|autumn|fall|winter)(?:time|\s+(?:break|holidays?))?"
_HOLIDAY_EN = r"(?:Christmas|Easter|Thanksgiving|New\s+Year(?:'s(?:\s+(?:Day|Eve))?)?)"
_LEAD_EN = r"(?:back\s+)?(?:in|during|since|from|until|by|over|around|at)\s+"
_STEP_EN = r"(?:(?:the|this|last|past|previous|that|next)\s+)"
_PART_EN = r"(?:(?:early|late|mid)[\s-]+)"
_YEAR_EN = r"(?:,?\s+(?:of\s+)?(?:(?:19|20)\d\d|(?:last|this|that)\s+year|the\s+year\s+before))"
_GOES_ON_EN = r"(?=\s*(?:$|[^\w\s'-])|\s+(?:I|we|my|our|and|but|so|to|with|because|after|before|when|while)\b)"
"""What shows that a season names nothing longer, as it does in "Winter Park" and "summer school"."""

_ENGLISH = re.compile(
    rf"(?<![\w-])(?:(?:{_LEAD_EN})?{_STEP_EN}{_PART_EN}?|{_LEAD_EN}{_PART_EN}?)"
    rf"(?:{_SEASON_EN}|{_HOLIDAY_EN}){_YEAR_EN}?{_GOES_ON_EN}",
    re.IGNORECASE | re.ASCII,
)

_HINT = re.compile(
    r"봄|여름|가을|겨울|설|추석|명절|크리스마스|연휴|spring|summer|autumn|fall|winter|christmas|easter|thanksgiving|new\s+year",
    re.IGNORECASE,
)


def undated_times(text: str) -> tuple[tuple[int, int], ...]:
    """Where a text says when without a date, particles and prepositions included.

    >>> undated_times("올여름에 부산으로 이사했어")
    ((0, 4),)

    Args:
        text: In NFC, Korean or English or both.

    Returns:
        Start and end of each place, in order.
    """
    if not _HINT.search(text):
        return ()
    return tuple(sorted(match.span() for pattern in (_KOREAN, _ENGLISH) for match in pattern.finditer(text)))
