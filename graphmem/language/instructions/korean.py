"""Finds instructions in one Korean sentence: pure.

Three forms: steps for a goal (배포하려면 먼저 ... 그다음 ...), steps without one (먼저 ... 그다음 ...), and rules
that hold every time (... 전에는 항상 ...). The last step must be an order or a duty; stories, questions and
single requests are none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from graphmem.language.instructions.values import Instruction, for_goal, of_steps
from graphmem.language.particles import final_consonant
from graphmem.language.sentences import Sentence

_OPENER = re.compile(r"(?:기억해(?:\s?(?:줘|둬|주세요))?|명심해(?:요|라)?|참고로|중요해요?|앞으로는?)\s*[,:.]?\s+")
_ORDER = re.compile(
    r"(?:(?<![았었했갔왔])(?:으세요|세요|십시오|십쇼|어\s?줘요?|아\s?줘요?|해\s?줘요?|여\s?줘요?|줘|주세요|둬)"
    r"|(?:[해려어아여켜워와춰쳐꿔봐놔둬내])(?:라|요)?|[야]\s?(?:해요?|한다|합니다|돼요?|된다|됩니다)"
    r"|지\s?(?:마|마라|마세요|말\s?것|말아요?|말아라)|(?:할|을|ㄹ)\s?것|도록\s?(?:해요?|한다|합니다|하세요)"
    r"|(?:면)\s?(?:돼요?|된다|됩니다))\s*$"
)
"""How an order or a duty ends."""
_NO_ORDER = re.compile(
    r"(?:[았었했갔왔랐났렸졌])(?:다|어|어요|습니다|는데)\s*$|(?:했|았|었)고|다고|라고\s?(?:했|하)|(?:할|갈|볼|줄|올|둘|쓸|릴|을)게(?=[\s,]|$)|필요는?\s?없"
    r"|만약|만일|혹시|아마|좋겠|것\s?같|거\s?같|고마워|나\s?봐|어제|그제|지난\s?(?:주|달|해)|작년|나는|내가|저는|제가|우리는|우리가|그는|그녀는"
)
_GOAL = re.compile(r"(?P<goal>[^,.:]{1,40}?)(?:하려면|으려면|려면|하기\s?위해서?는?)\s*[,:]?\s+(?P<rest>.+)")
_FIRST = re.compile(r"(?:먼저|우선|일단|첫째로?|처음에는?)\s*,?\s+")
_THEN = re.compile(
    r"[,.]?\s*(?:그\s?다음(?:에는?|으로)?|다음으로|그러고\s?나서|그리고\s?나서|그\s?후에?|둘째로?|셋째로?|마지막으로|끝으로)\s*,?\s+"
)
_JOINED = re.compile(r"(?<=[가-힣])(?:고|(?<=[ㄱ-힣])\s(?:다음에?|뒤에?|후에?))\s*,?\s+")
_GENERIC = re.compile(r"항상|언제나|늘\s|매번|무조건|반드시|앞으로|절대|때마다")
_BEFORE = re.compile(r"(?P<second>[^,]+?)(?P<ending>기|\s)\s?전에(?:는|도)?\s*,?\s+(?P<first>.+)")
_AFTER = re.compile(r"(?P<first>[^,]+?[가-힣])\s(?:후에|뒤에|다음에)(?:는)?\s*,?\s+(?P<second>.+)")
_WHENEVER = re.compile(r"(?P<when>[^,]+?[가-힣])\s때(?:마다|는|에는)\s*,?\s+(?P<step>.+)")
_ADVERB = re.compile(r"(?:^|(?<=\s))(?:항상|언제나|늘|매번|무조건|반드시|꼭|앞으로는?|절대로?|먼저|우선)\s+")
_FORBIDDEN = re.compile(r"지\s?(?:마|마라|마세요|말\s?것|말아요?|말아라)\s*$")

_LIGHT = re.compile(
    r"(?:을|를)?\s?(?:하십시오|하세요|해\s?주세요|해\s?줘요?|해야\s?(?:합니다|해요?|한다|돼요?|된다|됩니다)|해라|해요|합니다|한다|하기|하고|한|해|하지"
    r"|하면\s?(?:돼요?|된다|됩니다)|할|하도록\s?(?:해요?|한다|합니다|하세요))\s*$"
)
"""Endings of 하다: what stands before it names the action."""
_POLITE = re.compile(
    r"\s?(?:으세요|세요|십시오|주세요|줘요?|야\s?(?:합니다|해요?|한다|돼요?|된다|됩니다)|라|요)\s*$"
)
_BEHIND = re.compile(r"\s(?:다음|뒤|후)에?$")
_CONNECTIVE = re.compile(r"고\s*$")


def instructions_of_korean(sentence: Sentence) -> Iterator[Instruction]:
    """What a sentence tells its reader to do, at most one thing."""
    covered = sentence.asserted.rstrip(" .!~")
    if sentence.is_question or _NO_ORDER.search(covered) or not _ORDER.search(covered):
        return
    opener = _OPENER.match(covered)
    start = opener.end() if opener else 0
    written, covered = sentence.text[start : len(covered)], covered[start:]
    is_generic = _GENERIC.search(sentence.asserted) is not None
    found = _goal(written, covered, sentence.text) or _sequence(written, covered, sentence.text)
    if found is None and is_generic:
        found = _rule(written, covered, sentence.text)
    if found is not None:
        yield found


def step_name(clause: str) -> str:
    """A clause as the name of an action: without 하다 and without polite endings.

    >>> step_name("이미지를 빌드하세요"), step_name("서버를 멈추고"), step_name("서버에 올려")
    ('이미지를 빌드', '서버를 멈추기', '서버에 올려')
    """
    clause = _BEHIND.sub("", clause.strip(" ,.:"))
    light = _LIGHT.search(clause)
    if light and light.start() > 0 and clause[light.start() - 1].isalnum() and clause[light.start() - 1] != "야":
        return clause[: light.start()].strip()
    if _CONNECTIVE.search(clause):
        return _CONNECTIVE.sub("기", clause)
    if clause.endswith("은") and final_consonant(clause[:-1]):
        return f"{clause[:-1]}기"
    return _POLITE.sub("", clause).strip()


def steps_of_sequence(written: str, covered: str) -> tuple[str, ...] | None:
    """The steps that 먼저, 그다음 and 마지막으로 cut a text into; None where there are fewer than two."""
    first = _FIRST.match(covered)
    begin = first.end() if first else 0
    cuts = list(_THEN.finditer(covered, begin))
    return _cut(written, [(begin, begin), *(match.span() for match in cuts)])


def joined_steps(written: str, covered: str) -> tuple[str, ...] | None:
    """The steps that connective endings join; None where there are fewer than two."""
    cuts = [
        (match.start() + 1 if match[0].startswith("고") else match.start(), match.end())
        for match in _JOINED.finditer(covered)
    ]
    return _cut(written, [(0, 0), *cuts])


def _cut(written: str, cuts: list[tuple[int, int]]) -> tuple[str, ...] | None:
    bounds = [*cuts, (len(written), len(written))]
    parts = [written[end:start] for (_, end), (start, _) in pairwise(bounds)]
    steps = tuple(step_name(part) for part in parts)
    return steps if len(steps) > 1 and all(steps) else None


def _goal(written: str, covered: str, sentence: str) -> Instruction | None:
    match = _GOAL.match(covered)
    if match is None:
        return None
    start, end = match.span("rest")
    rest = written[start:end], covered[start:end]
    steps = steps_of_sequence(*rest) or joined_steps(*rest)
    goal = written[slice(*match.span("goal"))].strip()
    return None if steps is None else for_goal(goal, steps, sentence, "ko.goal")


def _sequence(written: str, covered: str, sentence: str) -> Instruction | None:
    if not _FIRST.match(covered):
        return None
    steps = steps_of_sequence(written, covered)
    return None if steps is None else of_steps(steps, sentence, "ko.sequence")


def _rule(written: str, covered: str, sentence: str) -> Instruction | None:
    match = _BEFORE.fullmatch(covered)
    if match is not None:
        return _before(written, match, sentence)
    match = _AFTER.fullmatch(covered)
    if match is not None:
        steps = tuple(_action(written, match, group) for group in ("first", "second"))
        return of_steps(steps, sentence, "ko.after") if all(steps) else None
    match = _WHENEVER.fullmatch(covered)
    if match is None:
        return None
    step, when = _action(written, match, "step"), written[slice(*match.span("when"))].strip()
    if when in {"그럴", "이럴", "저럴", "그런", "이런"}:
        return None
    return of_steps((step,), sentence, "ko.whenever", f"{when} 때") if step else None


def _before(written: str, match: re.Match[str], sentence: str) -> Instruction | None:
    ahead = written[match.start("second") : match.end("ending")].strip()
    one, other = step_name(_ADVERB.sub("", ahead)), _action(written, match, "first")
    if not one or not other:
        return None
    if _FORBIDDEN.search(match["first"]):
        return of_steps((one, step_name(_FORBIDDEN.sub("지", other))), sentence, "ko.never")
    return of_steps((other, one), sentence, "ko.before")


def _action(written: str, match: re.Match[str], group: str) -> str:
    return step_name(_ADVERB.sub("", written[slice(*match.span(group))].strip()))


def opens(sentence: Sentence) -> bool:
    """Whether a sentence may be the first of several steps."""
    return _FIRST.match(sentence.asserted) is not None and not _THEN.search(sentence.asserted)


def over_sentences(sentences: Sequence[Sentence]) -> Iterator[Instruction]:
    """The steps of a first sentence and of those that follow it with 그다음 or 마지막으로, all of them orders."""
    run = [sentences[0]]
    for sentence in sentences[1:]:
        if sentence.language != "ko" or not _THEN.match(sentence.asserted):
            break
        run.append(sentence)
    bodies = [one.asserted.rstrip(" .!~") for one in run]
    is_told = all(_ORDER.search(body) and not _NO_ORDER.search(body) for body in bodies)
    if len(run) < 2 or not is_told or any(one.is_question for one in run):
        return
    written = " ".join(one.text[: len(body)] for one, body in zip(run, bodies, strict=True))
    steps = steps_of_sequence(written, " ".join(bodies))
    if steps is not None:
        yield of_steps(steps, " ".join(one.text for one in run), "ko.sentences")
