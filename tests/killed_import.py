"""An import in a process of its own, which a test kills: `python killed_import.py STORE FILE`."""

from __future__ import annotations

import sys
from pathlib import Path

from graphmem.transfer.importing import import_records
from graphmem.transfer.policy import ImportOptions, ImportPolicy
from graphmem.transfer.sources import file_source
from transferring import sqlite_workspace

if __name__ == "__main__":
    import_records(
        sqlite_workspace(Path(sys.argv[1])),
        [file_source(sys.argv[2])],
        ImportOptions(policy=ImportPolicy(batch_records=20)),
        progress=lambda *_: print("batch", flush=True),  # noqa: T201 (tells the test how far it is)
    )
