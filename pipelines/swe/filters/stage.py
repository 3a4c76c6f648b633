"""The filter stage: which pull requests are worth an environment. The rules are rows of `filters.toml`.

Each rule is a small function that returns why a pull request breaks it, or nothing.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from fnmatch import translate
from functools import cache
from pathlib import Path

from crucible.datafile import read_rows
from crucible.domains.code.inline_tests import may_hold_tests
from crucible.domains.code.patches import changes
from crucible.errors import Rejected
from crucible.mining import MiningContext
from crucible.record import Record
from pipelines.swe.filters import decontamination, repeated_changes
from pipelines.swe.filters.fork_copies import find_copy_elsewhere
from pipelines.swe.model import ChangedFile, PullRequest, Sort
from pipelines.swe.paths import sort_of
from pipelines.swe.repository.licences import is_permissive
from pipelines.swe.repository.trees import LFS_POINTER
from pipelines.swe.settings import SourceSettings
from pipelines.swe.statements import leaks

RULES_FILE = Path(__file__).with_name("filters.toml")

REVERTS = re.compile(r"(?:Revert \".*\"\s+)?This reverts (?:commit|pull request|merge)\b")
# matches the start of: This reverts commit 3f2a1bc.
"""How the text of a revert begins; further down in a text, a change takes back a step on its own way."""
MAX_MENDED_LINES = 20
"""Lines of a copied file that somebody may have changed by hand; a newer copy has more."""


class Rule(Record):
    """One row of `filters.toml`: what a pull request must not be, and the reason that a drop is counted under."""

    name: str
    reason: str
    meaning: str
    limit: int = 0
    patterns: tuple[str, ...] = ()
    reads_patch: bool = False


@cache
def rules() -> tuple[Rule, ...]:
    """All rules, in the order in which they are asked."""
    return read_rows(RULES_FILE, "filters", Rule)


async def filter_pull_request(pull: PullRequest, context: MiningContext) -> Sequence[PullRequest]:
    """The pull request with the lists it was held against. Rejected when it breaks a rule."""
    lists = decontamination.load_lists(context.section(SourceSettings).lists)
    for rule in rules():
        violation = await asyncio.to_thread(_find_violation, pull, rule, lists)
        if not violation and rule.name == "no_double":
            copy = await find_copy_elsewhere(pull, context.memory, rule.limit / 100)
            violation = f"nearly the change of {copy}" if copy else ""
        if violation:
            raise Rejected(rule.reason, violation)
    return [pull.model_copy(update={"held_against": tuple(listed.name for listed in lists)})]


def is_worth_reading(pull: PullRequest) -> bool:
    """Whether a pull request breaks no rule of those that need no patch."""
    return not any(BREAKS[rule.name](pull, rule) for rule in rules() if not rule.reads_patch)


def _find_violation(pull: PullRequest, rule: Rule, lists: Sequence[decontamination.InstanceList]) -> str:
    """Why a pull request breaks a rule; empty when it does not."""
    if rule.name == "no_benchmark":
        return _find_on_lists(pull, lists)
    return BREAKS[rule.name](pull, rule)


def merged(pull: PullRequest, rule: Rule) -> str:
    return "" if pull.merged else rule.meaning


def human(pull: PullRequest, rule: Rule) -> str:
    return f"by {pull.author}" if _glob_expression(rule.patterns).fullmatch(pull.author) else ""


def no_revert(pull: PullRequest, rule: Rule) -> str:
    return pull.title if _is_titled(pull, rule) or REVERTS.match(pull.body) else ""


def not_forwarded(pull: PullRequest, rule: Rule) -> str:
    return pull.title if _is_titled(pull, rule) else ""


def permissive(pull: PullRequest, rule: Rule) -> str:
    return "" if is_permissive(pull.licence) else pull.licence or "no licence that we know"


def few_files(pull: PullRequest, rule: Rule) -> str:
    return f"{len(pull.files)} files, at most {rule.limit}" if len(pull.files) > rule.limit else ""


def few_lines(pull: PullRequest, rule: Rule) -> str:
    """What is only taken out of tests (an output that is recorded no more) is nobody's work."""
    lines = sum(file.added + (file.removed if file.sort != "test" else 0) for file in pull.files)
    return f"{lines} lines, at most {rule.limit}" if lines > rule.limit else ""


def text_only(pull: PullRequest, rule: Rule) -> str:
    return ", ".join(file.path for file in pull.files if file.binary and file.sort not in ("test", "doc"))


def plain_files(pull: PullRequest, rule: Rule) -> str:
    return ", ".join(file.path for file in pull.files if file.special == "submodule")


def not_only_locks(pull: PullRequest, rule: Rule) -> str:
    return rule.meaning if _has_only(pull, "lock") else ""


