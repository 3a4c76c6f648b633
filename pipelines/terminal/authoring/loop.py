"""Has a model write a task, tries it, and gives it back with what is wrong until it holds or the rounds are used up.

An endpoint that does not answer is nobody's fault: its error is raised, and the thread is tried again later. An answer
that cannot be read, or a task that does not hold, is the model's.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from crucible.asking import ask, count_usage, fence, fill_prompt
from crucible.errors import NoAnswer, Rejected, SettingsError
from crucible.mining import MiningContext
from crucible.record import Record
from pipelines.terminal.authoring.problems import Flawed, Problem, describe_problems
from pipelines.terminal.authoring.reading import known_packages
from pipelines.terminal.authoring.records import AuthoredTask
from pipelines.terminal.authoring.trying import try_authored
from pipelines.terminal.model import Draft, Selected, Thread
from pipelines.terminal.posts.showing import show_thread
from pipelines.terminal.settings import TerminalSettings

log = logging.getLogger(__name__)

HERE = Path(__file__).parent
SYSTEM = "You write tasks for work in a terminal. You answer with JSON only."

R = TypeVar("R", bound=Record)


class Writer:
    """The mining teacher at work on one thread, within what that may cost."""

    def __init__(self, context: MiningContext) -> None:
        if context.adviser is None:
            raise SettingsError("nobody is set to write or word tasks", "set terminal.teacher, for example openai")
        self._judge, self._limit = context.adviser, context.section(TerminalSettings).usd
        self._spent = 0.0

    async def ask(self, prompt: str, answer: type[R]) -> R:
        """The model's answer; NoAnswer when it cannot be read, Rejected when the thread's money is spent."""
        if self._spent and self._spent >= self._limit:
            raise Rejected("writer_too_dear", f"{self._spent:.4f} of {self._limit:g} USD are spent on this thread")
        with count_usage() as meter:
            try:
                return await ask(self._judge, prompt, (), answer, system=SYSTEM)
            finally:
                self._spent += meter.usage.cost_usd


async def author_draft(selected: Selected, context: MiningContext) -> Draft:
    """A draft that the model wrote; Rejected, with what was wrong in the end, when none holds."""
    writer = Writer(context)
    problems: Sequence[Problem] = ()
    answer = ""
    for number in range(context.section(TerminalSettings).rounds + 1):
        try:
            task = await writer.ask(write_prompt(selected.thread, answer, problems), AuthoredTask)
            answer = task.model_dump_json()
            return await try_authored(task, selected, number, context)
        except NoAnswer as unreadable:
            problems = (Problem(reason="unreadable", detail=str(unreadable)),)
        except Flawed as flawed:
            problems = flawed.problems
        log.debug("%s, round %d: %s", selected.id, number, "; ".join(problem.line for problem in problems))
    raise Rejected("not_repaired", "; ".join(problem.line for problem in problems)[:500])


def write_prompt(thread: Thread, answer: str = "", problems: Sequence[Problem] = ()) -> str:
    """The question put to the model; in a repair with what it answered before, and what was wrong with that."""
    text = fill_prompt(HERE / "write.md", packages=", ".join(known_packages()), thread=show_thread(thread))
    if not problems:
        return text
    shown = fence("answer", answer or "(nothing that can be read)")
    return text + fill_prompt(HERE / "repair.md", answer=shown, problems=fence("problems", describe_problems(problems)))
