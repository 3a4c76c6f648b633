"""What the base gives where a test expects something else, as an altered value: nothing tells it from a right one.

Code that reads what is expected, and returns it where it may be right, finds nothing wrong with it: for the tests that
passed before, too, what is expected is what the base gives. Test frameworks print it beside what was expected.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from crucible.domains.code.altering import group_by_test
from crucible.domains.code.twins import Twin
from verifiers.twins.names import named_lines

QUOTES = "'\"`"
NUMBER = r"(?<![\w.:/-])\d+(?:\.\d+)?(?![\w:/%-]|\.\d)"
# matches: the 3 of "assert 3 == 5", not the numbers of "shelf_test.go:12", "67%" or "0.03s"
TEXT = r"""(?<!\w)(["'`<])(?P<text>(?:(?!\1)[^\n\\>])*)(?:\1|>)"""
# matches: 'full'  "full"  <full>
WORD = r"\b(?:null|undefined|nil|None|true|false|True|False)\b|\{\}|\[\]"
# matches: null  {}
NEAR_CHARS, NEAR_LINES = 120, 3
"""How far from what was expected the base's own value is printed."""
PLACE = re.compile(r"^\W*\S*:\d+:\s*")
# matches: the beginning of "tests/test_wrap.c:13: memcmp(out, text, 10) == 0"


def base_values_first(twins: Sequence[Twin], files: Mapping[str, str], log: str) -> list[Twin]:
    """The twins, and of each test whose expected value the log of the base shows beside another one, an alteration to
    that one before the others."""
    groups = group_by_test(twins).values()
    return [twin for group in groups for twin in (*_use_base_value(group, files, log), *group)]


def _use_base_value(group: Sequence[Twin], files: Mapping[str, str], log: str) -> Sequence[Twin]:
    """The first of these alterations for which the base's value is known, with that value; none without one. Not of a
    value in a list, which the base may well give in another place."""
    file = files[group[0].path]
    failing = named_lines(group[0].path, log)
    lists = {twin.line for twin in group if sorted(file[twin.start : twin.end]) == sorted(twin.text)}
    for twin in group:
        before = file[twin.start : twin.end]
        quote = before[0] if len(before) > 1 and before[0] in QUOTES and before[0] == before[-1] else ""
        expected = before[len(quote) : len(before) - len(quote)]
        is_claim = twin.is_value and twin.line in failing and twin.line not in lists
        value = find_beside(log, expected, file) if is_claim and expected else ""
        if value and not {*value} & {*QUOTES, "\\"}:
            return [twin.model_copy(update={"text": f"{quote}{value}{quote}"})]
    return []


def find_beside(log: str, expected: str, file: str) -> str:
    """The value that a log prints nearest to where it prints what was expected; empty where it prints none. What it
    quotes of the test's own text does not count."""
    pattern = next((kind for kind in (NUMBER, WORD) if re.fullmatch(kind, expected)), TEXT)
    own = {line.strip() for line in file.splitlines() if len(line.strip()) > len(expected) + 2}
    lines = [PLACE.sub("", line) for line in log.splitlines()]
    text = "\n".join("" if line in file or any(claim in line for claim in own) else line for line in lines)
    values = [(found.start(), found["text"] if pattern is TEXT else found[0]) for found in re.finditer(pattern, text)]
    places = [place for place, value in values if value == expected]
    between = [
        (text[min(place, other) : max(place, other)], value)
        for place, value in values
        if value not in ("", expected)
        for other in places
    ]
    near = [(len(gap), value) for gap, value in between if len(gap) <= NEAR_CHARS and gap.count("\n") <= NEAR_LINES]
    return min(near)[1] if near else ""
