"""The file in which a user keeps the weights of the second stage: numpy arrays, no code in it."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np

from graphmem.errors import ModelError
from graphmem.language.relations.second_stage import Weights


def write_weights(path: Path, weights: Weights) -> None:
    """Write weights as a compressed `.npz` file.

    Args:
        path: Where to; a file there is replaced.
        weights: What was learned.
    """
    names = sorted(weights.names, key=lambda name: weights.names[name])
    with path.open("wb") as file:
        np.savez_compressed(
            file,
            classes=np.array(weights.classes),
            names=np.array(names),
            named=weights.named,
            dense=weights.dense,
        )


def read_weights(path: Path) -> Weights:
    """Read what `write_weights` wrote.

    Raises:
        ModelError: The file is not there, or it is no such file.
    """
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as kept:
            weights = Weights(
                classes=tuple(map(str, kept["classes"])),
                names={str(name): place for place, name in enumerate(kept["names"])},
                named=kept["named"],
                dense=kept["dense"],
            )
    except (OSError, EOFError, KeyError, ValueError, zipfile.BadZipFile) as error:
        raise ModelError(
            f"{path} holds no weights of the second stage: train them with `benchmarks/relations.py train`"
        ) from error
    if weights.named.shape != (len(weights.names), len(weights.classes)):
        raise ModelError(f"the weights in {path} are damaged: train them anew")
    return weights
