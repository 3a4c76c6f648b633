"""The source `github`: merged pull requests over the API, with the issues they close.

The API says what people wrote; what changed is read from a clone, by the functions that the source `git` uses, so
that both give the same bytes. Each pull request is cached once it is read, and the cursor says which were yielded: a
collection that was stopped goes on where it was, and one that is repeated yields what is new.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import re
from collections.abc import AsyncIterator, Generator
from contextlib import closing
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

from pydantic import ValidationError

from crucible.errors import CrucibleError
from crucible.mining import MiningContext
from crucible.parts import source
from crucible.record import Record
from pipelines.swe.filters.stage import is_worth_reading
from pipelines.swe.model import PullRequest
from pipelines.swe.repository.commits import read_commit
from pipelines.swe.repository.git import GitFailed, git
from pipelines.swe.repository.licences import Licences
from pipelines.swe.repository.messages import MESSAGE_RULES, Message, clean_text
from pipelines.swe.repository.mirrors import update_mirror
from pipelines.swe.repository.objects import open_objects
from pipelines.swe.repository.pull_requests import PullCommits, find_pull_requests
from pipelines.swe.settings import SourceSettings, clone_folder
from pipelines.swe.sources.clone import commits_brought_by, scan_pull, with_patches
from pipelines.swe.sources.github_api import PAGE_ROWS, Api, NotFound
from pipelines.swe.sources.github_rows import Pull, Repository, closed_issues_text
from pipelines.swe.sources.seen_pulls import SeenPulls, latest_closing, read_seen

log = logging.getLogger(__name__)

SLUG = re.compile(r"(?:https?://[^/]+/)?(?P<slug>[\w-][\w.-]*/[\w.-]+?)(?:\.git)?/?")
# matches: owner/name  https://github.com/owner/name.git


class CachedPull(Record):
    """A pull request as it was read before; `mark` says what it was read from."""

    mark: str
    pull: PullRequest


@source("github")
async def github_pull_requests(origin: str, context: MiningContext) -> AsyncIterator[PullRequest]:
    """Pull requests of a repository on GitHub, with the issues they close: those that no earlier collection yielded."""
    seen = read_seen(context.cursor.read())
    with closing(collect_pulls(origin, context.section(SourceSettings), clone_folder(context), seen)) as pulls:
        while (step := await asyncio.to_thread(next, pulls, None)) is not None:
            if step.pull:
                yield step.pull
            context.cursor.advance(step.seen.write())


class ReadRow(Record):
    """One row of the list, read: its pull request, unless it was collected before, and what has been seen with it."""

    pull: PullRequest | None
    seen: SeenPulls


def collect_pulls(
    origin: str, settings: SourceSettings, cache: Path, seen: SeenPulls
) -> Generator[ReadRow, None, None]:
    """Every closed pull request of the repository, newest first; those that were seen before are not read again."""
    address = SLUG.fullmatch(origin)
    if not address:
        raise CrucibleError(f"'{origin}' names no repository on GitHub", "say owner/name")
    slug = address["slug"]
    folder = cache / re.sub(r"\W+", "-", settings.github_url.partition("://")[2]) / slug.lower()
    api = Api(settings, folder / "answers")
    try:
        about = Repository.model_validate(api.get(f"/repos/{slug}"))
    except NotFound as missing:
        raise CrucibleError(f"GitHub has no repository '{slug}', or hides it from this token") from missing
    except ValidationError as wrong:
        raise CrucibleError(f"GitHub's answer on '{slug}' has not the shape of a repository") from wrong
    repo = update_mirror(about.clone_url, about.default_branch, folder / "clone.git", settings)
    with open_objects(repo) as objects:
        pulls_by_tip = {pull.tip: pull for pull in find_pull_requests(repo)}
        reader = PullReader(api, about, repo, Licences(objects), pulls_by_tip, folder / "pulls")
        rows = api.pages(f"/repos/{about.full_name}/pulls", state="closed", sort="created", direction="desc")
        first_page = list(islice(rows, PAGE_ROWS))
        closed_by = latest_closing(first_page)
        for row in map(reader.parse_row, chain(first_page, rows)):
            if row is not None:
                pull = None if seen.has(row) else reader.read_row(row)
                seen = seen.with_next(row, closed_by)
                yield ReadRow(pull=pull, seen=seen)


@dataclass(frozen=True)
class PullReader:
    """Puts rows of the API and commits of the clone together to pull requests."""

    api: Api
    about: Repository
    repo: Path
    licences: Licences
    pulls_by_tip: dict[str, PullCommits]
    """The pull requests of the clone's main line, by their newest commit."""
    cache: Path
    """A folder for what was read before."""

    def parse_row(self, row: object) -> Pull | None:
        """The row, checked; None when it has not the shape of a pull request."""
        try:
            return Pull.model_validate(row)
        except ValidationError as wrong:
            log.warning("a pull request of %s cannot be read: %s", self.about.full_name, wrong.errors()[0]["msg"])
            return None

    def read_row(self, row: Pull) -> PullRequest:
        """The pull request of a row, from the cache where nothing has changed."""
        file = self.cache / f"{row.number}.json"
        mark = f"{row.updated_at} {row.merge_commit_sha} {_message_rules_hash()}"
        try:
            cached = CachedPull.model_validate_json(file.read_bytes())
        except (OSError, ValidationError):
            cached = None
        if cached and cached.mark == mark:
            return cached.pull
        pull = self._read_pull(row)
        self.cache.mkdir(parents=True, exist_ok=True)
        file.write_text(CachedPull(mark=mark, pull=pull).model_dump_json(), encoding="utf-8")
        return pull

    def _read_pull(self, row: Pull) -> PullRequest:
        on_main_line = self._find_commits(row) if row.merged_at else None
        if on_main_line is None:
            return self._without_commits(row)
        message = Message(number=row.number, title=row.title, body=clean_text(row.text), labels=row.label_names)
        commits = PullCommits(message, on_main_line.commits)
        brought = commits_brought_by(self.repo, [commits]).get(commits.tip, [])
        scanned = scan_pull(self.repo, commits, self.about.full_name, self.licences, brought)
        pull = scanned.model_copy(update=self._api_facts(row))
        if not is_worth_reading(pull):
            return pull
        issue = closed_issues_text(self.api, self.about.full_name, row)
        return with_patches(self.repo, pull.model_copy(update={"issue": issue}))

    def _find_commits(self, row: Pull) -> PullCommits | None:
        """The commits of a pull request on the main line, None when there are none. A merge that names no number in its
        message is still found by its hash."""
        tip = row.merge_commit_sha or ""
        if tip in self.pulls_by_tip:
            return self.pulls_by_tip[tip]
        try:
            git(self.repo, "merge-base", "--is-ancestor", tip, "HEAD")
            commit = read_commit(self.repo, tip)
        except GitFailed:
            return None
        return PullCommits(Message(number=row.number, title=row.title), (commit,)) if commit.parents else None

    def _without_commits(self, row: Pull) -> PullRequest:
        """A pull request that was not merged, or not into the main line: it is recorded, and dropped with a reason."""
        unreadable = f"it was merged into {row.base.ref}, not into the main line" if row.merged_at else ""
        commits = {"base_commit": row.base.sha, "merge_commit": row.head.sha, "unreadable": unreadable}
        texts = {"number": row.number, "title": row.title, "body": row.text, "labels": row.label_names}
        return PullRequest.model_validate({"repo": self.about.full_name, **commits, **texts, **self._api_facts(row)})

    def _api_facts(self, row: Pull) -> dict[str, object]:
        """The fields of a pull request that the API knows better than the history."""
        return {
            "author": row.user.name if row.user else "",
            "merged": row.merged_at is not None,
            "merged_at": row.merged_at or "",
            "url": row.html_url,
            "origin": str(self.repo),
        }


def _message_rules_hash() -> str:
    """A hash of `messages.toml`: a pull request that was read under other rules is read anew."""
    return hashlib.sha256(MESSAGE_RULES.read_bytes()).hexdigest()[:12]
