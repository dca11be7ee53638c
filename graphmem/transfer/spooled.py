"""An episode as the lines of a file of its own, which an import reads back: what a recording spools."""

from __future__ import annotations

from graphmem.models.episode import Episode
from graphmem.transfer.later_outcomes import as_given
from graphmem.transfer.writing import HEADER, to_line, to_record


def spool_lines(episode: Episode) -> bytes:
    """A header, the episode as it was given, and what was said of its outcome by others."""
    given, later = as_given(episode)
    return b"".join(map(to_line, [HEADER, to_record(given), *map(to_record, later)]))
