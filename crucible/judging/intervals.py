"""How far a rate that was counted may be from the true one."""

from __future__ import annotations

import math

Z = 1.959964
"""Of the normal distribution, for 95 per cent."""


def wilson_interval(passed: int, attempts: int) -> tuple[float, float]:
    """Between which rates the true one lies, at 95 per cent: Wilson's interval, which holds for few attempts too."""
    rate = passed / attempts
    centre = rate + Z * Z / (2 * attempts)
    spread = Z * math.sqrt(rate * (1 - rate) / attempts + Z * Z / (4 * attempts * attempts))
    whole = 1 + Z * Z / attempts
    return round(max(0.0, (centre - spread) / whole), 4), round(min(1.0, (centre + spread) / whole), 4)