def not_only_docs(pull: PullRequest, rule: Rule) -> str:
    return rule.meaning if _has_only(pull, "doc") else ""


def not_only_copies(pull: PullRequest, rule: Rule) -> str:
    return rule.meaning if _has_only(pull, "vendored", "generated") else ""


def touches_source(pull: PullRequest, rule: Rule) -> str:
    is_source = any(file.sort == "source" or _is_data(file) or _is_mended_copy(file) for file in pull.files)
    return "" if is_source else rule.meaning


def touches_tests(pull: PullRequest, rule: Rule) -> str:
    return "" if any(_may_hold_tests(file) for file in pull.files) else rule.meaning


def changes_code(pull: PullRequest, rule: Rule) -> str:
    if not any(file.holds_tests for file in pull.files):
        return ""
    source = {file.path for file in pull.files if file.sort == "source"}
    return "" if any(change.path in source for change in changes(pull.patch) if change.hunks) else rule.meaning


def changes_tests(pull: PullRequest, rule: Rule) -> str:
    return "" if any(_is_test_file(file) or file.holds_tests for file in pull.files) else rule.meaning


def readable(pull: PullRequest, rule: Rule) -> str:
    return pull.unreadable


def no_pointers(pull: PullRequest, rule: Rule) -> str:
    return rule.meaning if f"\n+{LFS_POINTER.decode()}" in pull.patch + pull.test_patch else ""


def has_statement(pull: PullRequest, rule: Rule) -> str:
    length = len(pull.statement)
    return f"{length} characters, at least {rule.limit}" if length < rule.limit else ""


def names_no_commit(pull: PullRequest, rule: Rule) -> str:
    if not leaks.has_links(pull.statement, pull.commits):
        return ""
    left = leaks.remove_links(pull.statement, pull.commits)
    return f"without it {len(left)} characters, at least {rule.limit}" if len(left) < rule.limit else ""


def shows_no_answer(pull: PullRequest, rule: Rule) -> str:
    if leaks.holds_diff(pull.statement):
        return "a diff"
    shown = leaks.find_patch_lines(pull.statement, pull.patch)
    return f"{len(shown)} lines of the change, such as: {shown[0]}" if len(shown) > rule.limit else ""


def no_benchmark(pull: PullRequest, rule: Rule) -> str:
    return _find_on_lists(pull, decontamination.load_lists())


def no_double(pull: PullRequest, rule: Rule) -> str:
    twin = repeated_changes.find_earlier_twin(pull, rule.limit / 100)
    return f"as #{twin.number}, of which it shares {twin.share:.0%}" if twin else ""


def _find_on_lists(pull: PullRequest, lists: Sequence[decontamination.InstanceList]) -> str:
    return next((f"on the list {listed.name}" for listed in lists if listed.holds(pull)), "")


def _is_titled(pull: PullRequest, rule: Rule) -> bool:
    return bool(_any_of(rule.patterns).fullmatch(pull.title))


@cache
def _glob_expression(patterns: tuple[str, ...]) -> re.Pattern[str]:
    return _any_of(tuple(translate(pattern) for pattern in patterns))


@cache
def _any_of(patterns: tuple[str, ...]) -> re.Pattern[str]:
    """One regular expression for all of these, in capitals or not."""
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


def _has_only(pull: PullRequest, *sorts: Sort) -> bool:
    return bool(pull.files) and all(file.sort in sorts for file in pull.files)


def _is_data(file: ChangedFile) -> bool:
    """Whether a file may be part of what a package does, though it is no code: a template, a table, a translation.
    What stands at the root or is hidden says how the project is worked on."""
    return file.sort == "other" and "/" in file.path and not file.path.startswith(".")


def _is_mended_copy(file: ChangedFile) -> bool:
    """Whether a few lines of code are changed by hand in a copy of somebody else's."""
    is_code = file.sort == "vendored" and sort_of(file.path.rpartition("/")[2]) == "source"
    return is_code and file.status == "modified" and file.added + file.removed <= MAX_MENDED_LINES


def _is_test_file(file: ChangedFile) -> bool:
    return file.sort == "test" and file.status != "deleted"


def _may_hold_tests(file: ChangedFile) -> bool:
    """Whether it is a test file, or a source file that can have tests within it."""
    return _is_test_file(file) or (file.sort == "source" and file.status != "deleted" and may_hold_tests(file.path))


BREAKS: dict[str, Callable[[PullRequest, Rule], str]] = {
    rule.__name__: rule
    for rule in (
        *(merged, readable, human, no_revert, not_forwarded, permissive, few_files, few_lines, text_only, plain_files),
        *(not_only_locks, not_only_docs, not_only_copies, touches_source, touches_tests, changes_code, changes_tests),
        *(no_pointers, has_statement, names_no_commit, shows_no_answer, no_benchmark, no_double),
    )
}
"""The functions by the names the table uses."""
