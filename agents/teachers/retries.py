"""How long to wait for an endpoint, and when to stop asking: back-off with jitter, Retry-After, a circuit breaker."""

from __future__ import annotations

import email.utils
import random
import time
from collections.abc import Mapping
from dataclasses import dataclass

from crucible.errors import TeacherError

FIRST_DELAY = 0.5
"""Seconds: about how long the first wait is; each further one is twice as long."""
LONGEST_DELAY = 60.0
"""Seconds: no wait is longer, whatever the endpoint asks for."""


def retry_delay(attempt: int, retry_after: float | None) -> float:
    """Seconds to wait after an attempt (0 is the first) that failed; at least `retry_after`, if the endpoint asked."""
    jittered = random.uniform(0.5, 1.0) * min(LONGEST_DELAY, FIRST_DELAY * 2**attempt)
    return jittered if retry_after is None else min(LONGEST_DELAY, retry_after + random.uniform(0, FIRST_DELAY))


def read_retry_after(headers: Mapping[str, str]) -> float | None:
    """The seconds that an endpoint's headers ask to wait, given as a number or as a date; None when they do not say."""
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            return max(0.0, float(headers[name]) / unit)
        except (KeyError, ValueError):
            continue
    return _seconds_until(headers.get("retry-after", ""))


def _seconds_until(date: str) -> float | None:
    """Seconds until a date in the form of HTTP headers; None when it is none."""
    try:
        return max(0.0, email.utils.parsedate_to_datetime(date).timestamp() - time.time())
    except (TypeError, ValueError):
        return None


@dataclass
class CircuitBreaker:
    """Leaves an endpoint alone for `rest` seconds after `threshold` failures in a row; then one request may try."""

    threshold: int = 6
    rest: float = 30.0
    failures: int = 0
    opened: float = 0.0

    def check(self) -> None:
        """Raise TeacherError while the endpoint is left alone. The first to ask after that is the trial."""
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
