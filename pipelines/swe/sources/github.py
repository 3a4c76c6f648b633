"""The source `github`: merged pull requests over the API, with the issues they close.

The API says what people wrote; what changed is read from a clone, by the functions that the source `git` uses, so
that both say the same bytes. What was made of a pull request is remembered: a collection that was stopped goes on
where it was.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import re
from collections.abc import AsyncIterator, Generator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from crucible.errors import CrucibleError
from crucible.mining import MiningContext
from crucible.parts import source
from crucible.record import Record
from pipelines.swe.filters.stage import is_worth_reading
from pipelines.swe.model import PullRequest
from pipelines.swe.repository.commits import one
from pipelines.swe.repository.git import GitFailed, git
from pipelines.swe.repository.licences import Licences
from pipelines.swe.repository.messages import MESSAGE_RULES, Message, clean
from pipelines.swe.repository.mirrors import mirrored
from pipelines.swe.repository.objects import objects
from pipelines.swe.repository.pull_requests import Group, groups
from pipelines.swe.settings import SourceSettings, clone_folder
from pipelines.swe.sources.clone import came_with, completed, scanned
from pipelines.swe.sources.github_api import Api, NotThere
from pipelines.swe.sources.github_rows import Pull, Repository, linked

log = logging.getLogger(__name__)

SLUG = re.compile(r"(?:https?://[^/]+/)?(?P<slug>[\w-][\w.-]*/[\w.-]+?)(?:\.git)?/?")


class Remembered(Record):
    """What was made of a pull request, and what it was made from."""

    mark: str
    pull: PullRequest


@source("github")
async def forge(origin: str, context: MiningContext) -> AsyncIterator[PullRequest]:
    """Pull requests of a repository on GitHub, with the issues they close."""
    with closing(collected(origin, context.section(SourceSettings), clone_folder(context))) as found:
        while (pull := await asyncio.to_thread(next, found, None)) is not None:
            yield pull


def collected(origin: str, settings: SourceSettings, cache: Path) -> Generator[PullRequest, None, None]:
    """Every closed pull request of the repository, newest first."""
    found = SLUG.fullmatch(origin)
    if not found:
        raise CrucibleError(f"'{origin}' names no repository on GitHub", "say owner/name")
    folder = cache / re.sub(r"\W+", "-", settings.github_url.partition("://")[2]) / found["slug"].lower()
    api = Api(settings, folder / "answers")
    try:
        about = Repository.model_validate(api.get(f"/repos/{found['slug']}"))
    except NotThere as missing:
        raise CrucibleError(f"GitHub has no repository '{found['slug']}', or hides it from this token") from missing
    except ValidationError as wrong:
        raise CrucibleError(f"GitHub's answer on '{found['slug']}' has not the shape of a repository") from wrong
    repo = mirrored(about.clone_url, about.default_branch, folder / "clone.git", settings)
    with objects(repo) as known:
        desk = Desk(api, about, repo, Licences(known), {group.tip: group for group in groups(repo)}, folder / "pulls")
        for row in api.pages(f"/repos/{about.full_name}/pulls", state="closed", sort="created", direction="desc"):
            if pull := desk.read(row):
                yield pull


@dataclass(frozen=True)
class Desk:
    """Where rows of the API and commits of the clone are put together."""

    api: Api
    about: Repository
    repo: Path
    licences: Licences
    groups: dict[str, Group]
    memory: Path

    def read(self, row: object) -> PullRequest | None:
        """The pull request of a row; None when the row has not the shape of one."""
        try:
            pull = Pull.model_validate(row)
        except ValidationError as wrong:
            log.warning("a pull request of %s cannot be read: %s", self.about.full_name, wrong.errors()[0]["msg"])
            return None
        place = self.memory / f"{pull.number}.json"
        mark = f"{pull.updated_at} {pull.merge_commit_sha} {_rules()}"
        try:
            remembered = Remembered.model_validate_json(place.read_bytes())
        except (OSError, ValidationError):
            remembered = None
        if remembered and remembered.mark == mark:
            return remembered.pull
        made = self._made(pull)
        self.memory.mkdir(parents=True, exist_ok=True)
        place.write_text(Remembered(mark=mark, pull=made).model_dump_json(), encoding="utf-8")
        return made

    def _made(self, row: Pull) -> PullRequest:
        group = self._group(row) if row.merged_at else None
        if group is None:
            return self._bare(row)
        said = Message(number=row.number, title=row.title, body=clean(row.text), labels=_labels(row))
        told = Group(said, group.commits)
        came = came_with(self.repo, [told]).get(told.tip, [])
        pull = scanned(self.repo, told, self.about.full_name, self.licences, came).model_copy(update=self._facts(row))
        if not is_worth_reading(pull):
            return pull
        issue = linked(self.api, self.about.full_name, row)
        return completed(self.repo, pull.model_copy(update={"issue": issue}))

    def _group(self, row: Pull) -> Group | None:
        """The commits on the main line; a merge that names no number in its message is still found by its hash."""
        tip = row.merge_commit_sha or ""
        if tip in self.groups:
            return self.groups[tip]
        try:
            git(self.repo, "merge-base", "--is-ancestor", tip, "HEAD")
            commit = one(self.repo, tip)
        except GitFailed:
            return None
        return Group(Message(number=row.number, title=row.title), (commit,)) if commit.parents else None

    def _bare(self, row: Pull) -> PullRequest:
        """One that was not merged, or not into the main line: it is recorded, and dropped with a reason."""
        where = f"it was merged into {row.base.ref}, not into the main line" if row.merged_at else ""
        commits = {"base_commit": row.base.sha, "merge_commit": row.head.sha, "unreadable": where}
        said = {"number": row.number, "title": row.title, "body": row.text, "labels": _labels(row)}
        return PullRequest.model_validate({"repo": self.about.full_name, **commits, **said, **self._facts(row)})

    def _facts(self, row: Pull) -> dict[str, object]:
        """What the API knows better than the history."""
        return {
            "author": row.user.name if row.user else "",
            "merged": row.merged_at is not None,
            "merged_at": row.merged_at or "",
            "url": row.html_url,
            "origin": str(self.repo),
        }


def _labels(row: Pull) -> tuple[str, ...]:
    return tuple(label.name for label in row.labels)


def _rules() -> str:
    """A hash of `messages.toml`: what was read under other rules is read anew."""
    return hashlib.sha256(MESSAGE_RULES.read_bytes()).hexdigest()[:12]
