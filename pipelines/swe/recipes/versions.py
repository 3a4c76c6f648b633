"""Version requirements, as far as the choice of a compiler or interpreter needs them: `>=3.9,<4`, `^18 || >=20`."""

from __future__ import annotations

import re
from collections.abc import Sequence

CLAUSE = re.compile(r"(>=|<=|==|!=|~=|\^|~|>|<|=)?\s*v?(\d+(?:\.\d+)*)")


def numbers(version: str) -> tuple[int, ...]:
    """`v3.11.2` is (3, 11, 2); what is not a number ends it."""
    found = re.match(r"\D*(\d+(?:\.\d+)*)", version)
    return tuple(int(part) for part in found[1].split(".")) if found else ()


def admits(wanted: str, version: str) -> bool:
    """Whether a requirement admits a version. One that cannot be read admits everything."""
    return any(all(_holds(s, b, version) for s, b in CLAUSE.findall(part)) for part in wanted.split("||"))


def choose(wanted: str, versions: Sequence[str]) -> str:
    """The first version that is admitted; the first of all when none is."""
    return next((version for version in versions if admits(wanted, version)), versions[0])


def _holds(sign: str, bound: str, version: str) -> bool:
    low, have = numbers(bound), numbers(version)
    same = have[: len(low)] == low[: len(have)]
    if sign in (">=", ">"):
        return have >= low[: len(have)] and not (sign == ">" and same)
    if sign in ("<", "<="):
        return have < low or (sign == "<=" and same)
    if sign == "!=":
        return not same
    if sign in ("^", "~="):
        keep = 1 if sign == "^" else max(1, len(low) - 1)
        return have[:keep] == low[:keep] and have >= low[: len(have)]
    return same
