"""Links inside the documents lead somewhere: to a file, and to a heading in it."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

from document_blocks import ROOT, documents

LINK = re.compile(r"(?<!!)\[[^\]]+\]\((?P<target>[^)\s]+)\)")
CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def _anchors(page: Path) -> set[str]:
    """The anchors that Markdown viewers give to headings: words in lower case joined by hyphens."""
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    kept = (
        "".join(c for c in heading.lower() if c in " -_" or unicodedata.category(c)[0] in "LNM")
        for heading in HEADING.findall(text)
    )
    return {words.replace(" ", "-") for words in kept}


def test_every_internal_link_leads_to_a_file_and_a_heading_in_it() -> None:
    broken = []
    for page in documents():
        for match in LINK.finditer(CODE.sub("", page.read_text(encoding="utf-8"))):
            target, _, anchor = match["target"].partition("#")
            if "://" in target:
                continue
            file = (page.parent / target).resolve() if target else page
            is_broken = not file.exists() or (anchor and file.suffix == ".md" and anchor not in _anchors(file))
            if is_broken:
                broken.append(f"{page.relative_to(ROOT)}: {match['target']}")
    assert broken == []


def test_every_page_is_linked_from_the_table_of_contents() -> None:
    contents = ROOT / "docs" / "index.md"
    linked = {
        (contents.parent / match["target"].partition("#")[0]).resolve()
        for match in LINK.finditer(contents.read_text(encoding="utf-8"))
    }
    pages = {page for page in documents() if page.is_relative_to(ROOT / "docs") and page != contents}
    assert sorted(page.relative_to(ROOT).as_posix() for page in pages - linked) == []
