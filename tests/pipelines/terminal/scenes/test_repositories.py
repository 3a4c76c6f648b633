"""Questions about git become tasks in repositories that are made for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from crucible.domains.terminal.comparing import are_equal
from crucible.domains.terminal.trials import Trial, run_trials
from crucible.errors import Rejected
from crucible.mining import MiningContext
from crucible.sandbox import World
from crucible.store.blobs import Blobs
from pipelines.terminal.drafting.environment import make_env
from pipelines.terminal.drafting.executing import draft_tasks
from pipelines.terminal.model import Answer, Draft, Thread
from pipelines.terminal.scenes.repositories import Wanted, add_wanted, repository_commands
from pipelines.terminal.selection.selecting import select_thread
from pipelines.terminal.writing import write_tasks

TITLE = "Undo, list, stash or move commits of a branch"
QUESTION = "<p>In a repository with two branches, of which one is checked out.</p>"
SETUP = (
    "<p>To try it:</p><pre><code>git init -q\necho one &gt; notes.txt\ngit add .\ngit commit -q -m first\n"
    "echo two &gt; notes.txt\ngit commit -q -a -m second</code></pre>"
)


@pytest.fixture
def context(world: World, tmp_path: Path) -> MiningContext:
    return MiningContext(world, Blobs(str(tmp_path / "blobs")))


async def draft(context: MiningContext, commands: str, body: str = QUESTION, other: str = "") -> Draft:
    answers = [
        Answer(number=n, body=f"<pre><code>{text}</code></pre>") for n, text in enumerate((commands, other), 2) if text
    ]
    thread = Thread(
        site="x", number=1, title=TITLE, body=body, tags=("git",), score=5, accepted=2, answers=tuple(answers)
    )
    [selected] = await select_thread(thread, context)
    return (await draft_tasks(selected, context))[0]


async def test_a_repository_that_the_question_makes_is_made_anew_with_other_words(context: MiningContext) -> None:
    made = await draft(context, "git reset -q --soft HEAD~1", SETUP, "git update-ref HEAD HEAD~1")
    repositories = [case.expected.repositories["."] for case in made.cases]
    assert "first" in repositories[0].commits[0]
    assert len({repository.commits for repository in repositories}) == 3
    assert repositories[0].status == ("M  notes.txt",)
    assert made.alternatives == ("git update-ref HEAD HEAD~1",)
    tasks = await write_tasks(made, context)
    assert ".git/HEAD" in "".join(tasks[0].env.files)
    assert "the same commits" in tasks[3].instruction


@pytest.mark.parametrize(
    "commands",
    [
        "git branch -m topic feature",
        "git stash -q",
        "git log --oneline --grep=parser",
        "git checkout -q topic\ngit rebase -q main",
        "git diff --name-only v1.0 v1.1",
    ],
)
async def test_a_repository_is_invented_with_what_the_commands_speak_of(context: MiningContext, commands: str) -> None:
    made = await draft(context, commands)
    assert all(case.scene.repositories for case in made.cases)
    assert made.cases[-1].hidden


async def test_another_commit_than_the_expected_one_is_told(context: MiningContext, world: World) -> None:
    made = await draft(context, "git commit -q -a -m 'Save all'")
    async with world.open(make_env(())) as box:
        await box.write("/tmp/wrong.sh", b"git commit -q -a -m 'Save'")
        await box.write("/tmp/right.sh", b"git add -u; echo 'Save all' | git commit -q -F -")
        wrong, right = await run_trials(
            box, [Trial(f"/tmp/{name}.sh", made.cases[2].scene) for name in ("wrong", "right")]
        )
    assert not are_equal(made.cases[2], wrong.effect, made.demands)
    assert are_equal(made.cases[2], right.effect, made.demands)


async def test_a_setting_that_is_the_same_for_every_repository_proves_nothing(context: MiningContext) -> None:
    with pytest.raises(Rejected, match="same_for_every_input"):
        await draft(context, "git status -s > /dev/null; git config color.ui false")


def test_what_git_complains_about_tells_branches_tags_and_files() -> None:
    told = (
        "error: pathspec 'topic' did not match any file(s)\nfatal: bad revision 'v1.0..v1.1'\nfatal: pathspec 'a/b.txt'"
    )
    wanted = add_wanted(Wanted(), told)
    assert wanted == Wanted({"a/b.txt": ""}, ("topic",), ("v1.0", "v1.1"))
    assert wanted is not None
    assert add_wanted(wanted, told) is None


def test_what_stands_after_two_dashes_is_a_file() -> None:
    told = "error: pathspec 'notes' did not match any file(s) known to git"
    assert add_wanted(Wanted(), told, "git checkout -- notes") == Wanted({"notes": ""})


@pytest.mark.parametrize(
    ("script", "command"),
    [("git stash list", "git stash push"), ("git remote set-url origin x", "git remote add origin")],
)
def test_a_repository_has_the_stashes_and_the_remote_that_commands_speak_of(script: str, command: str) -> None:
    assert command in repository_commands(script, Wanted(), 1)
    assert command not in repository_commands("git remote add upstream x", Wanted(), 1)


def test_the_same_seed_makes_the_same_repository() -> None:
    assert repository_commands("git log", Wanted(), 1) == repository_commands("git log", Wanted(), 1)
    assert repository_commands("git log", Wanted(), 1) != repository_commands("git log", Wanted(), 2)
