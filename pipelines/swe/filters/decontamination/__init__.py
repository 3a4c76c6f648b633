"""Lists of public benchmark instances: a change that is on one must not become a task.

A list is a file of JSON lines, beside this module or named by the setting `sources.lists`. A line names an instance
by what its benchmark publishes: `instance_id` (`owner__name-NUMBER`), or any of `repo` with `number`,
`base_commit`, and `patch` (the golden patch, or its sha256).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from pydantic import ConfigDict, ValidationError

from crucible.errors import SettingsError
from crucible.record import Record
from pipelines.swe.model import PullRequest
from pipelines.swe.repository.changes import changed_lines

HERE = Path(__file__).parent

INSTANCE_ID = re.compile(r"(?P<owner>[\w.-]+?)__(?P<name>[\w.-]+)-(?P<number>\d+)")  # matches: django__django-11099
SHA256 = re.compile(r"[0-9a-f]{64}")  # matches: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08


class Instance(Record):
    """One line of a list; benchmarks publish more fields than these."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    instance_id: str = ""
    repo: str = ""
    number: int = 0
    base_commit: str = ""
    patch: str = ""

    def marks(self) -> Iterator[tuple[str, str]]:
        """What the instance can be recognised by: the kind of mark, and the mark."""
        if match := INSTANCE_ID.fullmatch(self.instance_id):
            yield "pull", f"{match['owner']}/{match['name']}#{match['number']}".lower()
        if self.repo and self.number:
            yield "pull", f"{self.repo}#{self.number}".lower()
        if self.base_commit:
            yield "base", f"{self.repo.rpartition('/')[2]}@{self.base_commit}".lower()
        if self.patch:
            yield "patch", self.patch if SHA256.fullmatch(self.patch) else patch_digest(self.patch)


class InstanceList(Record):
    """A list of instances. Its name says which file, and which content."""

    name: str
    known: frozenset[tuple[str, str]]

    def holds(self, pull: PullRequest) -> bool:
        """Whether the pull request is on the list: by number, by base commit, or by what it changes."""
        short = pull.repo.rpartition("/")[2].partition("@")[0]
        marks = {
            ("pull", pull.id.lower()),
            ("base", f"{short}@{pull.base_commit}".lower()),
            ("base", f"@{pull.base_commit}".lower()),
            ("patch", patch_digest(pull.patch)),
        }
        return not marks.isdisjoint(self.known)


def patch_digest(patch: str) -> str:
    """The hash of the lines that a patch changes, whatever stands around them and wherever they are."""
    return hashlib.sha256("\n".join(changed_lines(patch)).encode()).hexdigest()


@cache
def load_lists(more: Sequence[str] = ()) -> tuple[InstanceList, ...]:
    """The lists beside this module, and the user's own."""
    files = (*sorted(HERE.glob("*.jsonl")), *(Path(path).expanduser() for path in more))
    return tuple(_read_list(file) for file in files)


def _read_list(file: Path) -> InstanceList:
    try:
        data = file.read_bytes()
        rows = [Instance.model_validate_json(line) for line in data.splitlines() if line.strip()]
    except OSError as missing:
        raise SettingsError(f"the list {file} cannot be read: {missing.strerror}", "see sources.lists") from missing
    except ValidationError as wrong:
        raise SettingsError(f"the list {file} has a line that is no instance: {wrong}") from wrong
    known = frozenset(mark for row in rows for mark in row.marks())
    return InstanceList(name=f"{file.stem}@{hashlib.sha256(data).hexdigest()[:12]}", known=known)
