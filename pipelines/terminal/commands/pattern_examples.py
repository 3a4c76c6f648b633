"""A text that a regular expression matches, made of the expression itself: `^#` gives a line that begins with `#`.

Only what questions about texts are made of is read: letters, sets, groups, repetitions. Of alternatives the first is
taken. What looks ahead, or back at a group, gives no example.
"""

from __future__ import annotations

import re
from typing import NamedTuple

BASIC_SIGNS = "(){}+?|"
"""Signs that are letters in a basic expression unless a backslash stands before them; in an extended one it is the
other way round."""
DIGIT = "7"
"""A digit of an example: `1` is a word of most scripts, which other folders have to keep."""
ESCAPED = {"t": "\t", "s": " ", "d": DIGIT, "w": "a", "S": "a", "D": "a", "W": ",", "b": "", "<": "", ">": "", "B": ""}
NAMED_SETS = {
    "digit": DIGIT,
    "space": " ",
    "blank": " ",
    "alpha": "a",
    "lower": "a",
    "upper": "A",
    "alnum": "a",
    "punct": ",",
    "xdigit": DIGIT,
}
OUTSIDE = "x1,; "
"""What an excluding set is tried with."""
COUNT = re.compile(r"\{(\d+)(?:,\d*)?\}")  # matches: {3}, {3,}
ENDING = re.compile(r"^\.([a-z]\w{1,3}\$?)$")  # matches: .flac$ and means the dot, although any character would do
REPEATS = {"*": 1, "+": 2, "?": 1}
"""How often what may stand often stands in an example."""


class Example(NamedTuple):
    """A text that a pattern matches, and whether it has to stand at an end of its line."""

    text: str
    at_start: bool = False
    at_end: bool = False


class NoExample(ValueError):
    """The expression says more than is read here."""


def make_example(pattern: str, is_basic: bool) -> Example | None:
    """A text that a pattern matches; None when none can be made, or the empty text would do."""
    extended = _extend(pattern) if is_basic else pattern
    extended = ENDING.sub(r"\\.\1", extended)
    at_start, at_end = extended.startswith("^"), bool(re.search(r"(?<!\\)(?:\\\\)*\$$", extended))
    body = extended[at_start : len(extended) - at_end]
    try:
        text, rest = _read_sequence(body)
    except NoExample:
        return None
    if rest.startswith(")") or not (text or (at_start and at_end)):
        return None
    return Example(text, at_start, at_end)


def _extend(pattern: str) -> str:
    """A basic expression as an extended one."""
    parts = re.split(r"(\\.|\[\^?\]?(?:\[:\w+:\]|[^\]])*\])", pattern, flags=re.DOTALL)  # splits at: \( and [^a-z]
    swapped = []
    for part in parts:
        if len(part) == 2 and part[0] == "\\" and part[1] in BASIC_SIGNS:
            swapped.append(part[1])
        elif part[:1] in ("\\", "["):
            swapped.append(part)
        else:
            swapped.append(re.sub(r"([(){}+?|])", r"\\\1", part))
    return "".join(swapped)


def _read_sequence(pattern: str) -> tuple[str, str]:
    """An example of the pattern up to its end, or to the end of its group, and what is left of it."""
    text = ""
    while pattern and pattern[0] != ")":
        if pattern[0] == "|":
            return text, _skip_alternatives(pattern)
        piece, pattern, is_any = _read_atom(pattern)
        times, pattern = _read_repeat(pattern, is_any)
        text += piece * times
    return text, pattern


def _skip_alternatives(pattern: str) -> str:
    while pattern.startswith("|"):
        _, pattern = _read_sequence(pattern[1:])
    return pattern


def _read_atom(pattern: str) -> tuple[str, str, bool]:
    """An example of one piece of the pattern, what is left, and whether the piece stands for nearly anything."""
    sign = pattern[0]
    if sign == "(":
        if pattern.startswith("(?") and not pattern.startswith("(?:"):
            raise NoExample(pattern)
        text, rest = _read_sequence(pattern[3:] if pattern.startswith("(?:") else pattern[1:])
        if not rest.startswith(")"):
            raise NoExample(pattern)
        return text, rest[1:], False
    if sign == "[":
        return _read_set(pattern)
    if sign == "\\":
        letter = pattern[1:2]
        if not letter or letter.isdigit() or letter in "pPkKGzZ":
            raise NoExample(pattern)
        return ESCAPED.get(letter, letter), pattern[2:], False
    if sign in "^$*+?{":
        raise NoExample(pattern)
    return ("x", pattern[1:], True) if sign == "." else (sign, pattern[1:], False)


def _read_set(pattern: str) -> tuple[str, str, bool]:
    match = re.match(r"\[(\^?)(\]?(?:\[:\w+:\]|[^\]])*)\]", pattern)  # matches: [^]a-z[:digit:]]
    if match is None:
        raise NoExample(pattern)
    members = match[2]
    if match[1]:
        outside = next((sign for sign in OUTSIDE if not re.match(match[0], sign)), "")
        return outside, pattern[match.end() :], True
    named = re.match(r"\[:(\w+):\]", members)
    first = NAMED_SETS.get(named[1], "a") if named else members[:1]
    if first == "\\":
        first = ESCAPED.get(members[1:2], members[1:2])
    return (DIGIT if members.startswith("0-9") else first), pattern[match.end() :], False


def _read_repeat(pattern: str, is_any: bool) -> tuple[int, str]:
    """How often a piece stands in the example; what may be anything is left out where it can."""
    if count := COUNT.match(pattern):
        return max(1, int(count[1])), pattern[count.end() :].lstrip("?+")
    if pattern[:1] in REPEATS:
        times = 0 if is_any and pattern[0] in "*?" else REPEATS[pattern[0]]
        return times, pattern[1:].lstrip("?+") if pattern[1:2] in "?+" else pattern[1:]
    return 1, pattern
