"""Executed answers become tasks, in real boxes; what cannot be told apart by its effects does not."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from crucible.domains.terminal.comparing import ScriptParams
from crucible.errors import Rejected
from crucible.mining import MiningContext
from crucible.record import digest
from crucible.sandbox import World
from crucible.settings import Settings
from crucible.store.blobs import Blobs
from envs.docker.world import docker
from pipelines.terminal.drafting.executing import draft_tasks
from pipelines.terminal.model import Answer, Draft, Thread
from pipelines.terminal.selection.selecting import select_thread
from pipelines.terminal.statements.instruction import asserted_sentences
from pipelines.terminal.writing import write_tasks

QUESTION = (
    "<p>I have a file sales.txt:</p><pre><code>{content}</code></pre>"
    "<p>The desired output is</p><pre><code>{wanted}</code></pre>"
)
SALES = "north 12\nsouth 7\nnorth 30\neast 5\nsouth 11"


@pytest.fixture(scope="module")
async def world(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[World]:
    home = tmp_path_factory.mktemp("drafting")
    async with docker(Settings(home=home), Blobs(str(home / "blobs"))) as opened:
        yield opened


@pytest.fixture
def context(world: World, tmp_path: Path) -> MiningContext:
    return MiningContext(world, Blobs(str(tmp_path / "blobs")))


def thread(commands: str, body: str, others: tuple[str, ...] = (), title: str = "Totals") -> Thread:
    answers = [
        Answer(number=number, body=f"<pre><code>{text}</code></pre>")
        for number, text in enumerate((commands, *others), 2)
    ]
    return Thread(
        site="x.example",
        number=1,
        title=title,
        body=body,
        tags=("awk",),
        score=5,
        accepted=2,
        answers=tuple(answers),
    )


async def draft(
    context: MiningContext, commands: str, body: str, others: tuple[str, ...] = (), title: str = "Totals"
) -> Draft:
    [selected] = await select_thread(thread(commands, body, others, title), context)
    return (await draft_tasks(selected, context))[0]


async def test_another_answer_counts_only_where_it_gives_the_result_that_the_question_shows(
    context: MiningContext,
) -> None:
    body = QUESTION.format(content=SALES, wanted="east\nnorth\nsouth")
    made = await draft(
        context, "no-such-program sales.txt", body, ("sort sales.txt", "cut -d' ' -f1 sales.txt | sort -u")
    )
    assert made.suggestion.text == "cut -d' ' -f1 sales.txt | sort -u"


async def test_an_answer_is_executed_and_what_it_does_becomes_four_tasks(context: MiningContext) -> None:
    awk = "awk '{s[$1] += $2} END {for (k in s) print k, s[k]}' sales.txt | sort"
    other = "sort sales.txt | awk '$1 != k {if (k) print k, s; k = $1; s = 0} {s += $2} END {print k, s}'"
    made = await draft(context, awk, QUESTION.format(content=SALES, wanted="east 5\nnorth 42\nsouth 18"), (other,))
    assert made.cases[0].expected.out == "east 5\nnorth 42\nsouth 18\n"
    assert [case.hidden for case in made.cases] == [False, False, True]
    assert len({case.expected.out for case in made.cases}) == 3
    assert (made.partials, made.alternatives) == (2, (other,))
    tasks = await write_tasks(made, context)
    assert [task.difficulty.hint_level for task in tasks] == [1, 2, 3, 4]
    assert len({task.instruction for task in tasks}) == 4
    assert len({digest(task.env, task.checks_hash, task.reference) for task in tasks}) == 1
    assert "`awk` and `sort`" in tasks[1].instruction
    assert "awk" not in tasks[3].instruction
    hidden = made.cases[2].expected.out.splitlines()[0]
    laid = [context.blobs.get(file.blob).decode() for file in tasks[0].env.files.values()]
    assert not any(hidden in text for text in laid)


async def test_another_answer_that_does_the_same_and_does_not_end_is_no_alternative(context: MiningContext) -> None:
    question = QUESTION.format(content=SALES, wanted="\n".join(sorted(SALES.split("\n"))))
    made = await draft(context, "sort sales.txt", question, ("sort < sales.txt\nsleep 90",))
    assert made.alternatives == ()


async def test_every_assertion_rests_on_a_sentence_of_the_instruction(context: MiningContext) -> None:
    made = await draft(
        context,
        "sort sales.txt > sorted.txt",
        QUESTION.format(content=SALES, wanted="\n".join(sorted(SALES.split("\n")))),
    )
    for task in await write_tasks(made, context):
        params = ScriptParams.model_validate(task.checks[0].params)
        assert all(sentence in task.instruction for sentence in asserted_sentences(params))


@pytest.mark.parametrize(
    ("commands", "reason"),
    [
        ("echo done", "same_for_every_input"),
        ("true", "no_effect"),
        ("cut -d' ' -f2 sales.txt", "shown_result_differs"),
        ("cat sales.txt | cat | cut -d' ' -f1", "step_not_tested"),
        ("sleep 60", "does_not_end"),
        ("cut --no-such-option sales.txt", "answer_fails"),
        ("read x; cut -d' ' -f1 sales.txt; echo $BASHPID", "not_repeatable"),
    ],
)
async def test_what_proves_nothing_is_dropped_with_its_reason(
    context: MiningContext, commands: str, reason: str
) -> None:
    body = QUESTION.format(content=SALES, wanted="north\nsouth\nnorth\neast\nsouth")
    with pytest.raises(Rejected) as drop:
        await draft(context, commands, body)
    assert drop.value.reason == reason


async def test_what_commands_miss_is_invented_and_counted_as_a_repair(context: MiningContext) -> None:
    made = await draft(context, "cut -d, -f2 data.csv | sort -u", "<p>I need the cities of data.csv.</p>")
    assert made.repair_rounds == 1
    assert "data.csv" in made.cases[0].scene.entries


async def test_archives_are_compared_by_what_is_in_them(context: MiningContext) -> None:
    setup = "<p>To try it:</p><pre><code>mkdir logs\necho one &gt; logs/a.log\necho two &gt; logs/b.log</code></pre>"
    other = "tar -cf - logs | gzip -1 > logs.tar.gz"
    made = await draft(context, "tar -czf logs.tar.gz logs", setup, (other,), title="Compress a folder")
    assert made.cases[0].expected.entries["logs.tar.gz"].data
    assert len(made.alternatives) == 1


async def test_files_that_a_question_lists_are_there_and_have_other_names_where_the_solver_has_not_looked(
    context: MiningContext,
) -> None:
    listing = (
        "<p>The folder has these files:</p><pre><code>photos/one.jpeg\nphotos/two.jpeg\nphotos/notes.txt</code></pre>"
    )
    made = await draft(
        context, 'for f in photos/*.jpeg; do mv "$f" "${f%.jpeg}.jpg"; done', listing, title="Rename files"
    )
    assert {"photos/one.jpg", "photos/two.jpg", "photos/notes.txt"} <= made.cases[0].expected.entries.keys()
    assert "photos/one.jpg" not in made.cases[2].expected.entries


async def test_a_file_whose_content_the_answer_shows_is_written_first(context: MiningContext) -> None:
    makefile = "<p>Makefile:</p><pre><code>all:\n\tsort sales.txt &gt; sorted.txt</code></pre>"
    answer = f"{makefile}<p>Then</p><pre><code>make -s</code></pre>"
    question = QUESTION.format(content=SALES, wanted="\n".join(sorted(SALES.split("\n"))))
    asked = thread("ls", question)
    asked = asked.model_copy(update={"answers": (Answer(number=2, body=answer),)})
    [selected] = await select_thread(asked, context)
    [made] = await draft_tasks(selected, context)
    assert "Makefile" in made.cases[0].expected.entries


async def test_a_value_that_stands_in_the_commands_becomes_an_input_that_solvers_are_told_of(
    context: MiningContext,
) -> None:
    made = await draft(
        context,
        "echo 'some_123_letters' | cut -d_ -f2",
        "<p>I need the second part of a name.</p>",
        title="Extract text",
    )
    assert len({case.expected.out for case in made.cases}) == 3
    for task in await write_tasks(made, context):
        assert "is read from `value.txt`" in task.instruction


async def test_commands_that_find_nothing_in_a_folder_of_folders_have_no_effect(context: MiningContext) -> None:
    with pytest.raises(Rejected) as drop:
        await draft(context, "find sub -name '*.none' -delete; ls /nowhere 2> /dev/null; true", "<p>Clean up.</p>")
    assert drop.value.reason in ("no_effect", "same_for_every_input", "step_not_tested")


async def test_an_archive_is_invented_for_commands_that_unpack_one(context: MiningContext) -> None:
    made = await draft(context, "tar -xzf backup.tar.gz", "<p>How do I unpack backup.tar.gz?</p>", title="Unpack")
    assert len({tuple(case.expected.entries) for case in made.cases}) == 3


async def test_a_condition_is_shown_holding_and_not_holding_and_tried_with_hidden_values(
    context: MiningContext,
) -> None:
    commands = 'text=\'My long string\'\nif [[ $text == *"My long"* ]]; then echo "It is there"; fi'
    made = await draft(context, commands, "<p>I have a string.</p>", title="Check if a string contains another")
    assert [bool(case.expected.out) for case in made.cases[:2]] == [True, False]
    assert [case.hidden for case in made.cases[:3]] == [False, False, True]
    tasks = await write_tasks(made, context)
    assert "has `My long` in it" in tasks[3].instruction
    assert len({task.instruction for task in tasks}) == 4
