"""The statement stage: what a solver is told is freed of the answer, and completed with what it cannot know.

Rules always; a model as well, where one is configured. What was there before, and why it changed, is kept.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from crucible.errors import Rejected
from crucible.mining import MiningContext
from crucible.model import Task
from pipelines.swe.model import CHANGELOG_HEAD, Built, PullRequest, Statement
from pipelines.swe.repository import origins
from pipelines.swe.repository.git import GitFailed, git
from pipelines.swe.statements import leaks, told_tokens
from pipelines.swe.statements.expected_behaviour import write_expected_section
from pipelines.swe.statements.interface import Interface, find_missing_interface
from pipelines.swe.statements.model_check import check_with_model
from pipelines.swe.statements.patch_files import ChangedTests, read_tests
from pipelines.swe.statements.quoted_code import cut_quoted_code

COMPLETE_STATEMENT_CHARS = 400
"""A longer statement is taken to be complete: nothing is added from the tests."""
SPEAKING_NAMES_CHARS = 600
"""Names of failing tests that are longer together say enough: no assertions are shown beside them."""
THIN_STATEMENT_CHARS = 15
"""A shorter statement gives nothing to work from, unless the tests do."""


async def write_statement(built: Built, context: MiningContext) -> Sequence[Built]:
    """The task with a statement that is complete, and free of the answer."""
    statement = await asyncio.to_thread(apply_rules, built)
    pull = built.candidate.pull
    if context.adviser is not None:
        statement = await check_with_model(statement, pull, context.adviser)
    instruction = built.task.instruction.replace(statement.before, statement.text, 1)
    # An export looks in the provenance for the lists of benchmark instances that the task is not on.
    provenance = built.task.provenance.model_copy(update={"held_against": pull.held_against})
    told = await asyncio.to_thread(_told_share, statement.text, pull)
    labels = built.task.labels | {told_tokens.LABEL: f"{told:.2f}"}
    task = built.task.model_copy(update={"instruction": instruction, "provenance": provenance, "labels": labels})
    return [built.model_copy(update={"task": Task.model_validate(task.model_dump()), "statement": statement})]


def _told_share(text: str, pull: PullRequest) -> float:
    """The share of the change's new words that a text has."""
    with origins.open_repository(pull.origin) as repo:
        return told_tokens.measure_told_share(text, pull.patch, partial(_read_file, repo, pull.base_commit))


def _read_file(repo: Path, commit: str, path: str) -> str:
    """A file's text at that commit; empty where it is not there, or where this clone lacks its content."""
    try:
        return git(repo, "cat-file", "blob", f"{commit}:{path}").decode(errors="replace")
    except GitFailed:
        return ""


def apply_rules(built: Built) -> Statement:
    """The statement after all rules: the answer is cut out, what the tests need and nobody could know is added."""
    with origins.open_repository(built.candidate.pull.origin) as repo:
        in_base = partial(has_word, repo, built.candidate.pull.base_commit)
        text, why = _cut_answer(built, in_base)
        return _complete_statement(built, text, why, in_base)


def _cut_answer(built: Built, in_base: Callable[[str], bool]) -> tuple[str, list[str]]:
    """The statement without what gives the answer away, and why it changed. Rejected where that could not be cut."""
    pull, kind, before = built.candidate.pull, built.candidate.route.kind, built.statement.before
    why: list[str] = []
    text = leaks.cut_answer(before, pull.commits, pull.patch)
    if text.split() != before.split():
        why.append("what named the change was cut out")
    problem = leaks.cut_sections(text, is_fix=kind == "bugfix")
    if problem.split() != text.split() and len(problem) >= THIN_STATEMENT_CHARS:
        text = problem
        why.append("what told how the change was made was cut out")
    unquoted = _cut_quotations(text, built, in_base)
    if unquoted.split() != text.split():
        text = unquoted
        why.append("what quoted code of the change was cut out")
    if leak := leaks.find_leak(text, pull.commits, pull.patch):
        raise Rejected("statement_leaks", leak)
    return text, why


def _cut_quotations(text: str, built: Built, in_base: Callable[[str], bool]) -> str:
    """The statement without the sentences that quote code of the change. How the code is to be arranged is what a
    refactoring asks for, and a changelog quotes what users are to write: both stay."""
    pull = built.candidate.pull
    if built.candidate.route.kind == "refactoring":
        return text
    own, head, entry = text.partition(CHANGELOG_HEAD)
    cut = cut_quoted_code(own.strip(), pull.patch, pull.test_patch, in_base)
    return f"{cut}\n\n{head}{entry}".strip()


def _complete_statement(built: Built, text: str, why: list[str], in_base: Callable[[str], bool]) -> Statement:
    """The statement with what the tests expect, where it says too little, and with the names and texts they use;
    `text` is what is left of it, `why` what was done to it so far."""
    pull, kind, before = built.candidate.pull, built.candidate.route.kind, built.statement.before
    tests = read_tests(built.fail_to_pass, built.tests.texts, pull.test_patch)
    # Where behaviour stays as it is, the tests expect nothing that was not so before.
    keeps_behaviour = kind in ("refactoring", "performance") and len(text) >= THIN_STATEMENT_CHARS
    is_incomplete = built.tells_expected or len(text) < COMPLETE_STATEMENT_CHARS
    if is_incomplete and not keeps_behaviour and (section := _expected_section(text, tests)):
        text = f"{text}\n\n{section}".strip()
        reason = "it speaks of speed" if built.tells_expected else "it was short"
        why.append(f"{reason}: what the failing tests expect was added")
    interface = find_missing_interface(pull.patch, tests, text, in_base)
    if not interface.is_empty:
        text = f"{text}\n\n{interface.as_section()}"
        why.append(f"what the tests use was added: {_list_interface(interface)[:200]}")
    return Statement(before=before, after=text if text != before else "", by="rules" if why else "", why=tuple(why))


def _expected_section(text: str, tests: ChangedTests) -> str:
    """What the failing tests expect. Rejected where they show nothing, and the statement says nothing either."""
    section = write_expected_section(tests, enough=SPEAKING_NAMES_CHARS)
    if not section and len(text) < THIN_STATEMENT_CHARS:
        raise Rejected("statement_thin", f"{len(text)} characters, and the tests have no names or assertions to tell")
    return section


def _list_interface(interface: Interface) -> str:
    return ", ".join((*interface.names, *interface.options, *interface.texts, *interface.files))


def has_word(repo: Path, commit: str, word: str) -> bool:
    """Whether the code of that commit has the word."""
    whole_word = ("-w",) if word.replace("_", "").isalnum() else ()
    try:
        git(repo, "grep", "-q", "-I", "-F", *whole_word, "-e", word, commit, "--")
    except GitFailed as failed:
        if "exit code 1" in str(failed) or "unable to read" in str(failed):  # data that this clone does not have
            return False
        raise
    return True
