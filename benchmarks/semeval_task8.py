"""SemEval-2010 task 8: its sentences, the two nominals that each marks, and triples held against its labels."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from graphmem.language.extraction import ConceptMention, ExtractedRelation

RELATIONS = {"Cause-Effect": "causes", "Component-Whole": "part_of", "Member-Collection": "member_of"}
"""Labels that are relations of ours; the first one named is our head."""

_LABEL = re.compile(r"(?P<name>[\w-]+)(?:\((?P<first>e[12]),(?P<second>e[12])\))?")
_MARKED = re.compile(r"<(e[12])>(.*?)</\1>")


@dataclass(frozen=True, slots=True)
class Marked:
    """A labelled sentence."""

    text: str
    spans: tuple[tuple[int, int], tuple[int, int]]
    """First and last offset of e1 and of e2."""
    relation: str
    """Ours, or empty for all others."""
    reverse: bool
    """Whether e2 is the head."""


def read(path: Path) -> list[Marked]:
    """The labelled sentences of a file in the task's own form."""
    lines = path.read_text(encoding="utf-8").splitlines()
    numbered = [place for place, line in enumerate(lines) if re.match(r"\d+\t", line)]
    return [_marked(lines[place].partition("\t")[2], lines[place + 1].strip()) for place in numbered]


def _marked(line: str, label: str) -> Marked:
    quoted = line.strip().removeprefix('"').removesuffix('"')
    text, spans, last = "", {}, 0
    for match in _MARKED.finditer(quoted):
        text += quoted[last : match.start()]
        spans[match[1]] = (len(text), len(text) + len(match[2]))
        text += match[2]
        last = match.end()
    text += quoted[last:]
    found = _LABEL.match(label)
    assert found is not None, label  # noqa: S101 (the file has another form)
    return Marked(text, (spans["e1"], spans["e2"]), RELATIONS.get(found["name"], ""), found["first"] == "e2")


def joining(marked: Marked, relations: Iterable[ExtractedRelation]) -> Iterator[tuple[ExtractedRelation, bool]]:
    """The triples that join the two marked nominals, each with whether e2 is its head."""
    first, second = marked.spans
    for one in relations:
        if _meets(one.head, first) and _meets(one.tail, second):
            yield one, False
        elif _meets(one.head, second) and _meets(one.tail, first):
            yield one, True


def _meets(mention: ConceptMention, span: tuple[int, int]) -> bool:
    return mention.start < span[1] and span[0] < mention.end
