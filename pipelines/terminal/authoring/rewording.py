"""The goal of a draft in other words for its levels of hints, by a model: with exact names for the first three, in the
asker's own terms for the last.

A wording is taken where it still determines all that is asserted: every value of the goal that the solution depends on
is in it, it gives nothing of the solution away, and a judge, where one is set, finds that it asks for the same.
Otherwise the level keeps the goal that the rules give it.
"""

from __future__ import annotations

import logging
import re
from pathlib import Path

from pydantic import Field

from crucible.asking import Judge, ask, fence, fill_prompt
from crucible.errors import NoAnswer, Rejected
from crucible.mining import MiningContext
from crucible.record import Record
from pipelines.terminal.authoring.loop import Writer
from pipelines.terminal.authoring.reading import ADDRESS, find_untold, told_solution
from pipelines.terminal.authoring.records import LONGEST_GOAL
from pipelines.terminal.model import Draft
from pipelines.terminal.posts.showing import show_thread
from pipelines.terminal.settings import TerminalSettings
from pipelines.terminal.statements.goals import goal_of
from pipelines.terminal.statements.instruction import LEVELS

log = logging.getLogger(__name__)

HERE = Path(__file__).parent
QUOTED = re.compile(r"`([^`\n]+)`|\"([^\"\n]+)\"")  # matches: `,` and "ERROR"
NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?!\w)")  # matches: 30


class Wordings(Record):
    """The model's answer."""

    exact: str = Field(min_length=40, max_length=LONGEST_GOAL)
    own_terms: str = Field(min_length=40, max_length=LONGEST_GOAL)


class Comparison(Record):
    """The judge's answer."""

    same: bool
    evidence: str


async def word_levels(draft: Draft, context: MiningContext) -> dict[int, Draft]:
    """The draft with the goal of each level of hints; the rules' goal where no other wording may be taken."""
    levels = dict.fromkeys(LEVELS, draft)
    if context.section(TerminalSettings).levels == "rules":
        return levels
    goal = goal_of(draft)
    wordings = await _ask_wordings(draft, goal, context)
    if wordings is None:
        return levels
    judge: Judge | None = await context.services.get_if_configured("judge")
    for wording, chosen in ((wordings.exact, LEVELS[:-1]), (wordings.own_terms, LEVELS[-1:])):
        worded = draft.model_copy(update={"goal": wording})
        fault = find_fault(wording, goal, draft, with_paths=chosen != LEVELS[-1:])
        fault = fault or next((problem.line for problem in find_untold(worded, chosen)), "")
        fault = fault or (await _find_other_meaning(wording, goal, draft, judge) if judge else "")
        if fault:
            log.debug("%s keeps the rules' goal at %s: %s", draft.id, chosen, fault)
        else:
            levels |= dict.fromkeys(chosen, worded)
    return levels


async def _ask_wordings(draft: Draft, goal: str, context: MiningContext) -> Wordings | None:
    """The model's wordings; None where it gives none that can be read, or the thread's money is spent."""
    prompt = fill_prompt(
        HERE / "reword.md",
        goal=fence("goal", goal),
        question=show_thread(draft.selected.thread, answers=0),
        solution=fence("solution", draft.suggestion.text),
    )
    try:
        return await Writer(context).ask(prompt, Wordings)
    except (NoAnswer, Rejected):
        return None


def find_fault(wording: str, goal: str, draft: Draft, with_paths: bool) -> str:
    """Why a wording cannot be taken: what it lacks, or what it gives away; empty: it can."""
    if told := next(told_solution(wording, draft.suggestion.text), None):
        return told.line
    if address := ADDRESS.search(wording):
        return f"it names {address[0]}"
    told_numbers = NUMBER.findall(wording)
    lacking = [
        value
        for value in deciding_values(goal, draft, with_paths)
        if value not in (told_numbers if NUMBER.fullmatch(value) else wording)
    ]
    return f"it does not say {lacking[0]}" if lacking else ""


def deciding_values(goal: str, draft: Draft, with_paths: bool) -> list[str]:
    """Numbers and quoted words of a goal that the solution holds as well: its result depends on them. Paths of the
    examples' folders can be seen there, and need not be told."""
    quoted = [first or second for first, second in QUOTED.findall(goal)]
    values = [value for value in dict.fromkeys([*NUMBER.findall(goal), *quoted]) if value in draft.suggestion.text]
    case = draft.cases[0]
    shown = {path for entries in (case.scene.entries, case.expected.entries) for path in entries}
    return [value for value in values if with_paths or value not in shown]


async def _find_other_meaning(wording: str, goal: str, draft: Draft, judge: Judge) -> str:
    """What a judge holds against a wording; an answer that cannot be read is no consent."""
    prompt = fill_prompt(
        HERE / "same.md",
        first=fence("first", goal),
        second=fence("second", wording),
        solution=fence("solution", draft.suggestion.text),
    )
    try:
        comparison = await ask(judge, prompt, (), Comparison)
    except NoAnswer:
        return "the judge gave no answer that can be read"
    return "" if comparison.same else f"the judge: {comparison.evidence[:200]}"
