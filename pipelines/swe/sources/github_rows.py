"""What we read of GitHub's answers, and the issues that a pull request is about."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime

from pydantic import BaseModel, ConfigDict, ValidationError

from pipelines.swe.sources.github_api import Api, NotFound

CLOSES = re.compile(
    r"\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)\b:?\s+"
    r"(?:https?://[^\s/]+/)?(?:(?P<repo>[\w.-]+/[\w.-]+)(?:/issues/|#)|#|GH-)(?P<number>\d{1,9})\b",
    re.IGNORECASE,
)
# matches: Fixes #12  closes owner/name#12  resolved https://github.com/owner/name/issues/12
HTML_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)  # matches: <!-- Please describe your change -->
CLOSED_WITHIN_SECONDS = 300.0
"""An issue that is closed within so many seconds of a merge was closed by it."""
MAX_ISSUES = 3
"""Of more issues the first are taken."""


class Row(BaseModel):
    """A part of an answer of the API; answers have more fields than we read."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class User(Row):
    login: str
    type: str = "User"

    @property
    def name(self) -> str:
        return f"{self.login}[bot]" if self.type == "Bot" and not self.login.endswith("[bot]") else self.login


class Label(Row):
    name: str


class Ref(Row):
    sha: str
    ref: str = ""


class Pull(Row):
    """A row of `/pulls`."""

    number: int
    title: str
    body: str | None = None
    user: User | None = None
    labels: tuple[Label, ...] = ()
    created_at: str = ""
    updated_at: str = ""
    closed_at: str | None = None
    merged_at: str | None = None
    merge_commit_sha: str | None = None
    html_url: str = ""
    base: Ref
    head: Ref

    @property
    def text(self) -> str:
        """The body without what its template says to the author."""
        return HTML_COMMENT.sub("", self.body or "").replace("\r\n", "\n").strip()

    @property
    def label_names(self) -> tuple[str, ...]:
        return tuple(label.name for label in self.labels)


class Repository(Row):
    """`/repos/OWNER/NAME`."""

    full_name: str
    clone_url: str
    default_branch: str


class Issue(Row):
    """An issue, or a pull request seen as one."""

    number: int
    title: str
    body: str | None = None
    created_at: str = ""
    closed_at: str | None = None
    pull_request: dict[str, object] | None = None

    @property
    def text(self) -> str:
        return f"{self.title}\n\n{HTML_COMMENT.sub('', self.body or '')}".replace("\r\n", "\n").strip()


class Source(Row):
    issue: Issue | None = None


class Event(Row):
    """A row of a timeline."""

    event: str = ""
    source: Source | None = None


def closed_issues_text(api: Api, repo: str, pull: Pull) -> str:
    """The text of the issues that the pull request closes: by its own words, else by its timeline."""
    issues = dict.fromkeys((match["repo"] or repo, int(match["number"])) for match in CLOSES.finditer(pull.text))
    texts = [issue.text for slug, number in list(issues)[:MAX_ISSUES] if (issue := _read_issue(api, slug, number))]
    return "\n\n".join(texts or [issue.text for issue in _timeline_issues(api, repo, pull)][:MAX_ISSUES])


def _read_issue(api: Api, repo: str, number: int) -> Issue | None:
    """The issue, unless it is gone, hidden, or itself a pull request."""
    try:
        issue = Issue.model_validate(api.get(f"/repos/{repo}/issues/{number}"))
    except (NotFound, ValidationError):
        return None
    return None if issue.pull_request is not None else issue


def _timeline_issues(api: Api, repo: str, pull: Pull) -> Iterator[Issue]:
    """Issues that were connected to the pull request, or refer to it and were closed as it was merged."""
    try:
        rows = list(api.pages(f"/repos/{repo}/issues/{pull.number}/timeline"))
    except NotFound:
        return
    for row in rows:
        try:
            event = Event.model_validate(row)
        except ValidationError:
            continue
        issue = event.source.issue if event.source else None
        if issue is None or issue.pull_request is not None:
            continue
        if event.event == "connected" or (event.event == "cross-referenced" and _is_closed_with(issue, pull)):
            yield issue


def _is_closed_with(issue: Issue, pull: Pull) -> bool:
    """Whether an issue that is older than the pull request was closed as that was merged."""
    try:
        closed, merged = (datetime.fromisoformat(time or "") for time in (issue.closed_at, pull.merged_at))
    except ValueError:
        return False
    return abs((closed - merged).total_seconds()) <= CLOSED_WITHIN_SECONDS and issue.created_at < pull.created_at
