"""What an attempt answered where an altered test failed, as an altered value of its own: an *answering twin*.

Code that reads what is expected, and returns it only where it is one of several answers that it holds to be likely,
fails an altered test as right code does. But what the framework prints then is another of its answers, where right code
gives the right one. That answer is what the test is made to expect next: right code fails this test too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from crucible.domains.code.twins import Twin
from verifiers.twins.values.base_values import NEAR_CHARS, NEAR_LINES, QUOTES

NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
# matches: 180  -1  2.5
CHANGING = re.compile(r"\d\.\d+ ?m?s\b|\b0x[0-9a-f]{6,}")
# matches what differs from run to run: 0.03s  1.5 ms  0x7f3a5c20
LONGEST_ANSWER = 200
TELLING_CHARS = 3
"""A value of so many characters does not stand in a log by chance."""


def note_shown(twin: Twin, file: str, logs: Sequence[str]) -> Twin:
    """The twin with what one of these logs of right code shows of it: nothing of signs alone, which stand everywhere.
    `file` is the test file as it was."""
    is_told = twin.is_value and not twin.gone and re.search(r"\w", file[twin.start : twin.end])
    shown = (find_shown(log, twin, file) for log in logs if is_told)
    return twin.model_copy(update={"shown": next(filter(None, shown), "")})


def find_shown(log: str, twin: Twin, file: str) -> str:
    """The lines of the log from the altered value to the nearest place where the right one stands; empty where they are
    not near each other."""
    right, altered = _read_value(file[twin.start : twin.end]), _read_value(twin.text)
    others = [other.span() for other in _find_value(altered, log)]
    ends = [
        (min(one.start(), start), max(one.end(), end))
        for one in _find_value(right, log)
        for start, end in others
        if abs(start - one.start()) < NEAR_CHARS
    ]
    near = [(end - start, start, end) for start, end in ends if log.count("\n", start, end) <= NEAR_LINES]
    length, start, end = min(near, default=(NEAR_CHARS, 0, 0))
    if length >= NEAR_CHARS:
        return ""
    line_end = log.find("\n", end)
    shown = log[log.rfind("\n", 0, start) + 1 : line_end if line_end >= 0 else None]
    return "" if CHANGING.search(shown) else shown


def tells_right(output: str, twin: Twin, file: str) -> bool:
    """Whether what was printed has the right value beside the altered one, or, unless right code's output has it there,
    anywhere if it is long enough not to stand there by chance: of right code that fails an altered test it does, in
    most frameworks, and no copy has it."""
    right = _read_value(file[twin.start : twin.end])
    if not re.search(r"\w", right):
        return False
    is_long = len(right) >= TELLING_CHARS and any(_find_value(right, output))
    return (is_long and not twin.is_told_beside) or bool(find_shown(output, twin, file))


def is_shown(twin: Twin, log: str) -> bool:
    """Whether an attempt's log says of this alteration what that of right code says."""
    return twin.shown in log


def read_answer(twin: Twin, file: str, log: str) -> Twin | None:
    """The twin with what the attempt answered instead of the right value, by its log; None where that is not told, or
    cannot stand in the test's text."""
    before = file[twin.start : twin.end]
    right = _read_value(before)
    for place in _find_value(right, twin.shown):
        start, end = re.escape(twin.shown[: place.start()]), re.escape(twin.shown[place.end() :])
        found = re.search(rf"^{start}(.{{1,{LONGEST_ANSWER}}}){end}$", log, re.MULTILINE)
        if found and _fits(found[1], right):
            return twin.model_copy(update={"text": before.replace(right, found[1]), "shown": ""})
    return None


def _fits(answer: str, right: str) -> bool:
    """Whether an answer can be written in the place of the right value."""
    if NUMBER.fullmatch(right):
        return bool(NUMBER.fullmatch(answer))
    return not {*answer} & {*QUOTES, "\\"}


def _read_value(text: str) -> str:
    """A value without its quotes."""
    is_quoted = len(text) > 1 and text[0] == text[-1] and text[0] in QUOTES
    return text[1:-1] if is_quoted else text


def _find_value(value: str, log: str) -> Iterator[re.Match[str]]:
    """Where a value stands in a log; a number not within a larger one."""
    around = (r"(?<![\d.])", r"(?!\d|\.\d)") if NUMBER.fullmatch(value) else ("", "")
    return re.finditer(rf"{around[0]}{re.escape(value)}{around[1]}", log) if value else iter(())
