"""TAP, and the frameworks that print it: tape and node-tap (or any command that does), and AVA.

A stream counts only if its plan is there, and its own points are numbered from one to that plan: a line that the code
under test slips in breaks the numbering. What is nested in a subtest is folded into the point that closes it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from crucible.domains.code.suite import Runner, Status, runner
from crucible.sandbox import Done
from verifiers import canaries
from verifiers.runners.framework import Found, Framework, merged, patient
from verifiers.runners.junit import BadReport
from verifiers.runners.text import ended

POINT = re.compile(r"^((?: {4})*)(not )?ok\b(?: (\d+))?(?: -)?(?: (.*))?$")
HEADING = re.compile(r"^((?: {4})*)# Subtest(?:: (.*))?$")
PLAN = re.compile(r"^1\.\.(\d+)(?:\s*#.*)?$")
DIRECTIVE = re.compile(r"(?:^|(?<!\\)\s)#\s*(?:(skip|todo)\b.*|time=.*)$", re.IGNORECASE)
COMMENT = re.compile(r"^# (?:(SKIP|TODO) )?(?!tests |pass |fail |ok$|skip |todo )(.+)$")
TAPE = re.compile(r"^# tests +\d+\n# pass +\d+$", re.MULTILINE)
"""How tape ends. Only its comments are names of tests."""


@runner("tap")
def tap() -> Runner:
    """Whatever prints TAP: tape, node-tap."""
    return Framework("tap", read, hatch=canaries.appended("tap"))


@runner("ava")
def ava() -> Runner:
    """AVA, by its TAP. A test is called `file › title`, or `title` where there is one file."""
    return Framework("ava", read_flat, hatch=canaries.appended("ava"), adapt=patient)


def read(report: bytes, done: Done) -> Found:
    """A stream in which tape's comments name the tests."""
    text = ended(report, done)
    named = bool(TAPE.search(text)) and "# Subtest" not in text
    return Found(outcomes=merged(stream(text, named)), log=text[-6000:])


def read_flat(report: bytes, done: Done) -> Found:
    """A stream in which every point is a test, and one that is still to be written is none yet."""
    text = ended(report, done)
    found: list[tuple[str, Status]] = [
        (name, "skipped" if status == "xfailed" else status) for name, status in stream(text)
    ]
    return Found(outcomes=merged(found), log=text[-6000:])


def stream(text: str, named: bool = False) -> list[tuple[str, Status]]:
    """Every test of a whole stream. `named`: comments are names, and the points below one belong to it."""
    lines = list(_outside_blocks(text))
    if any(line.startswith("Bail out!") for line in lines):
        raise BadReport("the tests bailed out")
    _planned(lines)
    return list(_named(lines) if named else _tests(lines))


def _outside_blocks(text: str) -> Iterator[str]:
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


def _planned(lines: list[str]) -> None:
    plans = [int(plan[1]) for plan in map(PLAN.match, lines) if plan]
    points = [point for point in map(POINT.match, lines) if point and not point[1]]
    if len(plans) != 1:
        raise BadReport("the report has no plan, or two: the tests were cut short")
    numbers = [int(point[3] or place) for place, point in enumerate(points, 1)]
    if numbers != list(range(1, plans[0] + 1)):
        raise BadReport(f"the plan is {plans[0]} tests and the report holds {len(points)}, or not in their order")


def _status(point: re.Match[str]) -> Status:
    directive = DIRECTIVE.search(point[4] or "")
    kind = (directive[1] or "").lower() if directive else ""
    if kind == "skip":
        return "skipped"
    return "passed" if not point[2] else "xfailed" if kind == "todo" else "failed"


def _tests(lines: list[str]) -> Iterator[tuple[str, Status]]:
    """The points of the stream itself, and those that close a subtest."""
    names: dict[int, str] = {}
    for line in lines:
        heading, point = HEADING.match(line), POINT.match(line)
        if heading:
            names[len(heading[1])] = heading[2] or ""
        if not point:
            continue
        depth, name = len(point[1]), DIRECTIVE.sub("", point[4] or "").strip() or f"test {point[3]}"
        above = [names[level] for level in range(0, depth, 4) if level in names]
        if not depth or name == names.get(depth):
            yield " > ".join([*above, name]), _status(point)


def _named(lines: list[str]) -> Iterator[tuple[str, Status]]:
    name = ""
    for line in lines:
        comment, point = COMMENT.match(line), POINT.match(line)
        if comment:
            name = comment[2].strip()
            if comment[1] == "SKIP":
                yield name, "skipped"
        elif point and not point[1]:
            yield name or DIRECTIVE.sub("", point[4] or "").strip() or f"test {point[3]}", _status(point)
