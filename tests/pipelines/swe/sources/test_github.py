"""The source `github` gives what the source `git` gives and what people wrote, and survives what servers do."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from crucible import parts
from crucible.errors import CrucibleError
from crucible.mining import MiningContext, Pipeline
from crucible.settings import Settings
from crucible.stages.mine import source_of
from pipelines.swe.model import PullRequest
from pipelines.swe.settings import SourceSettings
from tests.pipelines.swe.cursor import KeptCursor
from tests.pipelines.swe.forge import forge

REPO = "/repos/team/shelf"
PULLS = f"{REPO}/pulls"


def row(pull: PullRequest, **changes: Any) -> dict[str, Any]:
    plain = {
        "number": pull.number,
        "title": pull.title,
        "body": pull.body,
        "user": {"login": "ada", "type": "User"},
        "labels": [{"name": label} for label in pull.labels],
        "created_at": "2024-01-01T00:00:00Z",
        "updated_at": "2024-02-01T00:00:00Z",
        "merged_at": "2024-01-05T00:00:00Z",
        "merge_commit_sha": pull.merge_commit,
        "html_url": f"https://hub.example/team/shelf/pull/{pull.number}",
        "base": {"sha": pull.base_commit, "ref": "main"},
        "head": {"sha": pull.merge_commit, "ref": "x"},
    }
    return plain | changes


@pytest.fixture
def hub(shelf: Path, pulls: dict[int, PullRequest]) -> Iterator[Any]:
    """GitHub with the sample on it."""
    with forge() as made:
        about = {"full_name": "team/shelf", "clone_url": f"file://{shelf}", "default_branch": "main"}
        made.at = {REPO: about, PULLS: [row(pulls[number]) for number in sorted(pulls, reverse=True)]}
        yield made


@pytest.fixture
def context(hub: Any, tmp_path: Path) -> MiningContext:
    sources = SourceSettings(github_url=hub.url, protocols=("file",), cache=tmp_path / "cache", wait_seconds=3)
    return MiningContext(world=None, blobs=None, settings=Settings(sections={"sources": sources}))  # type: ignore[arg-type]


async def collect(context: MiningContext, origin: str = "team/shelf") -> list[PullRequest]:
    return [pull async for pull in parts.find("source", "github").make(origin, context)]


async def test_both_sources_give_the_same_patches(context: MiningContext, pulls: dict[int, PullRequest]) -> None:
    collected = await collect(context)
    assert [pull.number for pull in collected] == sorted(pulls, reverse=True)
    for pull in collected:
        twin = pulls[pull.number]
        for field in ("files", "base_commit", "merge_commit", "licence", "labels", "title"):
            assert getattr(pull, field) == getattr(twin, field)
        if twin.author != "deps-keeper[bot]":  # whom the API calls ada
            assert (pull.patch, pull.test_patch) == (twin.patch, twin.test_patch)
    assert collected[0].id == f"team/shelf#{collected[0].number}"
    assert collected[0].url == f"https://hub.example/team/shelf/pull/{collected[0].number}"
    assert Path(collected[0].origin).is_dir()


async def test_every_page_is_read(context: MiningContext, hub: Any, pulls: dict[int, PullRequest]) -> None:
    hub.page = 3
    assert len(await collect(context)) == len(pulls)
    assert hub.asked.count(PULLS) == 4


async def test_asking_again_costs_nothing(context: MiningContext, hub: Any) -> None:
    first = await collect(context)
    hub.statuses.clear()
    assert await collect(context) == first
    assert hub.statuses == {304: 2}  # the repository and one page; no question about any pull request


async def collect_numbers(context: MiningContext, limit: int | None = None) -> list[int]:
    """The numbers of the pull requests that a collection yields before it is stopped."""
    numbers: list[int] = []
    reader = parts.find("source", "github").make("team/shelf", context)
    async for pull in reader:
        if len(numbers) == limit:
            break
        numbers.append(pull.number)
    await reader.aclose()
    return numbers


async def test_the_cursor_goes_on_below_the_last_one_and_takes_up_what_is_new_above(
    context: MiningContext, hub: Any, pulls: dict[int, PullRequest]
) -> None:
    context = replace(context, cursor=KeptCursor())
    every = sorted(pulls, reverse=True)
    hub.at[PULLS] = [row(pulls[number]) for number in every[2:]]
    assert await collect_numbers(context, 3) == every[2:5]
    hub.at[PULLS] = [row(pulls[number]) for number in every]
    assert await collect_numbers(context, 1) == every[:1]
    assert await collect_numbers(context) == [every[1], *every[5:]]
    assert await collect_numbers(context) == []


async def test_a_pull_request_that_was_open_at_the_last_collection_is_new_when_it_is_closed(
    context: MiningContext, hub: Any, pulls: dict[int, PullRequest]
) -> None:
    context = replace(context, cursor=KeptCursor())
    newest, open_then, *_, oldest = sorted(pulls, reverse=True)
    old = [row(pulls[number], closed_at="2024-01-05T00:00:00Z") for number in (newest, oldest)]
    hub.at[PULLS] = old
    assert await collect_numbers(context) == [newest, oldest]
    hub.at[PULLS] = [old[0], row(pulls[open_then], closed_at="2024-02-05T00:00:00Z"), old[1]]
    assert await collect_numbers(context) == [open_then]
    assert await collect_numbers(context) == []


async def test_a_collection_that_was_stopped_goes_on_where_it_was(context: MiningContext, hub: Any) -> None:
    hub.at[f"{REPO}/issues/13/timeline"] = []
    reader = parts.find("source", "github").make("team/shelf", context)
    assert (await anext(reader)).number == 13
    await reader.aclose()
    hub.asked.clear()
    assert (await collect(context))[0].number == 13
    assert f"{REPO}/issues/13/timeline" not in hub.asked


@pytest.mark.parametrize(
    "words",
    [
        "Fixes #70",
        "closes: #70",
        "Resolved https://hub.example/team/shelf/issues/70",
        "fix team/shelf#70",
        "fixes GH-70",
    ],
)
async def test_the_issue_that_is_closed_is_the_statement(
    words: str, context: MiningContext, hub: Any, pulls: dict[int, PullRequest]
) -> None:
    hub.at[PULLS] = [row(pulls[7], body=f"Splits the reader. {words}. And #71.")]
    hub.at[f"{REPO}/issues/70"] = {"number": 70, "title": "A colon breaks it", "body": "<!-- version? -->It raises."}
    [pull] = await collect(context)
    assert pull.statement == "A colon breaks it\n\nIt raises."


async def test_a_pull_request_that_is_named_is_no_issue(
    context: MiningContext, hub: Any, pulls: dict[int, PullRequest]
) -> None:
    hub.at[PULLS] = [row(pulls[7], body="Fixes #70, fixes #99")]
    hub.at[f"{REPO}/issues/70"] = {"number": 70, "title": "Other", "body": "x", "pull_request": {"url": "x"}}
    assert [pull.issue for pull in await collect(context)] == [""]


async def test_the_timeline_names_the_issue_too(
    context: MiningContext, hub: Any, pulls: dict[int, PullRequest]
) -> None:
    issue = {"number": 70, "title": "A colon breaks it", "body": "It raises.", "created_at": "2023-12-01T00:00:00Z"}
    late = {**issue, "title": "Something later", "closed_at": "2024-03-01T00:00:00Z"}
    closed = {**issue, "closed_at": "2024-01-05T00:00:20Z"}
    hub.at[PULLS] = [row(pulls[7], body="Splits the reader.")]
    hub.at[f"{REPO}/issues/7/timeline"] = [
        {"event": "labeled"},
        "rubbish",
        {"event": "cross-referenced", "source": {"type": "issue", "issue": late}},
        {"event": "cross-referenced", "source": {"type": "issue", "issue": closed}},
    ]
    [pull] = await collect(context)
    assert pull.issue == "A colon breaks it\n\nIt raises."


async def test_what_was_not_merged_or_elsewhere_is_recorded(
    context: MiningContext, hub: Any, pulls: dict[int, PullRequest]
) -> None:
    elsewhere = row(pulls[7], number=78, merge_commit_sha="1" * 40, base={"sha": "2" * 40, "ref": "v1"})
    bot = row(pulls[7], user={"login": "renamer", "type": "Bot"})
    hub.at[PULLS] = [row(pulls[7], number=77, merged_at=None), elsewhere, {"number": "rubbish"}, bot]
    open_, other, robot = await collect(context)
    assert not open_.merged
    assert "v1" in other.unreadable
    assert robot.author == "renamer[bot]"


async def test_a_server_that_stumbles_is_asked_again(
    context: MiningContext, hub: Any, pulls: dict[int, PullRequest]
) -> None:
    hub.before[PULLS] = [(500, {}, b"oops"), (502, {}, b""), (200, {}, b'[{"number": 1, ')]
    assert len(await collect(context)) == len(pulls)


async def test_a_server_that_only_stumbles_is_one_clear_line(context: MiningContext, hub: Any) -> None:
    hub.before[PULLS] = [(200, {}, b"<html>busy</html>")] * 9
    with pytest.raises(CrucibleError, match="does not answer"):
        await collect(context)


@pytest.mark.parametrize("status", [403, 429])
async def test_a_short_limit_is_waited_for(
    status: int, context: MiningContext, hub: Any, pulls: dict[int, PullRequest]
) -> None:
    hub.before[PULLS] = [(status, {"Retry-After": "1"}, b"{}")]
    began = time.monotonic()
    assert len(await collect(context)) == len(pulls)
    assert time.monotonic() - began >= 1


async def test_a_long_limit_says_when_to_come_back_and_loses_nothing(
    context: MiningContext, hub: Any, pulls: dict[int, PullRequest]
) -> None:
    reset = int(time.time()) + 3000
    limit = {"X-RateLimit-Remaining": "0", "X-RateLimit-Limit": "60", "X-RateLimit-Reset": str(reset)}
    hub.before[f"{REPO}/issues/12/timeline"] = [(403, limit, b'{"message": "API rate limit exceeded"}')]
    reader = parts.find("source", "github").make("team/shelf", context)
    assert (await anext(reader)).number == 13
    with pytest.raises(CrucibleError) as caught:
        await anext(reader)
    assert time.strftime("%Y-%m-%d %H:%M", time.gmtime(reset)) in caught.value.line()
    assert len(await collect(context)) == len(pulls)


@pytest.mark.parametrize("trouble", ["no repository", "no clone", "protocol", "token", "shape", "name"])
async def test_trouble_is_one_clear_line(trouble: str, context: MiningContext, hub: Any) -> None:
    if trouble == "no repository":
        del hub.at[REPO]
    if trouble == "no clone":
        hub.at[REPO]["clone_url"] = "file:///nowhere/at/all.git"
    if trouble == "protocol":
        hub.at[REPO]["clone_url"] = "ext::sh -c touch% /tmp/never"
    if trouble == "token":
        hub.before[REPO] = [(401, {}, b'{"message": "Bad credentials"}')]
    if trouble == "shape":
        hub.at[REPO] = {"message": "hello"}
    with pytest.raises(CrucibleError) as caught:
        await collect(context, "no slug at all" if trouble == "name" else "team/shelf")
    assert "\n" not in caught.value.line()


def test_the_origin_chooses_the_source() -> None:
    line: Pipeline = parts.find("pipeline", "swe").make()
    assert source_of(line, "sample_data/swe") == "git"  # a folder, though it looks like a name
    assert source_of(line, "./some/clone") == "git"
    assert source_of(line, "pallets/click") == "github"
    assert source_of(line, "https://hub.example/pallets/click") == "github"
