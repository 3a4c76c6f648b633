"""TAP, and the frameworks that print it: tape and node-tap (or any command that does), and AVA.

A stream counts only if its plan is there, and its own points are numbered from one to that plan: a line that the code
under test slips in breaks the numbering. What is nested in a subtest is folded into the point that closes it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from crucible.domains.code.outcomes import FinishedCommand, Status
from verifiers.readers.bad_report import BadReport
from verifiers.readers.reader import OUTPUT_CHARS, Reader, Reading, worst_outcomes
from verifiers.readers.text import read_whole_text

POINT = re.compile(r"^((?: {4})*)(not )?ok\b(?: (\d+))?(?: -)?(?: (.*))?$")
# matches: "ok 1 - adds"  "    not ok 2 - divides # TODO zero"
HEADING = re.compile(r"^((?: {4})*)# Subtest(?:: (.*))?$")
# matches: "# Subtest: sums"
PLAN = re.compile(r"^1\.\.(\d+)(?:\s*#.*)?$")
# matches: "1..4"  "1..0 # SKIP no database"
DIRECTIVE = re.compile(r"(?:^|(?<!\\)\s)#\s*(?:(skip|todo)\b.*|time=.*)$", re.IGNORECASE)
# matches: " # SKIP no network"  " # time=12.3ms"
COMMENT = re.compile(r"^# (?:(SKIP|TODO) )?(?!tests |pass |fail |ok$|skip |todo )(.+)$")
# matches: "# adds two numbers"  "# SKIP later", but not "# tests 4"
TAPE_SUMMARY = re.compile(r"^# tests +\d+\n# pass +\d+$", re.MULTILINE)
# matches: "# tests 4\n# pass  4", how tape ends. Only its comments are names of tests.


def read(report: bytes, done: FinishedCommand) -> Reading:
    """The tests of a stream, named by comments where tape printed it."""
    text = read_whole_text(report, done)
    is_tape = bool(TAPE_SUMMARY.search(text)) and "# Subtest" not in text
    return Reading(outcomes=worst_outcomes(read_stream(text, named_by_comments=is_tape)), log=text[-OUTPUT_CHARS:])


def read_flat(report: bytes, done: FinishedCommand) -> Reading:
    """The tests of a stream in which every point is a test, and one that is still to be written is none yet."""
    text = read_whole_text(report, done)
    pairs: list[tuple[str, Status]] = [
        (name, "skipped" if status == "xfailed" else status) for name, status in read_stream(text)
    ]
    return Reading(outcomes=worst_outcomes(pairs), log=text[-OUTPUT_CHARS:])


def read_stream(text: str, named_by_comments: bool = False) -> list[tuple[str, Status]]:
    """Every test of a whole stream. `named_by_comments`: comments are names, and the points below one belong to it."""
    lines = list(_lines_outside_blocks(text))
    if any(line.startswith("Bail out!") for line in lines):
        raise BadReport("the tests bailed out")
    _check_plan(lines)
    return list(_read_commented(lines) if named_by_comments else _read_points(lines))


def _lines_outside_blocks(text: str) -> Iterator[str]:
    """The lines that are not part of a block of details."""
    inside = ""
    for line in text.splitlines():
        indent = line[: len(line) - len(line.lstrip(" "))]
        if inside:
            inside = "" if line.rstrip() == f"{inside[:-1]}..." else inside
        elif line.strip() == "---" and indent:
            inside = f"{indent}-"
        else:
            yield line


def _check_plan(lines: list[str]) -> None:
    """BadReport unless the points of the stream itself are numbered from one to its plan."""
    plans = [int(plan[1]) for plan in map(PLAN.match, lines) if plan]
    points = [point for point in map(POINT.match, lines) if point and not point[1]]
    if len(plans) != 1:
        raise BadReport("the report has no plan, or two: the tests were cut short")
    numbers = [int(point[3] or place) for place, point in enumerate(points, 1)]
    if numbers != list(range(1, plans[0] + 1)):
        raise BadReport(f"the plan is {plans[0]} tests and the report holds {len(points)}, or not in their order")


def _read_points(lines: list[str]) -> Iterator[tuple[str, Status]]:
    """The points of the stream itself, and those that close a subtest."""
    names: dict[int, str] = {}
    for line in lines:
        heading, point = HEADING.match(line), POINT.match(line)
        if heading:
            names[len(heading[1])] = heading[2] or ""
        if not point:
            continue
        depth, name = len(point[1]), _point_name(point)
        above = [names[level] for level in range(0, depth, 4) if level in names]
        if not depth or name == names.get(depth):
            yield " > ".join([*above, name]), _status(point)


def _read_commented(lines: list[str]) -> Iterator[tuple[str, Status]]:
    """The points of the stream itself, each under the comment above it."""
    name = ""
    for line in lines:
        comment, point = COMMENT.match(line), POINT.match(line)
        if comment:
            name = comment[2].strip()
            if comment[1] == "SKIP":
                yield name, "skipped"
        elif point and not point[1]:
            yield name or _point_name(point), _status(point)


def _point_name(point: re.Match[str]) -> str:
    return DIRECTIVE.sub("", point[4] or "").strip() or f"test {point[3]}"


def _status(point: re.Match[str]) -> Status:
    directive = DIRECTIVE.search(point[4] or "")
    kind = (directive[1] or "").lower() if directive else ""
    if kind == "skip":
        return "skipped"
    return "passed" if not point[2] else "xfailed" if kind == "todo" else "failed"


READERS = {"tap": Reader("tap", read), "ava": Reader("ava", read_flat)}
