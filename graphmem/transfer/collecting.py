"""Keeps Python's cycle collector from going through the records of a batch over and over."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_FRESH = 200_000
"""Objects that are made before the youngest generation is gone through: about an eighth of a batch."""

_OLDEST = 100
"""Collections of the middle generation before all is gone through."""


@contextmanager
def fewer_collections() -> Iterator[None]:
    """Collect less often for a while.

    A batch makes more than a million objects without a cycle among them, which die with it: looking for
    cycles took a quarter of an import's time.
    """
    usual = gc.get_threshold()
    gc.set_threshold(_FRESH, usual[1], _OLDEST)
    try:
        yield
    finally:
        gc.set_threshold(*usual)
