"""Programs of awk that have one rule: which lines count, in words."""

from __future__ import annotations

import re
from typing import NamedTuple

RULE = re.compile(r"(?:BEGIN\s*\{[^{}]*\}\s*)?([^{}]+?)\s*(?:\{([^{}]*)\})?")
# matches: /x/   NR > 1 { print $2 }
PATTERN = re.compile(r"(!?)\s*/((?:\\.|[^/\n])+)/")  # matches: !/x/
FIELD = re.compile(r"\$(\d+)\s*(!?~|[=!<>]=|[<>])\s*(?:/((?:\\.|[^/\n])+)/|\"([^\"]*)\"|(-?\d+(?:\.\d+)?))")
# matches: $3 ~ /x/   $1 == "ok"   $2 > 40
COUNT = re.compile(r"F?(NR|NF)\s*([=!<>]=|[<>])\s*(\d+)")  # matches: NR > 1
EVERY = re.compile(r"F?NR\s*%\s*(\d+)\s*==\s*(\d+)")  # matches: NR % 2 == 0

FIELD_SAYS = {
    "~": "matches the pattern",
    "!~": "does not match the pattern",
    "==": "is",
    "!=": "is not",
    "<": "is less than",
    ">": "is more than",
    "<=": "is at most",
    ">=": "is at least",
}
LINE_SAYS = {
    "==": "Only line `{}` counts.",
    "!=": "Line `{}` is left out.",
    "<": "Only lines before line `{}` count.",
    ">": "Only lines behind line `{}` count.",
    "<=": "Only the first `{}` lines count.",
    ">=": "Only lines from line `{}` on count.",
}
NUMBER_SAYS = {
    "==": "`{}`",
    "!=": "another number than `{}`",
    "<": "less than `{}`",
    ">": "more than `{}`",
    "<=": "at most `{}`",
    ">=": "at least `{}`",
}


class Condition(NamedTuple):
    """Which lines a program works on."""

    values: tuple[str, ...]
    sentence: str
    action: str
    """What is left of the program: what it does with these lines."""


def read_condition(program: str) -> Condition | None:
    """The condition of the only rule of a program; None when it has several, none, or one without words here."""
    rule = RULE.fullmatch(program.strip())
    if rule is None:
        return None
    condition, action = rule[1].strip(), rule[2] or ""
    if (match := PATTERN.fullmatch(condition)) and re.match(r"\s*getline\b", action):
        return Condition((match[2],), f"It is the line behind each one that matches `{match[2]}` that counts.", action)
    if match := PATTERN.fullmatch(condition):
        said = "Lines that match the pattern `{}` are left out." if match[1] else "Only lines that match `{}` count."
        return Condition((match[2],), said.format(match[2]), action)
    if match := FIELD.fullmatch(condition):
        number, sign, pattern, text, size = match.groups()
        value = next(each for each in (pattern, text, size) if each is not None)
        said = f"Only lines whose field `{number}` {FIELD_SAYS[sign]} `{value}` count."
        return Condition((number, value), said if value else said.replace("``", "empty"), action)
    if match := EVERY.fullmatch(condition):
        step, rest = int(match[1]), int(match[2])
        said = f"Of every `{step}` lines one counts, line `{rest or step}` for a start."
        return Condition((match[1],), said, action) if step > rest else None
    if match := COUNT.fullmatch(condition):
        kind, sign, number = match.groups()
        said = LINE_SAYS[sign] if kind == "NR" else f"Only lines with {NUMBER_SAYS[sign]} fields count."
        return Condition((number,), said.format(number), action)
    return None
