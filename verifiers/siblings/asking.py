"""Runs siblings over a tree, and reads what they noted."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from crucible.domains.code.siblings import Sibling
from crucible.domains.code.suite import Report, Suite, SuiteParams
from crucible.domains.code.tables import read_table
from crucible.judging.fresh_boxes import FreshBoxes
from crucible.sandbox import Sandbox
from verifiers.siblings.alone import lay_program
from verifiers.siblings.laying import lay_recorder
from verifiers.siblings.plan import MARK
from verifiers.trial import Trial
from verifiers.twins.copies.spreading import open_tests
from verifiers.twins.names import named_lines

SELECTING = Path(__file__).with_name("selecting.toml")
LONGEST = 60.0
"""In seconds: siblings are few, and what takes longer than this hangs."""
MOST_REPAIRS = 4
"""How often siblings are run at most until they compile."""
LARGEST_NOTES = 1 << 22
MOST_NOTES = 200
"""How many notes of one sibling are read."""

Notes = Mapping[str, tuple[str, ...]]
"""What each sibling noted, by its name."""


async def ask_siblings(
    params: SuiteParams,
    siblings: Sequence[Sibling],
    boxes: FreshBoxes,
    opened: AbstractAsyncContextManager[Sandbox],
    *,
    alone: bool = False,
) -> Notes:
    """What these siblings, and no other tests, note over the tree in this box; `alone`: without a test framework."""
    return (await run_siblings(params, siblings, boxes, opened, alone=alone))[0]


async def run_siblings(
    params: SuiteParams,
    siblings: Sequence[Sibling],
    boxes: FreshBoxes,
    opened: AbstractAsyncContextManager[Sandbox],
    *,
    alone: bool = False,
) -> tuple[Notes, Report]:
    """The same, and what the test framework says of it."""
    place = f"/tmp/.{secrets.token_hex(12)}"
    tests = lay_siblings(params.tests, siblings, place)
    command = select_siblings(params.suite)
    if alone:
        tests, command = lay_program(params.suite, siblings, tests)
    suite = params.suite.model_copy(update={"command": command, "timeout": min(LONGEST, params.suite.timeout)})
    asked = {
        "suite": suite,
        "tests": tests,
        "pass_to_pass": (),
        "twins": (),
    }
    async with opened as box:
        run = await Trial(params.model_copy(update=asked), boxes).run_attempt(box)
        return read_notes(await _read_text(box, place)), run.report


async def ask_until_built(
    params: SuiteParams,
    siblings: Sequence[Sibling],
    boxes: FreshBoxes,
    open_box: Callable[[], AbstractAsyncContextManager[Sandbox]],
) -> tuple[Sequence[Sibling], Notes]:
    """The siblings that can be asked of such a tree, and what they note: one that does not compile takes the others
    down."""
    notes: Notes = {}
    for _ in range(MOST_REPAIRS if siblings else 0):
        notes, report = await run_siblings(params, siblings, boxes, open_box())
        if notes or len(siblings) < 2 or (report.complete and not report.broken):
            break
        siblings = _leave_unbuilt(params, siblings, f"{report.broken}\n{report.log}")
    return siblings, notes


def _leave_unbuilt(params: SuiteParams, siblings: Sequence[Sibling], log: str) -> Sequence[Sibling]:
    """Those without the ones that the compiler complains about, and others of their test and kind, for it may name only
    one; half of them where it names none."""
    lines = find_lines(params, siblings)
    unbuilt = [each for each in siblings if named_lines(each.path, log).intersection(lines[each.name])]
    kinds = {(each.path, each.test, each.kind) for each in unbuilt}
    built = [each for each in siblings if (each.path, each.test, each.kind) not in kinds]
    return built if 0 < len(built) < len(siblings) else siblings[: len(siblings) // 2]


def select_siblings(suite: Suite) -> str:
    """The command that runs siblings, and no other tests where it can be told so; empty for a framework of which that
    is not known."""
    command = str(read_table(SELECTING).get(suite.runner, ""))
    return command.replace("{command}", suite.command).replace("{mark}", MARK)


def find_lines(params: SuiteParams, siblings: Sequence[Sibling]) -> dict[str, range]:
    """The lines where each sibling stands, by its name."""
    laid = lay_siblings(params.tests, siblings, "")
    lines = {}
    for each in siblings:
        first = laid[each.path].partition(each.text)[0].count("\n") + 1
        lines[each.name] = range(first, first + each.text.count("\n") + 1)
    return lines


def lay_siblings(files: Mapping[str, str], siblings: Sequence[Sibling], place: str) -> dict[str, str]:
    """The test files with each sibling behind its test, and with what notes at that place."""
    laid = dict(files)
    for path in dict.fromkeys(each.path for each in siblings):
        text, tests = files[path], open_tests(path, files[path])
        ends = {each.test: test.end for each in siblings if each.path == path and (test := tests.find(each.test))}
        for name, end in sorted(ends.items(), key=lambda entry: entry[1], reverse=True):
            own = [each.text for each in siblings if (each.path, each.test) == (path, name)]
            text = "\n\n".join([text[:end], *own]) + text[end:]
        laid |= lay_recorder(path, text, place)
    return laid


def read_notes(text: str) -> dict[str, tuple[str, ...]]:
    """The notes of each sibling, in their order. A line that is no note is none."""
    notes: dict[str, tuple[str, ...]] = {}
    for line in text.splitlines():
        try:
            test, said = json.loads(line)
        except (ValueError, TypeError):
            continue
        if isinstance(test, str) and isinstance(said, str) and len(notes.get(test, ())) < MOST_NOTES:
            notes[test] = (*notes.get(test, ()), said)
    return notes


async def _read_text(box: Sandbox, place: str) -> str:
    try:
        return (await box.read(place, limit=LARGEST_NOTES)).decode("utf-8", "replace")
    except (OSError, ValueError):
        return ""
