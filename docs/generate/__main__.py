"""`python -m docs.generate`: write the generated pages and blocks; with `--check` only name the stale ones."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from docs.generate import commands, cues, cypher, errors, facts, graph, relations, settings

DOCS = Path(__file__).parents[1]

PAGES: dict[str, Callable[[], str]] = {
    "reference/cli.md": commands.page,
    "reference/cues.md": cues.page,
    "reference/cypher.md": cypher.page,
    "reference/errors.md": errors.page,
    "reference/facts.md": facts.page,
    "reference/relations.md": relations.page,
    "reference/settings.md": settings.page,
}
"""Pages that are generated as a whole."""

BLOCKS: dict[str, dict[str, Callable[[], str]]] = {
    "explanation/graph-model.md": {
        "picture": graph.picture,
        "labels": graph.labels,
        "relationships": graph.relationships,
    },
}
"""Generated blocks by page and name, each between `<!-- begin NAME -->` and `<!-- end NAME -->`."""


def rendered() -> Iterator[tuple[Path, str]]:
    """Every generated file with the text it must have."""
    for name, page in PAGES.items():
        yield DOCS / name, page()
    for name, blocks in BLOCKS.items():
        text = (DOCS / name).read_text(encoding="utf-8")
        for block, make in blocks.items():
            text = filled(text, block, make())
        yield DOCS / name, text


def filled(text: str, block: str, content: str) -> str:
    """A page with the content of one block replaced.

    Raises:
        ValueError: The page has no such block.
    """
    marks = re.compile(rf"(<!-- begin {block} -->\n).*?(<!-- end {block} -->)", re.DOTALL)
    found, count = marks.subn(lambda match: f"{match[1]}{content}{match[2]}", text)
    if count != 1:
        raise ValueError(f"the page needs one block between the marks begin {block} and end {block}, not {count}")
    return found


def main(arguments: list[str]) -> int:
    """Write what is stale, or only name it."""
    stale = [
        (path, text) for path, text in rendered() if not path.is_file() or path.read_text(encoding="utf-8") != text
    ]
    for path, text in stale:
        name = path.relative_to(DOCS.parent)
        if "--check" in arguments:
            sys.stdout.write(f"{name} differs from what the code says: run `make docs`\n")
        else:
            path.write_text(text, encoding="utf-8")
            sys.stdout.write(f"{name} written\n")
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
