"""Under which version of its licence a site's text stands, by the day it was written."""

from __future__ import annotations

VERSIONS = (("2018-05-02", "CC BY-SA 4.0"), ("2011-04-08", "CC BY-SA 3.0"), ("", "CC BY-SA 2.5"))
"""The first day of each version, the youngest first."""


def licence_of(stated: str, written: str) -> str:
    """The licence that the text's row states, else the one of the day on which its present text was written."""
    return stated or next(name for first_day, name in VERSIONS if written >= first_day)
