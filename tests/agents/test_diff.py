from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import pytest

from crucible.acting import Reply
from crucible.model import Task
from crucible.sandbox import Limits
from tests.agents.conftest import git
from tests.agents.directory import DirectoryBox
from tests.agents.playing import PreparedTeacher, attempt, call

Apply = Callable[[bytes], Path]


async def after(task: Task, box: DirectoryBox, *commands: str) -> tuple[bytes | None, str]:
    """The diff of an attempt that runs these commands, and what was said of it."""
    calls = tuple(call("shell", command=command) for command in commands)
    trajectory, kept = await attempt(task, box, PreparedTeacher(Reply(calls=(*calls, call("submit")))))
    return kept.get(trajectory.artifacts.get("diff", "")), trajectory.detail


async def test_new_changed_deleted_and_binary_files_are_in_the_diff(
    task: Task, box: DirectoryBox, applied: Apply
) -> None:
    patch, detail = await after(
        task, box, "printf 'a\\000b\\377' > blob", "echo x > shelf/new.py", "rm tests/test_add.py", "echo p > junk.pyc"
    )
    assert patch is not None
    assert detail == ""
    clone = applied(patch)
    assert (clone / "blob").read_bytes() == b"a\0b\xff"
    assert (clone / "shelf/new.py").exists()
    assert not (clone / "tests/test_add.py").exists()
    assert not (clone / "junk.pyc").exists()


async def test_the_agents_own_commits_do_not_hide_its_work(task: Task, box: DirectoryBox, applied: Apply) -> None:
    commit = "git -c user.name=a -c user.email=a@b commit -qam done && git checkout -q -b other && git gc -q"
    patch, _ = await after(task, box, "sed -i s/-/+/ shelf/__init__.py", commit)
    assert patch is not None
    assert "a + b" in (applied(patch) / "shelf/__init__.py").read_text()


async def test_an_idle_attempt_has_an_empty_diff(task: Task, box: DirectoryBox) -> None:
    assert await after(task, box, "true") == (b"", "")


HOSTILE = {
    "fsmonitor": "git config core.fsmonitor '{evil}'",
    "external diff": "git config diff.external '{evil}'",
    "textconv": "git config diff.x.textconv '{evil}'; echo '*.py diff=x' > .gitattributes",
    "clean filter": "git config filter.x.clean '{evil}'; echo '*.py filter=x' > .gitattributes",
    "hook": "mkdir -p .git/hooks; echo '{evil}' > .git/hooks/post-index-change; chmod +x .git/hooks/*",
    "included file": "printf '[core]\\n\\tfsmonitor = {evil}\\n' > /tmp/inc$$; git config include.path /tmp/inc$$",
    "other work tree": "git config core.worktree /usr/share",
    "bare": "git config core.bare true",
    "formats": "git config diff.noprefix true; git config color.ui always; git config diff.mnemonicPrefix true",
    "locked index": "touch .git/index.lock",
    "broken index": "echo junk > .git/index",
    "broken config": "echo '[[[' > .git/config",
    "lost head": "echo junk > .git/HEAD",
    "hidden by the index": "git update-index --assume-unchanged shelf/__init__.py",
    "replaced commit": "git replace HEAD $(git -c user.name=a -c user.email=b commit-tree -m x $(git write-tree))",
    "embedded repository": "git init -q sub && echo x > sub/file",
    "unreadable file": "echo x > secret && chmod 0 secret",
    "pipe": "mkfifo pipe",
}


