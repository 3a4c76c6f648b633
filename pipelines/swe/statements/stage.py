"""The statement stage: what a solver is told is freed of the answer, and completed with what it cannot know.

Rules always; a model as well, where one is configured. What was there before, and why it changed, is kept.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from crucible.errors import Rejected
from crucible.mining import MiningContext
from crucible.model import Task
from pipelines.swe.model import Built, PullRequest, Statement
from pipelines.swe.repository import origins
from pipelines.swe.repository.git import GitFailed, git
from pipelines.swe.statements import expected, interface, leaks, sections
from pipelines.swe.statements.check import checked

ENOUGH, NAMED = 400, 600
"""A statement of so many characters is not completed from the tests; names of tests of so many say enough."""
LEAST = 15
"""With fewer, and nothing to be had from the tests, there is nothing to work from."""


async def statement(built: Built, context: MiningContext) -> Sequence[Built]:
    """The task with a statement that is complete, and free of the answer."""
    made = await asyncio.to_thread(ruled, built)
    if context.teacher is not None:
        made = await checked(built, made, context.teacher)
    return [told(built, made)]


def told(built: Built, made: Statement) -> Built:
    """The task with another statement; lists it was held against are noted where an export looks for them."""
    text = built.task.instruction.replace(made.before, made.text, 1)
    origin = built.task.provenance.model_copy(update={"held_against": built.candidate.pull.held_against})
    task: Task = built.task.model_copy(update={"instruction": text, "provenance": origin})
    return built.model_copy(update={"task": Task.model_validate(task.model_dump()), "statement": made})


def ruled(built: Built) -> Statement:
    """The statement after all rules. Where behaviour stays as it is, tests have nothing to tell that was not so."""
    pull, before = built.candidate.pull, built.statement.before
    why: list[str] = []
    text = leaks.cut(before, pull.commits, pull.patch)
    if text.split() != before.split():
        why.append("what named the change was cut out")
    is_fix = built.candidate.route.kind == "bugfix"
    if (bare := sections.cut(text, is_fix=is_fix)).split() != text.split() and len(bare) >= LEAST:
        text = bare
        why.append("what told how the change was made was cut out")
    _require_clean(text, pull)
    unchanged = built.candidate.route.kind in ("refactoring", "performance") and len(text) >= LEAST
    if len(text) < ENOUGH and not unchanged:
        shown = expected.told(built.fail_to_pass, built.tests.texts, pull.test_patch, enough=NAMED)
        if not shown and len(text) < LEAST:
            raise Rejected(
                "statement_thin", f"{len(text)} characters, and the tests have no names or assertions to tell"
            )
        text = f"{text}\n\n{shown}".strip()
        why += ["it was short: what the failing tests expect was added"] if shown else []
    with origins.open_repository(pull.origin) as repo:
        needed = interface.missing(pull.patch, pull.test_patch, text, partial(has, repo, pull.base_commit))
    if not needed.is_empty:
        text = f"{text}\n\n{needed.told()}"
        listed = ", ".join((*needed.names, *needed.options, *needed.texts, *needed.files))
        why.append(f"what the tests use was added: {listed[:200]}")
    return Statement(before=before, after=text if text != before else "", by="rules" if why else "", why=tuple(why))


def _require_clean(text: str, pull: PullRequest) -> None:
    """Reject what could not be cut out clean."""
    if leaks.holds_diff(text):
        raise Rejected("statement_leaks", "a diff")
    if named := leaks.named(text, pull.commits):
        raise Rejected("statement_leaks", f"the commit {named[0]}")
    if shown := leaks.shown_lines(text, pull.patch):
        raise Rejected("statement_leaks", shown[0])


def has(repo: Path, commit: str, word: str) -> bool:
    """Whether the code before the change has the word."""
    whole = ("-w",) if word.replace("_", "").isalnum() else ()
    try:
        git(repo, "grep", "-q", "-I", "-F", *whole, "-e", word, commit, "--")
    except GitFailed as failed:
        if "exit code 1" in str(failed) or "unable to read" in str(failed):  # data that this clone does not have
            return False
        raise
    return True
