"""Version requirements, as far as the choice of a compiler or interpreter needs them: `>=3.9,<4`, `^18 || >=20`."""

from __future__ import annotations

import re
from collections.abc import Sequence

CLAUSE = re.compile(r"(>=|<=|==|!=|~=|\^|~|>|<|=)?\s*v?(\d+(?:\.\d+)*)")
# matches: >=3.9  ^18  v20.1
VERSION = re.compile(r"\D*(\d+(?:\.\d+)*)")
# matches: v3.11.2  go1.21


def parse_version(version: str) -> tuple[int, ...]:
    """The numbers of a version: `v3.11.2` is (3, 11, 2). What is not a number ends it; empty when there is none."""
    match = VERSION.match(version)
    return tuple(int(part) for part in match[1].split(".")) if match else ()


def admits_version(requirement: str, version: str) -> bool:
    """Whether a requirement admits a version. One that cannot be read admits everything."""
    alternatives = requirement.split("||")
    return any(all(_holds(sign, bound, version) for sign, bound in CLAUSE.findall(part)) for part in alternatives)


def choose_version(requirement: str, versions: Sequence[str]) -> str:
    """The first version that the requirement admits; the first of all when it admits none."""
    return next((version for version in versions if admits_version(requirement, version)), versions[0])


def _holds(sign: str, bound: str, version: str) -> bool:
    """Whether a version satisfies one clause of a requirement, compared to as many numbers as both have."""
    low, have = parse_version(bound), parse_version(version)
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
