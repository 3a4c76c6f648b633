"""Of the sample posts those are kept that can be run, and each other one is dropped for its own reason."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, cast

import pytest

from crucible.errors import Rejected
from crucible.mining import MiningContext, ProcessMemory
from pipelines.terminal.model import Answer, Thread
from pipelines.terminal.posts.source import read_threads
from pipelines.terminal.selection.checking import check_commands
from pipelines.terminal.selection.placeholders import resolve_placeholders
from pipelines.terminal.selection.selecting import select_thread

SAMPLES = Path("sample_data/terminal")
LATER = {"wrong_output", "binary_output"}
"""Faults that only execution shows."""
REASONS = {
    "no_accepted_answer": "no_accepted_answer",
    "accepted_answer_missing": "accepted_answer_gone",
    "score_too_low": "low_score",
    "body_too_long": "too_long",
    "destructive": "destructive",
    "depends_on_host": "depends_on_the_moment",
    "endless": "endless",
    "gui": "needs_screen",
    "near_duplicate": "near_duplicate",
}
"""Our reason for what a sample is to be dropped for, where there is one alone."""


class Context:
    """As much of a context as the stage looks at."""

    def __init__(self) -> None:
        self.memory = ProcessMemory()


async def test_the_samples_are_kept_and_dropped_as_they_were_written_for(tmp_path: Path) -> None:
    wanted = {post["id"]: post for post in tomllib.loads((SAMPLES / "expected.toml").read_text("utf-8"))["post"]}
    context = cast(MiningContext, Context())
    for thread in read_threads(SAMPLES / "Posts.xml", tmp_path):
        reason = await reason_of(thread, context)
        post: dict[str, Any] = wanted[thread.number]
        if post["keep"] or post["why"] in LATER:
            assert reason == "", f"{thread.number} {thread.title}"
        else:
            assert reason, f"{thread.number} {thread.title}"
            assert reason == REASONS.get(post["why"], reason), f"{thread.number} {thread.title}"


async def reason_of(thread: Thread, context: MiningContext) -> str:
    """Why a thread is dropped; empty when it is kept."""
    try:
        await select_thread(thread, context)
    except Rejected as drop:
        return drop.reason
    return ""


async def test_a_row_that_cannot_be_read_is_a_drop_with_its_fault() -> None:
    with pytest.raises(Rejected, match="broken_row"):
        await select_thread(Thread(site="x", fault="no end"), cast(MiningContext, Context()))


@pytest.mark.parametrize(
    ("commands", "reason"),
    [
        ("rm -rf /", "destructive"),
        (":(){ :|:& };:", "destructive"),
        ("dd if=x of=/dev/sda", "destructive"),
        ("rm -rf /*", "destructive"),
        ("vim file.txt", "interactive"),
        ("top", "depends_on_the_moment"),
        ("read -p 'Go on? ' x", "interactive"),
        ("no-such-program --now", "unknown_command"),
        (".config/menus/app.menu", "unknown_command"),
        ("tail -f log", "endless"),
        ("curl -sI www.some-host.com", "needs_network"),
        ("chown ana a.txt", "needs_root"),
        ("curl https://github.com/x", "needs_network"),
        ("sudo systemctl restart x", "needs_system"),
        ("cat /etc/passwd", "needs_system"),
        ("date +%s", "depends_on_the_moment"),
        ("echo $RANDOM", "depends_on_the_moment"),
    ],
)
def test_commands_that_no_task_can_have_are_told_by_their_reason(commands: str, reason: str) -> None:
    with pytest.raises(Rejected) as drop:
        check_commands(resolve_placeholders(commands))
    assert drop.value.reason == reason


def test_packages_are_those_that_bring_the_commands() -> None:
    assert check_commands("jq .a x.json | sort | zip -q out.zip -") == ("jq", "zip")


async def test_a_destructive_block_drops_the_whole_thread() -> None:
    body = "<pre><code>ls</code></pre><pre><code>rm -rf /</code></pre>"
    thread = Thread(
        site="x", number=1, title="Clean", tags=("bash",), score=5, accepted=2, answers=(Answer(number=2, body=body),)
    )
    with pytest.raises(Rejected, match="destructive"):
        await select_thread(thread, cast(MiningContext, Context()))


async def test_a_body_of_a_megabyte_is_a_drop_and_a_thread_of_empty_fields_too() -> None:
    context = cast(MiningContext, Context())
    long = Thread(
        site="x",
        number=1,
        title="Long",
        body="x" * (1 << 20),
        tags=("bash",),
        score=5,
        accepted=2,
        answers=(Answer(number=2, body="<pre><code>ls</code></pre>"),),
    )
    assert await reason_of(long, context) == "too_long"
    assert await reason_of(Thread(site="x"), context) == "other_subject"


async def test_a_placeholder_that_tells_what_to_write_is_no_command() -> None:
    answer = Answer(number=2, body="<pre><code>find &lt;criteria that match the files&gt; -delete</code></pre>")
    thread = Thread(site="x", number=1, title="Old", tags=("bash",), score=5, accepted=2, answers=(answer,))
    assert await reason_of(thread, cast(MiningContext, Context())) == "placeholder_unclear"
