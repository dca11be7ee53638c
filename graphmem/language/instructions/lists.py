"""Finds instructions in lists under a heading that names a goal, in English and Korean: pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from graphmem.language.instructions.korean import step_name
from graphmem.language.instructions.values import Instruction, for_goal
from graphmem.language.instructions.verbs import from_gerund, is_step

_ITEM = re.compile(r"[ \t]*(?:\d{1,2}[.)]|[-*•]|[①-⑳])[ \t]*(?P<step>\S.*?)[ \t.]*$")
_HEADING_EN = re.compile(
    r"(?:(?:please\s+)?remember(?:\s+this)?\s*[,:]\s*)?(?:(?:how|(?:the\s+)?steps)\s+to\s+(?P<how>[^:?]{2,80}?)"
    r"|(?:in\s+order\s+)?to\s+(?P<goal>[^:?]{2,80}?))\s*:\s*$"
    r"|(?:steps|procedure|process|checklist)\s+(?:for|of)\s+(?P<ing>[^:?]{2,80}?)\s*:\s*$",
    re.IGNORECASE,
)
_HEADING_KO = re.compile(
    r"(?P<goal>[^:?]{1,40}?)(?:하려면|으려면|려면|하는\s?(?:방법|법|순서|절차)|는\s?(?:방법|법|순서|절차)|\s(?:방법|절차|순서|단계))(?:은|는)?(?:\s?다음과\s?같다|\s?이렇다)?\s*:\s*$"
)
FEWEST = 2
"""Steps of a list."""


def instructions_of_lists(text: str) -> Iterator[tuple[Instruction, int, int]]:
    """Each list of orders under a heading, with the offsets of heading and list in the text."""
    heading: tuple[str, int] | None = None
    steps: list[str] = []
    place = 0
    for line in [*text.splitlines(keepends=True), ""]:
        item = _ITEM.match(line.rstrip("\r\n"))
        if item is not None and heading is not None:
            steps.append(item["step"])
        elif line.strip() or not line:
            if heading is not None:
                found = _instruction(heading[0], steps, text[heading[1] : place].strip())
                if found is not None:
                    yield found, heading[1], place
            heading, steps = (line.strip(), place), []
        place += len(line)


def _instruction(heading: str, steps: list[str], evidence: str) -> Instruction | None:
    if len(steps) < FEWEST:
        return None
    match = _HEADING_EN.match(heading)
    if match is not None:
        goal = match["how"] or match["goal"] or from_gerund(match["ing"] or "")
        # "to do:" heads a list of errands
        is_fit = bool(match["how"]) or is_step(goal or "")
        return (
            for_goal(goal, tuple(steps), evidence, "en.list")
            if goal and is_fit and all(map(is_step, steps))
            else None
        )
    match = _HEADING_KO.match(heading)
    if match is None:
        return None
    return for_goal(match["goal"].strip(), tuple(map(step_name, steps)), evidence, "ko.list")
