"""The verifier `structure`: what a refactoring was asked to arrange is arranged so. Whether the code still does what it
did is for `suite` to say.

what an attempt may try                     what stops it
a dead stub in the new place                the new definition is made void, and the task's tests must notice
call the new place and drop its answer      the same: void, it answers nothing, and only then do tests fail
look only whether the new place answers     with faults in it that leave it answering, tests must fail, in each file
  at all, or use it in half the code          whose tests notice faults in the change's own
hand on to the old code in a new file       where the new place holds nothing that can be wrong, no file is added
use the new place in one caller, and        of the tests of each caller, half must notice when the new place is void
  leave the old code in the others
keep the old code under another name        no definition of the old file has the body that was to go, whatever
                                              its variables are called
leave all as it was, and call a stub        of the statements that the change takes away, some must be gone
  or move it to another file, or a text       from all files together, of any kind, by their syntax trees
  write it on other lines, with comments      the same
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Sequence
from pathlib import PurePosixPath
from random import SystemRandom
from typing import NamedTuple

from crucible import parts
from crucible.domains.code.check_params import Fact, StructureParams
from crucible.domains.code.definitions import outline_file
from crucible.domains.code.patches import FileChange, apply_change, changes
from crucible.domains.code.statements import Statements, count_together, read_statements
from crucible.domains.code.suite import SuiteParams
from crucible.domains.code.use import UseTrial, find_blind, find_untouched
from crucible.domains.code.voiding import definition_bodies
from crucible.errors import Undecided
from crucible.model import Criterion, Task, Trajectory
from crucible.sandbox import Sandbox
from verifiers import restoring
from verifiers.attempt_tree import read_tree
from verifiers.criteria import gate_criterion
from verifiers.protected_files import is_protected

SHORTEST_COPY = 60
"""Characters of a body: shorter ones may be the same by chance."""
LEAST_GONE = 0.25
"""The share of the statements that the change itself takes away: there is more than one way, and none leaves all of
them."""
LEAST_STATEMENTS = 4
"""Where the change takes away fewer, they say nothing."""
FAULTS_TRIED = 12
"""Faults that are put into a new definition until tests of every file have noticed enough."""


@parts.verifier("structure", layer="execution", version=7, cost="minutes", gate=True)
async def structure(
    task: Task, trajectory: Trajectory, box: Sandbox, *, params: StructureParams
) -> AsyncIterator[Criterion]:
    """Files and names are where they should be, functions as short and plain as asked, and the new ones are used."""
    for fact in params.facts:
        if fact.what != "used":
            text, base = await _read_text(box, fact.path), await _read_base(box, fact)
            yield gate_criterion(fact.sentence, *check_fact(fact, text, base))
    tree = await read_tree(box)
    await restoring.restore_protected(box, tree=tree)
    own = [change for change in changes(task.reference.patch) if not is_protected(change.path)]
    kinds = {PurePosixPath(change.path).suffix for change in own}
    work = [path for path in tree.changed if not is_protected(path)]
    here, anywhere = await _count_left(box, own, {*work, *(change.path for change in own)}, kinds)
    code = {path for path in work if PurePosixPath(path).suffix in kinds}
    added = sorted(code - tree.base - {change.path for change in own})
    gone = f"{here.total - here.there} of {here.total} statements that the change itself takes away are gone"
    gone += f"; {anywhere.total - anywhere.there} of {anywhere.total} from all files together"
    if max(here.total, anywhere.total) >= LEAST_STATEMENTS:
        yield gate_criterion("the old code gave way", not here.is_much and not anywhere.is_much, gone)
    if used := [fact for fact in params.facts if fact.what == "used"]:
        trial = UseTrial(box, _suite_params(task))
        for fact in used:
            yield gate_criterion(fact.sentence, *await _check_use(trial, fact, added))


def check_fact(fact: Fact, text: str | None, base: str = "") -> tuple[bool, str]:
    """Whether the fact is true of a file's text (None: there is no such file), and what is there instead. `base` is
    what the file was."""
    if fact.what in ("file", "no_file"):
        return (text is not None) == (fact.what == "file"), "it is there" if text is not None else "it is not there"
    definition = outline_file(fact.path, text or "").get(fact.name)
    if fact.what == "no_name":
        copy = fact.name if definition else find_copy(fact, text or "", base)
        return not copy, f"its code is still there, as `{copy}`" if copy else f"`{fact.name}` is not defined there"
    if definition is None:
        return False, f"`{fact.name}` is not defined there"
    if fact.what == "name":
        return True, f"`{fact.name}` is defined there"
    size = definition.lines if fact.what == "lines" else definition.branches
    return 0 < size <= fact.most or (fact.what == "branches" and size <= fact.most), f"{size} {fact.what}"


def find_copy(fact: Fact, text: str, base: str) -> str:
    """The definition of a file that has the body of the one that was to go, under a name that is new; empty without."""
    before, now = definition_bodies(fact.path, base), definition_bodies(fact.path, text)
    gone = before.get(fact.name.rpartition(".")[2], "")
    copies = [name for name, body in now.items() if body == gone and name not in before]
    return next(iter(copies), "") if len(gone) >= SHORTEST_COPY else ""


class Left(NamedTuple):
    """How many of the statements that the task's own change takes away are still there."""

    there: int
    total: int

    @property
    def is_much(self) -> bool:
        """Whether too many are; few statements say nothing."""
        return self.total >= LEAST_STATEMENTS and self.there > (1 - LEAST_GONE) * self.total


