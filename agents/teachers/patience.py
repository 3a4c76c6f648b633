"""How long to wait for an endpoint, and when to stop asking: back-off with jitter, Retry-After, a circuit breaker."""

from __future__ import annotations

import email.utils
import random
import time
from collections.abc import Mapping
from dataclasses import dataclass

from crucible.errors import TeacherError

FIRST, LONGEST = 0.5, 60.0
"""Seconds: about the first wait, and no wait is longer."""


def pause(attempt: int, asked: float | None) -> float:
    """How long to wait before the next attempt (0 is the first). What the endpoint asks for is the least."""
    jittered = random.uniform(0.5, 1.0) * min(LONGEST, FIRST * 2**attempt)
    return jittered if asked is None else min(LONGEST, asked + random.uniform(0, FIRST))


def retry_after(headers: Mapping[str, str]) -> float | None:
    """The seconds an endpoint asks for, given as a number or as a date."""
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            return max(0.0, float(headers[name]) / unit)
        except (KeyError, ValueError):
            continue
    return _until(headers.get("retry-after", ""))


def _until(date: str) -> float | None:
    try:
        return max(0.0, email.utils.parsedate_to_datetime(date).timestamp() - time.time())
    except (TypeError, ValueError):
        return None


@dataclass
class Breaker:
    """After `threshold` failures in a row nobody asks for `rest` seconds; then one may try."""

    threshold: int = 6
    rest: float = 30.0
    failures: int = 0
    opened: float = 0.0

    def check(self) -> None:
        """TeacherError while the endpoint is left alone. Whoever comes first after that is the trial."""
        if self.failures < self.threshold:
            return
        left = self.opened + self.rest - time.monotonic()
        if left > 0:
            raise TeacherError(
                f"the endpoint failed {self.failures} times in a row and is left alone for {left:.0f} s more",
                "see whether the endpoint is up; `teacher.base_url` says where it is looked for",
            )
        self.opened = time.monotonic()

    def succeeded(self) -> None:
        self.failures = 0

    def failed(self) -> None:
        self.failures += 1
        self.opened = time.monotonic()
