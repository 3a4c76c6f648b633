from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from crucible.acting import Ask, Reply, Stops
from crucible.errors import BoxExhausted, SandboxError, TeacherError
from crucible.model import Reference, Task, Tokens, Usage
from crucible.token_ids import whole_prompts
from tests.agents.directory import DirectoryBox
from tests.agents.playing import PreparedTeacher, attempt, call, observed_text, play_teacher

SUBMIT = Reply(calls=(call("submit"),))
LOOK = Reply(thinking="let me see", text="looking", calls=(call("shell", command="echo it is $((40 + 2))"),))


async def test_a_teacher_acts_observes_and_submits(task: Task, box: DirectoryBox) -> None:
    trajectory, _ = await attempt(task, box, PreparedTeacher(LOOK, SUBMIT))
    assert trajectory.ended == "submitted"
    assert [len(step.observations) for step in trajectory.steps] == [1, 1]
    assert "it is 42" in trajectory.steps[0].observations[0].content


async def test_thinking_stays_in_the_history_the_teacher_sees(task: Task, box: DirectoryBox) -> None:
    teacher = PreparedTeacher(LOOK, LOOK, SUBMIT)
    await attempt(task, box, teacher)
    assert [step.thinking for step in teacher.asked[-1].steps] == ["let me see"] * 2


async def test_the_instruction_is_filled_in_once_and_its_own_braces_are_text(task: Task, box: DirectoryBox) -> None:
    trajectory, _ = await attempt(task, box, PreparedTeacher(SUBMIT))
    assert "Leave {workdir} and {braces} alone." in trajectory.prompt
    assert task.env.workdir in trajectory.prompt


async def test_every_call_of_an_answer_has_its_own_id_and_observation(task: Task, box: DirectoryBox) -> None:
    same = call("shell", command="true").model_copy(update={"id": "same"})
    trajectory, _ = await attempt(
        task, box, PreparedTeacher(Reply(calls=(same, same, call("submit"), call("shell", command="date"))))
    )
    step = trajectory.steps[0]
    assert len({one.id for one in step.calls}) == 4
    assert [one.call_id for one in step.observations] == [one.id for one in step.calls]
    assert "Not carried out" in step.observations[3].content


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (call("shell", '{"command": "ls'), "not a JSON object"),
        (call("shell", '["ls"]'), "not a JSON object"),
        (call("shell", '{"command": "\\ud800"}'), "wrong arguments for shell: command"),
        (call("shell", command="a\0b"), "NUL"),
        (call("shell", command="x" * 200_000), "longer than"),
        (call("shell", command=7), "command: Input should be a valid string"),
        (call("shell"), "command: Field required"),
        (call("shell", cmd="ls"), "it takes: command, timeout"),
        (call("shell", command="ls", timeout=-1), "timeout"),
        (call("launch", rocket=1), "there is no tool 'launch'; the tools are: shell, read, write, edit, submit"),
    ],
)
async def test_a_call_that_makes_no_sense_is_answered(task: Task, box: DirectoryBox, wrong: Any, told: str) -> None:
    trajectory, _ = await attempt(task, box, PreparedTeacher(Reply(calls=(wrong,)), SUBMIT))
    assert trajectory.ended == "submitted"
    assert told in observed_text(trajectory)


async def test_a_silent_teacher_is_nudged_once_then_it_is_over(task: Task, box: DirectoryBox) -> None:
    trajectory, _ = await attempt(task, box, PreparedTeacher(Reply(text="All done!")))
    assert (trajectory.ended, len(trajectory.steps)) == ("silent", 2)
    assert [one.call_id for step in trajectory.steps for one in step.observations] == [""]
    assert "call `submit`" in observed_text(trajectory)


async def test_a_step_names_its_model_and_stores_the_tokens_that_are_new(task: Task, box: DirectoryBox) -> None:
    def answer(prompt: tuple[int, ...], said: tuple[int, ...], reply: Reply) -> Reply:
        tokens = Tokens(prompt_ids=prompt, completion_ids=said)
        return reply.model_copy(update={"tokens": tokens, "model": "m v2", "finish": "tool_calls"})

    teacher = PreparedTeacher(answer((1, 2), (3,), LOOK), answer((1, 2, 3, 4), (5,), SUBMIT))
    trajectory, _ = await attempt(task, box, teacher)
    assert [step.tokens.prompt_ids for step in trajectory.steps] == [(1, 2), (4,)]
    assert list(whole_prompts(trajectory.steps)) == [(1, 2), (1, 2, 3, 4)]
    assert {(step.model, step.finish) for step in trajectory.steps} == {("m v2", "tool_calls")}


async def test_a_nudged_teacher_may_go_on(task: Task, box: DirectoryBox) -> None:
    quiet = Reply(text="hm")
    trajectory, _ = await attempt(task, box, PreparedTeacher(quiet, LOOK, quiet, SUBMIT))
    assert trajectory.ended == "submitted"


async def test_steps_are_limited(task: Task, box: DirectoryBox) -> None:
    trajectory, _ = await attempt(task, box, PreparedTeacher(LOOK), Stops(steps=3))
    assert (trajectory.ended, len(trajectory.steps)) == ("steps", 3)