async def _count_left(
    box: Sandbox, own: Sequence[FileChange], paths: Collection[str], kinds: Collection[str]
) -> tuple[Left, Left]:
    """In the files of the change, each by itself; and in all these files together, since what is moved to another file
    is still there."""
    base = {path: text or "" for path, text in (await restoring.read_base_files(box, sorted(paths))).items()}
    golden = {**base, **{change.path: apply_change(base[change.path], change) for change in own}}
    now = {path: await _read_text(box, path) or "" for path in paths}
    before, after, there = (
        {path: read_statements(path, text, kinds) for path, text in texts.items()} for texts in (base, golden, now)
    )
    each = [compare_statements(before[change.path], after[change.path], there[change.path]) for change in own]
    here = Left(sum(left.there for left in each), sum(left.total for left in each))
    together = (count_together(files.values()) for files in (before, after, there))
    return here, compare_statements(*together)


def compare_statements(base: Statements, golden: Statements, attempt: Statements) -> Left:
    """Of the statements that golden code has fewer times than the base, how often the attempt still has them."""
    fewer = base - golden
    gone = sum(min(count, max(0, base[statement] - attempt[statement])) for statement, count in fewer.items())
    return Left(fewer.total() - gone, fewer.total())


async def _check_use(trial: UseTrial, fact: Fact, added: Sequence[str]) -> tuple[bool, str]:
    """Whether the task's tests notice that the definition does nothing, and faults in it. Undecided when that cannot be
    tried. `added` are files that neither the base nor the task's own change has."""
    use = await trial.see_use(fact.path, fact.name)
    if use.state == "unknown":
        raise Undecided(f"`{fact.name}` in `{fact.path}` cannot be made void, so its use cannot be seen")
    if use.state == "unused":
        return False, "no test fails when it does nothing"
    if use.noticing is not None and (untouched := find_untouched(use.noticing, fact.callers)):
        return False, f"it does nothing, and tests pass of: {', '.join(untouched)}"
    if not fact.noticed_in:
        return True, "tests fail without it"
    seed, wanted = str(SystemRandom().random()), fact.noticed_in
    seen = await trial.find_noticing_files(fact.path, fact.name, seed, FAULTS_TRIED, wanted, wanted)
    if not seen.faults:
        return not added, f"nothing in it can be wrong; added besides: {', '.join(added) or 'nothing'}"
    blind = find_blind(seen.files, wanted, seen.faults)
    return not blind, f"too few faults in it are noticed: {', '.join(blind)}" if blind else "tests fail without it"


def _suite_params(task: Task) -> SuiteParams:
    """The task's own tests. Undecided when it has none."""
    for check in task.checks:
        if check.verifier == "suite":
            return SuiteParams.model_validate(check.params)
    raise Undecided("the task has no tests that could notice anything")


async def _read_base(box: Sandbox, fact: Fact) -> str:
    """The file as it was, where the fact asks for something to be gone from it."""
    return (await restoring.read_base_files(box, [fact.path]))[fact.path] or "" if fact.what == "no_name" else ""


async def _read_text(box: Sandbox, path: str) -> str | None:
    """The file's text; None when there is no such file."""
    try:
        return (await box.read(path)).decode("utf-8", "replace")
    except (FileNotFoundError, IsADirectoryError, ValueError):
        return None
