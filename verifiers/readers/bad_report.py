"""What every reader refuses: bytes that are no report, or too many of them."""

from __future__ import annotations

LARGEST_REPORT_BYTES = 32 << 20


class BadReport(ValueError):
    """The bytes are no report; the message says why."""


def check_size(report: bytes) -> None:
    """BadReport when nothing was written, or too much."""
    if not report:
        raise BadReport("no report was written")
    if len(report) > LARGEST_REPORT_BYTES:
        raise BadReport("the report is too large")
