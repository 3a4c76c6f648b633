"""Each rule drops what it names, under its own reason."""

from typing import Any

import pytest

from crucible.errors import Rejected
from crucible.mining import MiningContext
from pipelines.swe.filters.stage import BREAKS, filter_pull_request, rules
from pipelines.swe.model import ChangedFile, PullRequest
from pipelines.swe.repository.licences import recognise_licence

FILES = (
    ChangedFile(path="lib/a.py", status="modified", added=3, removed=1, sort="source"),
    ChangedFile(path="tests/test_a.py", status="modified", added=5, sort="test"),
)
PATCH = "--- a/lib/a.py\n+++ b/lib/a.py\n@@ -1 +1,2 @@\n x\n+    return compute_the_answer(42)\n"


CODE = "".join(f"    return compute_the_answer({number})\n" for number in range(10, 16))


def pull(**changes: Any) -> PullRequest:
    plain: dict[str, Any] = {
        "repo": "lib",
        "number": 1,
        "title": "Fix a",
        "body": "It is wrong in a way that takes some words to say. " * 4,
        "author": "Ada",
        "base_commit": "0" * 40,
        "merge_commit": "a1b2c3d4e5" + "f" * 30,
        "commits": ("a1b2c3d4e5" + "f" * 30,),
        "files": FILES,
        "patch": PATCH,
        "licence": "MIT",
        "origin": "",
    }
    return PullRequest(**(plain | changes))


def only(path: str, sort: Any, **more: Any) -> dict[str, Any]:
    return {"files": (ChangedFile(path=path, status="modified", added=1, sort=sort, **more),)}


BROKEN = {
    "not_merged": {"merged": False},
    "bot_author": {"author": "deps[bot]"},
    "licence_not_permissive": {"licence": "GPL"},
    "too_many_files": {"files": FILES * 16},
    "too_many_lines": {"files": (*FILES, FILES[0].model_copy(update={"added": 9000}))},
    "binary_files": {"files": (*FILES, ChangedFile(path="a.png", status="added", binary=True))},
    "revert": {"title": 'Revert "Fix a"'},
    "merge_forward": {"title": "Merge branch 'release/2.1' into main"},
    "submodules": {"files": (*FILES, ChangedFile(path="lib/sub", status="modified", special="submodule"))},
    "unreadable": {"unreadable": "a changed line is not UTF-8"},
    "lfs_pointers": {"patch": PATCH + "+version https://git-lfs.github.com/spec/v1\n"},
    "lock_files_only": only("uv.lock", "lock"),
    "docs_only": only("README.md", "doc"),
    "vendored_only": only("vendor/x.py", "vendored"),
    "no_source": only("tests/test_a.py", "test"),
    "no_tests": only("lib/a.py", "source"),
    "statement_short": {"title": "Fix", "body": ""},
    "statement_names_commit": {"body": "It broke, see a1b2c3d for how it is put right. " * 4},
    "statement_shows_fix": {"issue": "It is wrong.\n" + CODE, "patch": PATCH + CODE.replace("    ", "+    ")},
    "benchmark_instance": {"repo": "django/django", "number": 11099},
}


RUST = ChangedFile(path="src/a.rs", status="modified", added=3, sort="source")
WITHIN = RUST.model_copy(update={"holds_tests": True})
FIXTURE = ChangedFile(path="tests/data/a.png", status="added", binary=True, sort="test")


async def reason(given: PullRequest, context: MiningContext) -> str:
    with pytest.raises(Rejected) as caught:
        await filter_pull_request(given, context)
    return caught.value.reason


async def test_a_good_pull_request_is_kept(no_world: MiningContext) -> None:
    [kept] = await filter_pull_request(pull(), no_world)
    assert kept.model_copy(update={"held_against": ()}) == pull()
    assert any(name.startswith("swe-bench-verified@") for name in kept.held_against)


@pytest.mark.parametrize("broken", BROKEN)
async def test_each_rule_drops_under_its_reason(broken: str, no_world: MiningContext) -> None:
    assert await reason(pull(**BROKEN[broken]), no_world) == broken


async def test_the_number_of_an_issue_is_enough_to_go_on_with(no_world: MiningContext) -> None:
    assert await filter_pull_request(pull(title="Fixes #88", body=""), no_world)


@pytest.mark.parametrize(("path", "lines", "kept"), [("x.py", 3, True), ("x.py", 300, False), ("x.txt", 3, False)])
async def test_a_copy_of_which_a_few_lines_are_mended_is_source(
    path: str, lines: int, kept: bool, no_world: MiningContext
) -> None:
    copy = ChangedFile(path=f"lib/_vendor/{path}", status="modified", added=lines, sort="vendored")
    tests = tuple(file for file in FILES if file.sort == "test")
    if kept:
        assert await filter_pull_request(pull(files=(copy, *tests)), no_world)
    else:
        assert await reason(pull(files=(copy, *tests)), no_world) == "no_source"


async def test_tests_within_a_source_file_are_tests(no_world: MiningContext) -> None:
    code = "--- a/src/a.rs\n+++ b/src/a.rs\n@@ -1 +1,2 @@\n x\n+y\n"
    assert await filter_pull_request(pull(files=(WITHIN,), patch=code), no_world)
    assert await reason(pull(files=(RUST,), patch=code), no_world) == "no_tests"
    assert await reason(pull(files=(WITHIN,), patch=""), no_world) == "no_source"


