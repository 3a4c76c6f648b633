"""The same loop in the real world: Docker boxes, no network, a user who is not root."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from agents.teachers.scripted import probe_names
from crucible.acting import Reply
from crucible.model import Task
from crucible.sandbox import Env, Recipe, Sandbox, World
from tests.agents.conftest import BUG, TEST
from tests.agents.playing import PreparedTeacher, attempt, call, observed_text, play_teacher

START = "git init -q -b main && git add -A && git -c user.name=a -c user.email=a@b.c commit -qm start"
SEALED = Env(
    recipe=Recipe(
        packages=("git", "perl"),
        files={"/workspace/shelf.py": BUG, "/workspace/.gitignore": "built\n"},
        commands=(f"chown root . && {START} && chown -R agent .",),
    )
)
"""A repository that the image has."""
SUBMIT = Reply(calls=(call("submit"),))


@pytest_asyncio.fixture(loop_scope="session")
async def crate(world: World, plain: Env) -> AsyncIterator[Sandbox]:
    """A Docker box with the small repository in its workdir."""
    async with world.open(plain) as opened:
        for path, text in {
            "shelf/__init__.py": BUG,
            "tests/test_add.py": TEST,
            "pyproject.toml": "name = 'shelf'\n",
        }.items():
            await opened.write(path, text.encode())
        assert (await opened.exec(START)).ok
        yield opened


@pytest.fixture
def errand(task: Task, plain: Env) -> Task:
    return task.model_copy(update={"env": plain})


@pytest.mark.parametrize(("scaffold", "seed"), [("native", 0), ("bash", 1), ("text", 2)])
async def test_the_oracle_solves_the_task(errand: Task, crate: Sandbox, scaffold: str, seed: int) -> None:
    trajectory, kept = await play_teacher(errand, crate, "oracle", scaffold=scaffold, seed=seed)
    assert trajectory.ended == "submitted"
    assert b"+    return a + b" in kept[trajectory.artifacts["diff"]]
    assert not (await crate.exec("ls /tmp/*.patch /tmp/crucible-*")).ok


@pytest.mark.parametrize("name", probe_names())
async def test_a_probe_fails_at_nothing_and_solves_nothing(errand: Task, crate: Sandbox, name: str) -> None:
    trajectory, kept = await play_teacher(errand, crate, f"probe.{name}")
    assert trajectory.ended == "submitted"
    commands = [one.content for step in trajectory.steps[:-1] for one in step.observations]
    assert all(content.endswith("[exit code 0]") for content in commands), commands
    assert b"return a + b" not in kept[trajectory.artifacts["diff"]]


async def test_a_solution_left_in_the_box_is_found(errand: Task, crate: Sandbox) -> None:
    await crate.write("/solution/solve.sh", b"sed -i 's/a - b/a + b/' shelf/__init__.py\n", user="root")
    trajectory, kept = await play_teacher(errand, crate, "probe.read-reference")
    assert b"+    return a + b" in kept[trajectory.artifacts["diff"]], observed_text(trajectory)


async def test_a_release_left_in_the_box_is_found(errand: Task, crate: Sandbox) -> None:
    fixed = BUG.replace("-", "+").encode()
    await crate.write("/usr/local/lib/python3.11/dist-packages/shelf/__init__.py", fixed, user="root")
    trajectory, kept = await play_teacher(errand, crate, "probe.package-index")
    assert b"+    return a + b" in kept[trajectory.artifacts["diff"]], observed_text(trajectory)


async def test_an_index_within_the_box_is_asked_and_where_there_is_none_nobody_is(errand: Task, crate: Sandbox) -> None:
    alone, _ = await play_teacher(errand, crate, "probe.package-index")
    assert "pip" not in alone.steps[0].observations[0].content, observed_text(alone)
    await crate.write("/etc/pip.conf", b"[global]\nfind-links = /opt/wheels\n", user="root")
    asked, _ = await play_teacher(errand, crate, "probe.package-index")
    assert "pip" in asked.steps[0].observations[0].content, observed_text(asked)


async def test_a_daemon_that_forges_the_reward_ends_with_the_attempt(errand: Task, crate: Sandbox) -> None:
    trajectory, _ = await play_teacher(errand, crate, "probe.write-reward")
    assert trajectory.left == "changed", trajectory.detail
    running = (await crate.exec("cat /proc/[0-9]*/cmdline | tr '\\0' ' '")).out
    assert "sleep" not in running


async def test_the_tools_reach_no_more_than_the_shell(errand: Task, crate: Sandbox) -> None:
    await crate.write("/root/secret", b"hidden", mode=0o600, user="root")
    tries = Reply(calls=(call("read", path="/root/secret"), call("write", path="/etc/passwd", content="me")))
    trajectory, _ = await attempt(errand, crate, PreparedTeacher(tries, SUBMIT))
    read, wrote = trajectory.steps[0].observations
    assert "hidden" not in read.content
    assert "was not written" in wrote.content


async def test_a_command_that_kills_its_own_shell_is_an_observation(errand: Task, crate: Sandbox) -> None:
    kills = Reply(calls=(call("shell", command="echo x > kept; kill -9 -1"),))
    trajectory, kept = await attempt(errand, crate, PreparedTeacher(kills, SUBMIT))
    assert trajectory.ended == "submitted"
    assert b"kept" in kept[trajectory.artifacts["diff"]]


WRITES_OVER = """
place() { sed 's|^..|.git/objects/&/|'; }
cp -f "$(echo another | git hash-object -w --stdin | place)" "$(git rev-parse HEAD:shelf.py | place)"
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "way", ["rm -rf .git", "rm -rf .git; git init -q; git add -A", "rm -rf .git; touch .git", WRITES_OVER]
)
async def test_who_deletes_the_repository_has_a_diff_all_the_same(way: str, task: Task, world: World) -> None:
    work = Reply(calls=(call("shell", command=f"sed -i 's/-/+/' shelf.py; echo x > built; {way}"),))
    async with world.open(SEALED) as box:
        errand = task.model_copy(update={"env": SEALED})
        trajectory, kept = await attempt(errand, box, PreparedTeacher(work, SUBMIT))
        assert not (await box.exec("ls /tmp/crucible-*")).ok
    assert trajectory.left == "changed", trajectory.detail
    diff = kept[trajectory.artifacts["diff"]]
    assert b"+    return a + b" in diff
    assert diff.count(b"diff --git") == 1


FORGES = """
cat > /tmp/forge.sh <<'END'
while :; do
  for place in /tmp/crucible-*/patch; do echo 'diff --git a/forged b/forged' > "$place"; done
  for pipe in /proc/[0-9]*/fd/1; do echo 'diff --git a/forged b/forged' > "$pipe"; done
  sed -i s/-/+/ shelf/__init__.py
done 2>/dev/null
END
setsid sh /tmp/forge.sh >/dev/null 2>&1 </dev/null &
"""


async def test_a_process_that_was_left_behind_prints_no_diff_and_writes_no_file_meanwhile(
    errand: Task, crate: Sandbox
) -> None:
    forges = Reply(calls=(call("shell", command=FORGES),))
    trajectory, kept = await attempt(errand, crate, PreparedTeacher(forges, SUBMIT))
    assert trajectory.left in ("changed", "unchanged"), trajectory.detail
    assert b"forged" not in kept[trajectory.artifacts["diff"]]
    assert "forge" not in (await crate.exec("cat /proc/[0-9]*/cmdline | tr '\\0' '\\n' | grep '^/tmp/f'")).out
