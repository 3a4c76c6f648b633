"""A change that another repository already had is dropped, whichever process has seen it."""

from __future__ import annotations

from crucible.mining import ProcessMemory
from pipelines.swe.filters.fork_copies import find_copy_elsewhere
from pipelines.swe.model import PullRequest

LINES = [f"    total_{number} = weigh(scale, {number}) + carry" for number in range(40)]


def pull(repo: str, number: int, lines: list[str]) -> PullRequest:
    patch = "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1,0 +1,40 @@\n" + "".join(f"+{x}\n" for x in lines)
    return PullRequest(repo=repo, number=number, title="t", base_commit="b", merge_commit="m", patch=patch, origin="o")


async def test_the_change_of_a_fork_is_known_and_the_first_is_kept() -> None:
    memory = ProcessMemory()
    assert await find_copy_elsewhere(pull("a/lib", 7, LINES), memory, 0.8) == ""
    assert await find_copy_elsewhere(pull("b/fork", 3, [*LINES[:38], "    other = 1"]), memory, 0.8) == "a/lib#7"
    assert await find_copy_elsewhere(pull("a/lib", 7, LINES), memory, 0.8) == ""


async def test_a_change_that_shares_half_of_its_lines_is_another() -> None:
    memory = ProcessMemory()
    assert await find_copy_elsewhere(pull("a/lib", 7, LINES), memory, 0.8) == ""
    half = [*LINES[:20], *(f"    entry_{number} = None" for number in range(20))]
    assert await find_copy_elsewhere(pull("b/other", 3, half), memory, 0.8) == ""


async def test_small_changes_are_alike_by_chance() -> None:
    memory = ProcessMemory()
    for repo in ("a/lib", "b/lib"):
        assert await find_copy_elsewhere(pull(repo, 1, LINES[:3]), memory, 0.8) == ""