@pytest.mark.parametrize("sort", ["test", "doc"])
async def test_binary_data_of_tests_and_documentation_is_no_reason_to_drop(sort: Any, no_world: MiningContext) -> None:
    assert await filter_pull_request(pull(files=(*FILES, FIXTURE.model_copy(update={"sort": sort}))), no_world)


async def test_a_recorded_output_that_goes_does_not_make_a_change_large(no_world: MiningContext) -> None:
    gone = ChangedFile(path="tests/ui/a.stderr", status="deleted", removed=9000, sort="test")
    assert await filter_pull_request(pull(files=(*FILES, gone)), no_world)
    code = gone.model_copy(update={"path": "lib/b.py", "sort": "source"})
    assert await reason(pull(files=(*FILES, code)), no_world) == "too_many_lines"


def test_every_rule_of_the_table_is_a_function_and_is_tested() -> None:
    assert [rule.name for rule in rules()] == [name for name in BREAKS if name in {rule.name for rule in rules()}]
    assert {rule.name for rule in rules()} == set(BREAKS)
    assert {rule.reason for rule in rules()} == {
        *BROKEN,
        "near_duplicate",
    }  # which needs a repository: test_repeated_changes.py


@pytest.mark.parametrize(
    ("number", "expected"), [(1, "docs_only"), (2, "bot_author"), (8, "lock_files_only"), (9, "no_tests")]
)
async def test_the_sample_loses_what_it_should(
    number: int, expected: str, pulls: dict[int, PullRequest], no_world: MiningContext
) -> None:
    assert await reason(pulls[number], no_world) == expected


@pytest.mark.parametrize("number", [4, 5, 7, 11, 12, 13])
async def test_the_sample_keeps_the_rest(number: int, pulls: dict[int, PullRequest], no_world: MiningContext) -> None:
    assert [kept.id for kept in await filter_pull_request(pulls[number], no_world)] == [pulls[number].id]


@pytest.mark.parametrize("author", ["DeepSource Autofix", "Renovate Bot", "Some Project Bot", "GitHub Actions"])
async def test_a_program_with_a_name_like_a_persons_is_none(author: str, no_world: MiningContext) -> None:
    assert await reason(pull(author=author), no_world) == "bot_author"


@pytest.mark.parametrize("author", ["Jan Talbot", "Bot Huang", "abbot"])
async def test_a_person_with_a_name_like_a_programs_is_one(author: str, no_world: MiningContext) -> None:
    assert await filter_pull_request(pull(author=author), no_world)


@pytest.mark.parametrize("text", ["diff --git a/x b/x\n", "see it\n@@ -1 +1 @@\n"])
async def test_a_diff_in_the_statement_gives_it_away(text: str, no_world: MiningContext) -> None:
    assert await reason(pull(issue="It is wrong. " * 12 + "\n" + text), no_world) == "statement_shows_fix"


@pytest.mark.parametrize("text", ["see https://forge.example/t/l/pull/12", "Put right in a1b2c3d."])
async def test_what_can_be_cut_out_is_no_reason_to_drop(text: str, no_world: MiningContext) -> None:
    assert await filter_pull_request(pull(issue="It is wrong. " * 12 + "\n" + text), no_world)


@pytest.mark.parametrize(
    "title",
    [
        "Merge release/2.1 into main",
        "[Backport 3.x] Fix a",
        "Sync with upstream",
        "Release 1.2.3",
        "Merge main into dev",
        "Merge from develop",
    ],
)
async def test_what_only_carries_changes_is_no_change(title: str, no_world: MiningContext) -> None:
    assert await reason(pull(title=title), no_world) == "merge_forward"


@pytest.mark.parametrize("title", ["Merge adjacent ranges when they touch", "Release the lock when a reader dies"])
async def test_a_change_to_merging_is_a_change(title: str, no_world: MiningContext) -> None:
    assert await filter_pull_request(pull(title=title), no_world)


async def test_a_change_that_takes_back_a_step_of_its_own_is_no_revert(no_world: MiningContext) -> None:
    body = 'Count from one.\n\nRevert "Count from two"\n\nThis reverts commit a1b2c3d0.'
    assert await filter_pull_request(pull(body=body), no_world)
    assert await reason(pull(body="This reverts commit a1b2c3d0."), no_world) == "revert"


@pytest.mark.parametrize(("path", "kept"), [("lib/names.po", True), ("tox.ini", False), (".github/ci.yml", False)])
async def test_data_of_a_package_is_worth_a_try(path: str, kept: bool, no_world: MiningContext) -> None:
    given = pull(files=(ChangedFile(path=path, status="modified", added=1), FILES[1]))
    if kept:
        assert await filter_pull_request(given, no_world)
    else:
        assert await reason(given, no_world) == "no_source"


async def test_few_words_are_enough_where_tests_can_say_the_rest(no_world: MiningContext) -> None:
    assert await filter_pull_request(pull(title="Fix edge cases", body=""), no_world)


def test_a_licence_is_told_by_its_text() -> None:
    assert recognise_licence("GNU GENERAL PUBLIC LICENSE\nVersion 3") == "GPL"
    assert recognise_licence("Apache License\n   Version 2.0, January 2004") == "Apache-2.0"
    assert (
        recognise_licence("Mozilla Public License\n... or the GNU Affero General Public License, Version 3.0")
        == "MPL-2.0"
    )
    assert recognise_licence("All rights reserved.") == ""
