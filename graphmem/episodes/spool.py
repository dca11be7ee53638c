"""Keeps a recording in a file while the store is away: one JSON Lines file an episode, beside the store.

The file is written whole and put in its place at once, so it can be imported whatever happened.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

from graphmem.errors import StoreUnavailableError
from graphmem.models.episode import Episode

_READABLE = 40
"""Characters of a name that stand in a file's name as they are."""
_DIGITS = 32
"""Hex digits of a hash in a file's name: 128 bits, so that nobody can choose a name with another one's."""
_BETWEEN, _HASHED = "@", "="
"""Stand in no quoted name: no tenant's name runs into an episode's, and no plain name looks like a hashed one."""


class SpooledEpisodesWarning(UserWarning):
    """Recordings wait in files to be imported, because the store was away."""


@dataclass(frozen=True, slots=True)
class Spool:
    """Where the recordings of one tenant go."""

    folder: Path
    stem: str
    """Begin of every file's name: that of the store's own file."""
    tenant: str
    lines: Callable[[Episode], bytes]
    """An episode as JSON Lines that an import reads."""

    def path(self, episode: str) -> Path:
        """The file of an episode."""
        return self.folder / f"{self._begin()}{_file_name(episode)}.jsonl"

    def holds(self, episode: str) -> bool:
        """Whether a recording of this id waits already."""
        return self.path(episode).exists()

    def files(self) -> tuple[Path, ...]:
        """What waits to be imported, by name."""
        begin = self._begin()
        try:
            found = [path for path in self.folder.iterdir() if path.name.startswith(begin)]
        except OSError:
            return ()  # nothing was ever kept in a folder that is not there, or that nobody may read
        return tuple(sorted(path for path in found if path.suffix == ".jsonl"))

    def write(self, episode: Episode) -> Path:
        """Keep an episode as it is now.

        Raises:
            StoreUnavailableError: The file cannot be written either.
        """
        path = self.path(episode.id)
        beside = path.with_suffix(f".{os.getpid()}.part")
        try:
            beside.write_bytes(self.lines(episode))
            beside.replace(path)
        except OSError as fault:
            raise StoreUnavailableError(
                f"the store is away, and {path} cannot be written either: {fault.strerror}; free the disk or the"
                " folder, or record with on_error='raise'"
            ) from fault
        return path

    def _begin(self) -> str:
        return f"{self.stem}.spool-{_file_name(self.tenant)}{_BETWEEN}"


def _file_name(name: str) -> str:
    """A name as a part of a file's name, distinct for distinct names, also where case does not count."""
    plain = quote(name, safe="")
    if len(plain) <= _READABLE and plain == name.lower():
        return plain
    return f"{plain[:_READABLE]}{_HASHED}{sha256(name.encode()).hexdigest()[:_DIGITS]}"
