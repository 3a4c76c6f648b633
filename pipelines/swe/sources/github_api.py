"""GitHub's REST API, asked politely: what it said before is asked for conditionally, and its limits are kept.

PyGithub carries the questions (authentication, connections, Enterprise addresses). Its objects are not used: they
ask again whenever a field is missing, and know nothing of conditional requests.
"""

from __future__ import annotations

import hashlib
import json
import re
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import github
import requests
from pydantic import ValidationError

from crucible.errors import CrucibleError
from crucible.record import Record
from pipelines.swe.settings import SourceSettings

NEXT_PAGE = re.compile(r'<([^>]+)>\s*;\s*rel="next"')  # matches: <https://api.github.com/x?page=2>; rel="next"
PAGE_ROWS = 100
"""How many rows of a list are asked for at once: as many as GitHub gives."""
MAX_TRIES = 4
"""How often a question is asked to which there is no answer."""
MAX_WAITS = 20
"""How often a short rate limit is waited for before giving up on one question."""


class NotFound(CrucibleError):
    """404, 410 or 451: there is nothing, or nothing for us."""


class RateLimited(CrucibleError):
    """The limit is used up for longer than we wait."""


class CachedAnswer(Record):
    """An answer of GitHub's, kept so that asking again costs nothing."""

    url: str
    etag: str = ""
    modified: str = ""
    link: str = ""
    body: str


class Api:
    """GitHub's API on one server: answers are cached, rate limits waited for, failures tried again."""

    def __init__(self, settings: SourceSettings, answers: Path) -> None:
        token = settings.github_token.get_secret_value()
        auth = github.Auth.Token(token) if token else None
        base = settings.github_url.rstrip("/")
        hub = github.Github(base_url=base, auth=auth, retry=None, timeout=120, seconds_between_requests=None)
        self._requester = hub.requester
        self._answers = answers
        self._longest = settings.wait_seconds
        self._pause = 1.0 if base.startswith("https") else 0.01

    def get(self, url: str, **parameters: str | int) -> Any:
        """The answer at `url`, as data."""
        return json.loads(self._ask(_with_query(url, parameters)).body)

    def pages(self, url: str, **parameters: str | int) -> Iterator[Any]:
        """The rows of every page of the list at `url`."""
        page: str | None = _with_query(url, {**parameters, "per_page": PAGE_ROWS})
        while page:
            answer = self._ask(page)
            rows = json.loads(answer.body)
            if not isinstance(rows, list):
                raise CrucibleError(f"GitHub answered {page} with something that is not a list")
            yield from rows
            link = NEXT_PAGE.search(answer.link)
            page = link[1] if link else None

    def _ask(self, url: str) -> CachedAnswer:
        file = self._answers / f"{hashlib.sha256(url.encode()).hexdigest()[:32]}.json"
        cached = _load_answer(file)
        failure = ""
        tries, waits = MAX_TRIES, MAX_WAITS
        while tries:
            try:
                status, heads, body = self._requester.requestJson("GET", url, headers=_conditional_headers(cached))
            except (requests.RequestException, RuntimeError, OSError) as failed:
                status, heads, body = 0, {}, str(failed)
            if status == 304 and cached:
                return cached
            if status == 200 and _is_json(body):
                return _store_answer(file, url, heads, body)
            if (seconds := _rate_limit_seconds(status, heads, body)) is not None and waits:
                self._wait(seconds)
                waits -= 1
                continue
            failure = _describe_failure(status, body, url)
            tries -= 1
            if tries:
                time.sleep(self._pause * 2 ** (MAX_TRIES - tries))
        raise CrucibleError(f"GitHub does not answer: {failure}", "what was collected is kept; run it again later")

    def _wait(self, seconds: float) -> None:
        if seconds > self._longest:
            until = datetime.fromtimestamp(time.time() + seconds, UTC)
            raise RateLimited(
                f"GitHub's rate limit is used up until {until:%Y-%m-%d %H:%M} UTC",
                "run the same command again then; what was collected is kept (a token raises the limit)",
            )
        time.sleep(seconds)


def _with_query(url: str, parameters: dict[str, str | int]) -> str:
    words = "&".join(f"{name}={value}" for name, value in sorted(parameters.items()))
    return f"{url}?{words}" if words else url


def _conditional_headers(cached: CachedAnswer | None) -> dict[str, str]:
    """The headers that ask for an answer only if it is not the cached one."""
    if cached and cached.etag:
        return {"If-None-Match": cached.etag}
    return {"If-Modified-Since": cached.modified} if cached and cached.modified else {}


def _rate_limit_seconds(status: int, heads: dict[str, Any], body: str) -> float | None:
    """How many seconds to wait, when the answer is that we asked too much; None for any other answer."""
    if status not in (403, 429):
        return None
    if str(heads.get("retry-after", "")).isdigit():
        return float(heads["retry-after"])
    if str(heads.get("x-ratelimit-remaining", "")) == "0" and str(heads.get("x-ratelimit-reset", "")).isdigit():
        return max(0.0, float(heads["x-ratelimit-reset"]) - time.time()) + 1.0
    return 60.0 if status == 429 or "secondary rate limit" in body.lower() else None


def _describe_failure(status: int, body: str, url: str) -> str:
    """What went wrong, in words. A failure that will not get better by asking again is raised."""
    if status in (404, 410, 451):
        raise NotFound(f"GitHub has nothing at {url}")
    if status == 401:
        raise CrucibleError("GitHub refuses the token", "see sources.github_token")
    if status in range(400, 500):
        raise CrucibleError(f"GitHub refuses {url} with {status}: {' '.join(body.split())[:200]}")
    return f"{url}: " + (f"status {status}" if status not in (0, 200) else " ".join(body.split())[:120] or "nothing")


def _is_json(body: str) -> bool:
    try:
        json.loads(body)
    except ValueError:
        return False
    return True


def _load_answer(file: Path) -> CachedAnswer | None:
    try:
        return CachedAnswer.model_validate_json(file.read_bytes())
    except (OSError, ValidationError):
        return None


def _store_answer(file: Path, url: str, heads: dict[str, Any], body: str) -> CachedAnswer:
    """The answer, kept in the file if the server can say later whether it still holds."""
    modified, link = str(heads.get("last-modified", "")), str(heads.get("link", ""))
    answer = CachedAnswer(url=url, etag=str(heads.get("etag", "")), modified=modified, link=link, body=body)
    if answer.etag or answer.modified:
        file.parent.mkdir(parents=True, exist_ok=True)
        part = file.with_suffix(".part")
        part.write_text(answer.model_dump_json(), encoding="utf-8")
        part.replace(file)
    return answer
