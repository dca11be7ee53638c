"""The page of commands, which the command line writes itself."""

from __future__ import annotations

from graphmem.cli.reference import page

__all__ = ["page"]
