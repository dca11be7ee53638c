"""A proportion with its interval: pure arithmetic that patterns and procedures share."""

from __future__ import annotations

import math
from statistics import NormalDist

from graphmem.models.pattern import Interval

Z = NormalDist().inv_cdf(0.975)
"""Half the width of a 95 % interval, in standard errors."""


def wilson_interval(share: float, size: float) -> Interval:
    """95 % interval of a proportion (Wilson 1927).

    Args:
        share: Of successes, 0..1.
        size: Witnesses, the effective number of them where they come in clusters; above 0.
    """
    centre = share + Z * Z / (2 * size)
    half = Z * math.sqrt(share * (1 - share) / size + Z * Z / (4 * size * size))
    scale = 1 + Z * Z / size
    # rounding must not put the share itself outside
    return max(0.0, min(share, (centre - half) / scale)), min(1.0, max(share, (centre + half) / scale))