@pytest.mark.parametrize("name", HOSTILE)
async def test_a_hostile_repository_neither_runs_anything_nor_spoils_the_diff(
    name: str, task: Task, box: DirectoryBox, tmp_path: Path
) -> None:
    ran = tmp_path / "ran"
    evil = tmp_path / "evil"
    evil.write_text(f"#!/bin/sh\ntouch {ran}\ncat\n")
    evil.chmod(0o755)
    change = "echo 'VALUE = 1' >> shelf/__init__.py; export GIT_EXTERNAL_DIFF=false"
    patch, _ = await after(task, box, f"{change}; {HOSTILE[name].format(evil=evil)}; rm -f {ran}")
    assert patch is not None
    assert b"diff --git a/shelf/__init__.py b/shelf/__init__.py\n" in patch
    assert b"\n+VALUE = 1\n" in patch
    assert not ran.exists()


async def test_a_symlink_is_recorded_not_followed(task: Task, box: DirectoryBox) -> None:
    patch, _ = await after(task, box, "ln -s /etc/passwd link")
    assert patch is not None
    assert b"new file mode 120000" in patch
    assert b"root:" not in patch


async def test_a_folder_that_is_no_repository_has_no_diff(task: Task, tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.mkdir()
    detail = "the workdir has no commit to compare with"
    assert await after(task, DirectoryBox(plain), "echo x > file") == (None, detail)


async def test_without_the_base_there_is_no_diff_and_the_record_says_so(task: Task, box: DirectoryBox) -> None:
    patch, detail = await after(task, box, "rm -rf .git && git init -q")
    assert patch is None
    assert detail == "no diff: the commit the attempt started from is gone"


async def test_a_diff_beyond_the_limit_is_not_kept_and_the_record_says_so(task: Task, box: DirectoryBox) -> None:
    small = task.env.model_copy(update={"limits": Limits(remains_mb=1)})
    many = "for n in $(seq 30); do head -c 100000 /dev/urandom > small$n; done"
    commands = (call("shell", command=many), call("submit"))
    trajectory, _ = await attempt(task.model_copy(update={"env": small}), box, PreparedTeacher(Reply(calls=commands)))
    assert trajectory.left == "too_large"
    assert trajectory.artifacts == {}
    assert "larger than 1048576 bytes" in trajectory.detail


async def test_of_a_diff_beyond_the_limit_large_new_files_are_left_out(task: Task, box: DirectoryBox) -> None:
    small = task.env.model_copy(update={"limits": Limits(remains_mb=1)})
    commands = (call("shell", command="head -c 3000000 /dev/urandom > dump; echo x > new"), call("submit"))
    teacher = PreparedTeacher(Reply(calls=commands))
    trajectory, kept = await attempt(task.model_copy(update={"env": small}), box, teacher)
    assert kept[trajectory.artifacts["diff"]].count(b"diff --git") == 1
    assert trajectory.detail == "not all of the workdir is in the diff: left out: ./dump"


async def test_what_nobody_hands_in_is_left_out_and_the_record_says_so(task: Task, box: DirectoryBox) -> None:
    stray = "head -c 17000000 /dev/zero > 'a [core]'; mkdir -p env/lib/site; touch env/pyvenv.cfg env/lib/site/x.pth"
    patch, detail = await after(task, box, f"{stray}; echo x > new")
    assert patch is not None
    assert b"b/new" in patch
    assert patch.count(b"diff --git") == 1
    assert detail == "not all of the workdir is in the diff: left out: ./env/ ./a [core]"


async def test_a_diff_of_many_lines_and_odd_bytes_is_whole(task: Task, box: DirectoryBox) -> None:
    patch, detail = await after(task, box, "seq 40000 > many.txt; printf 'a\\377\\000b' > odd")
    assert patch is not None
    assert not detail
    assert patch.count(b"\n+") > 40_000
    assert b"GIT binary patch" in patch


async def test_nothing_is_left_behind(
    task: Task, box: DirectoryBox, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"test-{uuid4().hex}"  # other tests have folders of their own there at the same time
    monkeypatch.setattr("agents.diff.secrets.token_hex", lambda _: name)
    index = git(repository, "ls-files", "-s")
    await after(task, box, "echo x > new")
    assert not Path("/tmp", f"crucible-{name}").exists()
    assert git(repository, "ls-files", "-s") == index
