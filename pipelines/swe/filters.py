"""The filter stage: which pull requests are worth an environment. The rules are rows of `filters.toml`.

Each rule is a small function that returns why a pull request breaks it, or nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

from crucible.datafile import rows
from crucible.errors import Rejected
from crucible.mining import Workshop
from crucible.record import Record
from pipelines.swe.changes import added_lines
from pipelines.swe.licences import is_permissive
from pipelines.swe.model import PullRequest, Sort

HERE = Path(__file__).parent

HASH = re.compile(r"\b[0-9a-f]{7,40}\b")
LINK = re.compile(r"/(?:pull|commit|commits|merge_requests)/[0-9a-f]+")


class Rule(Record):
    """One row of `filters.toml`."""

    name: str
    reason: str
    meaning: str
    limit: int = 0
    patterns: tuple[str, ...] = ()


@cache
def rules() -> tuple[Rule, ...]:
    """All rules, in order."""
    return rows(HERE / "filters.toml", "filters", Rule)


async def keep(pull: PullRequest, shop: Workshop) -> Sequence[PullRequest]:
    """The pull request, when it breaks no rule."""
    for rule in rules():
        broken = BREAKS[rule.name](pull, rule)
        if broken:
            raise Rejected(rule.reason, broken)
    return [pull]


def merged(pull: PullRequest, rule: Rule) -> str:
    return "" if pull.merged else rule.meaning


def human(pull: PullRequest, rule: Rule) -> str:
    bot = any(fnmatchcase(pull.author.lower(), pattern) for pattern in rule.patterns)
    return f"by {pull.author}" if bot else ""


def permissive(pull: PullRequest, rule: Rule) -> str:
    return "" if is_permissive(pull.licence) else pull.licence or "no licence that we know"


def few_files(pull: PullRequest, rule: Rule) -> str:
    return f"{len(pull.files)} files, at most {rule.limit}" if len(pull.files) > rule.limit else ""


def few_lines(pull: PullRequest, rule: Rule) -> str:
    return f"{pull.lines} lines, at most {rule.limit}" if pull.lines > rule.limit else ""


def text_only(pull: PullRequest, rule: Rule) -> str:
    return ", ".join(file.path for file in pull.files if file.binary)


def readable(pull: PullRequest, rule: Rule) -> str:
    return pull.unreadable


def not_only_locks(pull: PullRequest, rule: Rule) -> str:
    return rule.meaning if _only(pull, "lock") else ""


def not_only_docs(pull: PullRequest, rule: Rule) -> str:
    return rule.meaning if _only(pull, "doc") else ""


def not_only_copies(pull: PullRequest, rule: Rule) -> str:
    return rule.meaning if _only(pull, "vendored", "generated") else ""


def touches_source(pull: PullRequest, rule: Rule) -> str:
    return "" if _has(pull, "source") else rule.meaning


def touches_tests(pull: PullRequest, rule: Rule) -> str:
    written = any(file.sort == "test" and file.status != "deleted" for file in pull.files)
    return "" if written else rule.meaning


def told(pull: PullRequest, rule: Rule) -> str:
    length = len(pull.statement)
    return f"{length} characters, at least {rule.limit}" if length < rule.limit else ""


def names_no_commit(pull: PullRequest, rule: Rule) -> str:
    hashes = HASH.findall(pull.statement.lower())
    named = [found for found in hashes if any(commit.startswith(found) for commit in pull.commits)]
    return ", ".join(named + LINK.findall(pull.statement))


def shows_no_answer(pull: PullRequest, rule: Rule) -> str:
    """Documentation in the patch may repeat the statement; only lines of code give the answer away."""
    if "diff --git " in pull.statement or "\n@@ -" in pull.statement:
        return "a diff"
    lines = {line.strip() for line in pull.statement.splitlines()}
    shown = [line.strip() for line in added_lines(pull.patch) if line.strip() in lines]
    return next((line for line in shown if len(line) >= rule.limit), "")


def _only(pull: PullRequest, *sorts: Sort) -> bool:
    return bool(pull.files) and all(file.sort in sorts for file in pull.files)


def _has(pull: PullRequest, sort: Sort) -> bool:
    return any(file.sort == sort for file in pull.files)


BREAKS: dict[str, Callable[[PullRequest, Rule], str]] = {
    rule.__name__: rule
    for rule in (
        *(merged, human, permissive, few_files, few_lines, text_only, readable),
        *(not_only_locks, not_only_docs, not_only_copies, touches_source, touches_tests),
        *(told, names_no_commit, shows_no_answer),
    )
}
"""The functions by the names the table uses."""
