"""Every router is asked; the surest wins; a tie is decided in the open."""

from dataclasses import replace

import pytest

from crucible import parts
from crucible.acting import Ask, Reply
from crucible.mining import MiningContext, Route
from crucible.model import Task
from pipelines.swe.model import PullRequest
from pipelines.swe.routes.stage import UNKNOWN, choose_route, route


def test_a_router_of_another_pipeline_is_not_asked(
    pulls: dict[int, PullRequest], monkeypatch: pytest.MonkeyPatch
) -> None:
    sure = Route(kind="elsewhere", confidence=1.0, why="it is sure of everything")
    for pipeline, kind in (("other", "bugfix"), ("swe", "elsewhere")):
        part = parts.Part("router", "sure", lambda item: sure, pipeline=pipeline)
        monkeypatch.setitem(parts._known, ("router", "sure"), part)
        assert choose_route(pulls[7]).kind == kind


@pytest.mark.parametrize("number", [4, 7, 11, 12, 13])
async def test_fixes_are_recognised(number: int, pulls: dict[int, PullRequest], no_world: MiningContext) -> None:
    [candidate] = await route(pulls[number], no_world)
    assert candidate.route.kind == "bugfix"
    assert candidate.id == f"shelf#{number}"


async def test_a_feature_is_recognised(pulls: dict[int, PullRequest], no_world: MiningContext) -> None:
    [candidate] = await route(pulls[5], no_world)
    assert candidate.route.kind == "feature"
    assert "its tests use new names (lines, overdue)" in candidate.route.why


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("perf: fold titles once", "performance"),
        ("Make sorting ten times faster", "performance"),
        ("refactor: one place for dates", "refactoring"),
        ("Move the check digits to their own module", "refactoring"),
        ("docs: the search language", "other"),
        ("chore: bump pytest", "other"),
        ("feat(query): ranges of years", "feature"),
        ("Support ranges of years", "feature"),
        ("Fixes #12: Support ranges of years", "feature"),
        ("fix(query)!: ranges of years", "bugfix"),
        ("Add ranges of years, also fixes the failing build", "feature"),
        ("Fix ranges of years and add a test", "bugfix"),
        ("Rename 'broken' ranges", "refactoring"),
        ("Move to a fixed range of years", "refactoring"),
        ("Fix some typos, bump pytest", "other"),
    ],
)
def test_titles_are_understood(title: str, kind: str, pulls: dict[int, PullRequest]) -> None:
    assert choose_route(pulls[7].model_copy(update={"title": title, "labels": (), "issue": "x"})).kind == kind


def test_only_tests_are_test_construction(pulls: dict[int, PullRequest]) -> None:
    tests = tuple(file for file in pulls[7].files if file.sort == "test")
    assert choose_route(pulls[7].model_copy(update={"title": "x", "labels": (), "files": tests})).kind == "test"


@pytest.mark.parametrize("title", ["docs: how to search", "x"])
async def test_what_nothing_sure_speaks_for_goes_on_as_other(
    title: str, pulls: dict[int, PullRequest], no_world: MiningContext
) -> None:
    [candidate] = await route(pulls[7].model_copy(update={"title": title, "labels": (), "issue": "x"}), no_world)
    assert candidate.route.kind == "other"


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ('{"kind": "feature", "why": "it adds ranges"}', "feature"),
        ('```json\n{"kind": "bugfix", "why": "it says wrong"}\n```', "bugfix"),
        ("It is a bugfix.", "other"),
        ('{"kind": "miracle", "why": "it is"}', "other"),
    ],
)
async def test_a_model_is_asked_where_the_rules_are_unsure(
    said: str, kind: str, pulls: dict[int, PullRequest], no_world: MiningContext
) -> None:
    class Says:
        async def reply(self, task: Task, ask: Ask) -> Reply:
            return Reply(text=said)

    unsure = pulls[7].model_copy(update={"title": "x", "labels": (), "issue": "x"})
    [candidate] = await route(unsure, replace(no_world, teacher=Says()))
    assert candidate.route.kind == kind


def test_code_that_moved_is_refactoring(pulls: dict[int, PullRequest]) -> None:
    lines = "".join(f"LINE = value_number_{n}\n" for n in range(8))
    moved = (
        "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1,8 +0,0 @@\n"
        + lines.replace("LINE", "-x")
        + "diff --git a/b.py b/b.py\n--- a/b.py\n+++ b/b.py\n@@ -0,0 +1,8 @@\n"
        + lines.replace("LINE", "+x")
    )
    pull = pulls[7].model_copy(update={"title": "x", "labels": (), "issue": "x", "patch": moved, "test_patch": ""})
    assert choose_route(pull).kind == "refactoring"


def test_a_conventional_commit_outweighs_a_label(pulls: dict[int, PullRequest]) -> None:
    mixed = pulls[7].model_copy(update={"title": "feat: quoted phrases", "labels": ("bug",)})
    assert choose_route(mixed).kind == "feature"
    assert "bugfix 0.80" in choose_route(mixed).why


def test_a_tie_is_said_to_be_one(pulls: dict[int, PullRequest]) -> None:
    tied = pulls[7].model_copy(update={"title": "x", "labels": ("bug", "feature")})
    assert choose_route(tied).kind == "bugfix"
    assert "tied" in choose_route(tied).why


def test_what_no_router_knows_is_other(pulls: dict[int, PullRequest]) -> None:
    unknown = pulls[7].model_copy(update={"title": "x", "labels": (), "issue": "x", "files": (big_change(pulls[7]),)})
    assert choose_route(unknown) == UNKNOWN


def big_change(pull: PullRequest):  # type: ignore[no-untyped-def]
    return pull.files[0].model_copy(update={"added": 400})