async def test_tokens_and_money_are_limited_and_summed(task: Task, box: DirectoryBox) -> None:
    dear = LOOK.model_copy(update={"usage": Usage(prompt_tokens=60, completion_tokens=40, cost_usd=0.5)})
    by_tokens, _ = await attempt(task, box, PreparedTeacher(dear), Stops(tokens=250))
    by_money, _ = await attempt(task, box, PreparedTeacher(dear), Stops(money_usd=0.9))
    assert (by_tokens.ended, by_tokens.usage.prompt_tokens) == ("tokens", 180)
    assert (by_money.ended, by_money.usage.cost_usd) == ("money", 1.0)


async def test_a_hanging_teacher_is_cut_off_by_the_clock(task: Task, box: DirectoryBox) -> None:
    class Hangs:
        async def reply(self, task: Task, ask: Ask) -> Reply:
            await asyncio.Event().wait()
            return SUBMIT

    trajectory, _ = await attempt(task, box, Hangs(), Stops(seconds=0.3))
    assert trajectory.ended == "seconds"
    assert "still answering" in trajectory.detail


async def test_a_long_command_is_cut_off_by_the_clock(task: Task, box: DirectoryBox) -> None:
    sleeps = Reply(calls=(call("shell", command="sleep 9999", timeout=5000), call("shell", command="echo never")))
    trajectory, kept = await attempt(task, box, PreparedTeacher(sleeps), Stops(seconds=4))
    assert trajectory.ended == "seconds"
    assert "stopped: it ran longer" in observed_text(trajectory)
    assert "Not carried out" in observed_text(trajectory)
    assert trajectory.artifacts["diff"] in kept


async def test_a_teachers_own_timeout_is_not_mistaken_for_the_clock(task: Task, box: DirectoryBox) -> None:
    def times_out(_: Ask) -> Reply:
        raise TimeoutError

    with pytest.raises(TimeoutError):
        await attempt(task, box, PreparedTeacher(times_out))


async def test_a_box_used_up_ends_the_attempt_and_keeps_the_trajectory(task: Task, repository: Path) -> None:
    class Full(DirectoryBox):
        async def exec(self, command: str, **more: Any) -> Any:
            if "fill" in command or (self.commands and "fill" in self.commands[-1]):
                self.commands.append("fill")
                raise BoxExhausted("disk", "no space left")
            return await super().exec(command, **more)

    trajectory, kept = await attempt(
        task, Full(repository), PreparedTeacher(Reply(calls=(call("shell", command="fill"),)))
    )
    assert trajectory.ended == "exhausted"
    assert "no space left" in trajectory.detail
    assert trajectory.left == "lost"
    assert not kept


async def test_a_used_up_box_that_breaks_when_asked_for_the_diff_still_counts(task: Task, repository: Path) -> None:
    class Dies(DirectoryBox):
        async def exec(self, command: str, **more: Any) -> Any:
            if "gone" in self.commands:
                raise SandboxError("no such container")
            if command == "die":
                self.commands.append("gone")
                raise BoxExhausted("memory", "killed")
            return await super().exec(command, **more)

    trajectory, _ = await attempt(task, Dies(repository), PreparedTeacher(Reply(calls=(call("shell", command="die"),))))
    assert trajectory.ended == "exhausted"


async def test_a_broken_box_is_no_trajectory(task: Task, repository: Path) -> None:
    class Broken(DirectoryBox):
        async def exec(self, command: str, **more: Any) -> Any:
            if command == "true":
                raise SandboxError("the engine went away")
            return await super().exec(command, **more)

    with pytest.raises(SandboxError):
        await attempt(task, Broken(repository), PreparedTeacher(Reply(calls=(call("shell", command="true"),))))


async def test_a_teacher_that_cannot_answer_is_no_trajectory(task: Task, box: DirectoryBox) -> None:
    def fails(_: Ask) -> Reply:
        raise TeacherError("gone")

    with pytest.raises(TeacherError):
        await attempt(task, box, PreparedTeacher(LOOK, fails))


async def test_the_answer_is_kept_as_an_artifact(task: Task, box: DirectoryBox) -> None:
    trajectory, kept = await play_teacher(task.model_copy(update={"reference": Reference(answer="42")}), box, "oracle")
    assert kept[trajectory.artifacts["answer"]] == b"42"


async def test_text_calls_are_parsed_and_a_truncated_block_is_answered(task: Task, box: DirectoryBox) -> None:
    said = Reply(text='I look.\n```call shell\n{"command": "echo \'```\'"}\n```\nand\n```call shell\n{"command": "ec')
    trajectory, _ = await attempt(task, box, PreparedTeacher(said, Reply(text="```call submit\n```")), scaffold="text")
    assert trajectory.ended == "submitted"
    first, second = trajectory.steps[0].observations
    assert "```" in first.content
    assert "not a JSON object" in second.content


async def test_the_same_attempt_has_the_same_digest(task: Task, box: DirectoryBox) -> None:
    first, _ = await play_teacher(task, box, "nop")
    second, _ = await play_teacher(task, box, "nop")
    assert first.digest == second.digest
