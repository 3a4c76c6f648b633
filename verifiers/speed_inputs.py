"""The timed work with other inputs: who knows the answer to the very input that is timed does not know it there, or is
as slow there as before.

What the tests then say is nothing by itself: it counts only where the base and the golden change agree about it.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePosixPath
from random import Random
from statistics import median

from crucible.domains.code.check_params import SpeedParams
from crucible.domains.code.timing import LEAST_GAIN, Ending, gained_share
from crucible.domains.code.twins import Twin

NUMBER = re.compile(r"(?<![\w.\"'])\d[\d_]*(?![\w.\"'])")
# matches: the 4 and the 1_000 of `cold * 4 + [5.5] * 1_000`
LEAST_PART = 20
"""A number becomes higher by this part of it at most, so that the work stays what it was."""
LARGER = (1.5, 2.5)
"""A number that is a good deal larger is this many times what it was."""
TIME = re.compile(r"\d ?m?s\b|duration|seconds")
# matches in: 1 failed in 0.12s  duration_ms 3.5  3 ms
DECIMAL = re.compile(r"\d+\.\d+(?:e[-+]?\d+)?")
# matches: 0.30000000000000004  1.5e-07
GO_TEST = re.compile(r"\b(?:Test|Benchmark)\w+")
# matches: the TestTotal of `go test -run '^TestTotal$'`


def draw_other_numbers(params: SpeedParams, twins: Sequence[Twin], random: Random) -> list[dict[str, str]]:
    """The test files twice: half of the numbers that the timed tests name, but for those that they expect by their
    twins, are a little higher in the first, the others in the second. None without numbers."""
    places = _find_numbers(params, twins)
    random.shuffle(places)
    halves = (places[: len(places) // 2], places[len(places) // 2 :])
    return [
        _change_numbers(params.tests, half, lambda value: value + random.randint(1, max(1, value // LEAST_PART)))
        for half in halves
        if half
    ]


def enlarge_numbers(params: SpeedParams, twins: Sequence[Twin], random: Random) -> list[dict[str, str]]:
    """The test files with the same numbers a good deal larger, all by one factor: what was less than another still
    is. None without numbers."""
    factor = random.uniform(*LARGER)
    places = _find_numbers(params, twins)
    return [_change_numbers(params.tests, places, lambda value: round(value * factor))] if places else []


Place = tuple[str, re.Match[str]]
"""A number in the file of this path."""


def _find_numbers(params: SpeedParams, twins: Sequence[Twin]) -> list[Place]:
    """The numbers that the timed tests name, but for those that they expect by their twins."""
    return [
        (path, number)
        for path, text in params.tests.items()
        for begin, end in _timed_blocks(params, text)
        for number in NUMBER.finditer(text, begin, end)
        if not any(twin.path == path and twin.start <= number.start() < twin.end for twin in twins)
    ]


def _timed_blocks(params: SpeedParams, text: str) -> list[tuple[int, int]]:
    """Where the timed tests stand in a file."""
    words = shlex.split(params.command)
    names = {word.rpartition("::")[2] for word in words if "::" in word} | {*GO_TEST.findall(params.command)}
    return sorted({block for name in names for block in find_blocks(text, name)})


def _change_numbers(files: Mapping[str, str], places: Sequence[Place], change: Callable[[int], int]) -> dict[str, str]:
    altered = dict(files)
    for path, number in sorted(places, key=lambda place: -place[1].start()):
        text = altered[path]
        altered[path] = f"{text[: number.start()]}{change(int(number[0]))}{text[number.end() :]}"
    return altered


def find_blocks(text: str, name: str) -> list[tuple[int, int]]:
    """Where the definition of this name begins and ends, by its indentation; none where there is none."""
    head = re.search(rf"^([ \t]*)[^\s#/].*\b{re.escape(name)}\b.*\n", text, re.MULTILINE)
    if head is None:
        return []
    end = re.compile(rf"^(?!{re.escape(head[1])}[ \t])[ \t]*\S", re.MULTILINE).search(text, head.end())
    return [(head.end(), end.start() if end else len(text))]


TURNED = {
    ".py": "*(lambda *v: next(((*v[:n], x[len(x) // 3:] + x[:len(x) // 3], *v[n + 1:]) for n, x in enumerate(v)"
    " if isinstance(x, (list, tuple) if v[1:] else (list, tuple, str))), v))({})",
    ".js": "...((...v) => {{ const n = v.findIndex((x) => Array.isArray(x)), m = n < 0 ? 0 : v[n].length / 3 | 0;"
    " if (n >= 0) v[n] = [...v[n].slice(m), ...v[n].slice(0, m)]; return v }})({})",
}
"""Arguments of which the first list begins elsewhere, by the suffix of the file; in Python a text does where it is the
only one."""
SPELLED = {
    ".py": "*(type(x)(w.translate(dict(zip(range(48, 58), 'bcdfghjklm'))) for w in x) if type(x) in (list, tuple)"
    " and all(isinstance(w, str) and w.isalnum() for w in x) else x for x in [{}])",
    ".js": "...[{}].map((x) => Array.isArray(x) && x.every((w) => typeof w === 'string' && /^[a-z0-9]+$/i.test(w))"
    " ? x.map((w) => w.replace(/[0-9]/g, (d) => 'bcdfghjklm'[d])) : x)",
}
"""Arguments of which every list of words has letters for digits, by the suffix of the file. Dates and the like, which
are more than words, stay."""
NAMED = re.compile(r"\s*(?:\w+\s*=(?!=)|\*\*)")
# matches the beginning of: round=True  **more
GIVEN = {
    ".py": re.compile(r"^[ \t]*(?:assert[ \t]+|\w+[ \t]*=[ \t]*)[\w.]+\((?=[^()\s])", re.MULTILINE),
    # matches: `    assert frost.longest(`, and the `found = longest(` of `found = longest(days)`
    ".js": re.compile(
        r"^[ \t]*(?:assert[\w.]*\(|(?:const|let)[ \t]+\w+[ \t]*=[ \t]*)[\w.]+\((?=[^()\s])", re.MULTILINE
    ),
    # matches: `  assert.equal(shared(`, and the `const found = shared(` of `const found = shared(laps)`
}
"""Where a test hands over what it asks about."""


def turn_lists(params: SpeedParams) -> list[dict[str, str]]:
    """The test files with lists that begin elsewhere, where the timed tests may hand one over. None where they do not,
    or in other languages."""
    return _hand_over(params, TURNED)


def spell_digits(params: SpeedParams) -> list[dict[str, str]]:
    """The test files with lists of words in which each digit is a letter; none as with turned lists."""
    return _hand_over(params, SPELLED)


def _hand_over(params: SpeedParams, forms: Mapping[str, str]) -> list[dict[str, str]]:
    """The test files with the arguments of what is asked in these forms, if there are any."""
    altered = {
        path: _hand_over_in(path, text, _timed_blocks(params, text), forms) for path, text in params.tests.items()
    }
    return [altered] if altered != params.tests else []


def _hand_over_in(path: str, text: str, blocks: Sequence[tuple[int, int]], forms: Mapping[str, str]) -> str:
    suffix = PurePosixPath(path).suffix.replace(".mjs", ".js")
    if suffix not in forms:
        return text
    calls = {call.end() for begin, end in blocks for call in GIVEN[suffix].finditer(text, begin, end)}
    for start in sorted(calls, reverse=True):
        end = _find_end(text, start, has_named=suffix == ".py")
        text = f"{text[:start]}{forms[suffix].format(text[start:end])}{text[end:]}" if end else text
    return text


def _find_end(text: str, start: int, has_named: bool) -> int:
    """Where the arguments that begin here end, but for those with names (`has_named`: the language has such); 0 where
    there are none, or a text among them is no plain one."""
    depth, place = 0, start
    while place < len(text):
        sign = text[place]
        depth += (sign in "([{") - (sign in ")]}")
        if depth < 0 or (has_named and depth == 0 and sign == "," and NAMED.match(text, place + 1)):
            return 0 if has_named and NAMED.match(text, start) else place
        if sign in "\"'`":
            end = text.find(sign, place + 1)
            if end < 0 or {*"\\\n"} & {*text[place:end]}:
                return 0
            place = end
        place += 1
    return 0


def explain_answers(runs: Sequence[Mapping[str, Ending]], files: Sequence[str]) -> str:
    """What tells that the attempt answers otherwise than the base and the golden change, which agree; empty when
    nothing does. `files` are names of files with code: what is printed about them depends on how it is written."""
    for run in filter(None, runs):
        base, golden, own = run["base"], run["golden"], run["attempt"]
        if bool(base.why) == bool(golden.why) != bool(own.why):
            words = ("fail", "pass") if own.why else ("pass", "fail")
            return f"the tests {words[0]} over the attempt, and {words[1]} before and with the golden change"
        agreed = _read_answers(base.printed, files) & _read_answers(golden.printed, files)
        if missing := agreed - _read_answers(own.printed, files):
            return f"before and with the golden change it says {min(missing)[:200]!r}"
    return ""


def _read_answers(printed: str, files: Sequence[str]) -> set[str]:
    """The lines with numbers that say what the code answered, decimals in six places."""
    lines = (line.strip() for line in printed.splitlines() if re.search(r"\d", line) and not TIME.search(line))
    return {DECIMAL.sub(lambda number: f"{float(number[0]):.6g}", line) for line in lines if not _names(line, files)}


def _names(line: str, files: Sequence[str]) -> bool:
    return any(file in line for file in files)


def explain_slowness(runs: Sequence[Mapping[str, Ending]], least_share: float) -> str:
    """What tells that the attempt is slow with an input with which the golden change is not, by the median of all runs;
    empty when nothing does."""
    shares = [
        gained_share([run["base"].seconds], [run["golden"].seconds], [run["attempt"].seconds])
        for run in filter(None, runs)
        if has_gain(run)
    ]
    return f"{median(shares):.0%} of the gain" if shares and median(shares) < least_share else ""


def has_gain(run: Mapping[str, Ending]) -> bool:
    """Whether the golden change was faster in this run."""
    return run["golden"].seconds <= (1 - LEAST_GAIN) * run["base"].seconds


def is_fast_beside(golden: Ending, attempt: Ending, least_share: float, files: Sequence[str]) -> bool:
    """Whether the attempt answers as the golden change does, and is so fast that it gains this share of what that
    change gains, however long the base takes: where the golden change gains anything, the base takes a good deal longer
    than it does."""
    longest = golden.seconds * (least_share + (1 - least_share) / (1 - LEAST_GAIN))
    is_alike = bool(golden.why) == bool(attempt.why)
    missing = _read_answers(golden.printed, files) - _read_answers(attempt.printed, files)
    return is_alike and not missing and attempt.seconds <= longest
