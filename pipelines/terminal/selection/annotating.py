"""The stage `select`: the rules choose, and a judge, where one is set, says of the same threads what it thinks.

The rules' word counts. What the judge says is kept beside it, so that the report can tell how far the two agree; by a
setting, a criterion that the judge denies drops the thread too. A thread whose answer alone cannot be run goes on where
a model may write its task.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from crucible.asking import Judge
from crucible.datafile import read_file
from crucible.errors import BudgetSpent, Rejected
from crucible.facts import ANNOTATION, AnnotationPair
from crucible.mining import MiningContext
from crucible.record import Record
from pipelines.terminal.commands.shell import statement_kinds
from pipelines.terminal.model import Annotation, Selected, Thread
from pipelines.terminal.posts.taxonomy import category_of
from pipelines.terminal.selection.checking import limits
from pipelines.terminal.selection.duplicates import remember_question
from pipelines.terminal.selection.opinions import ask_opinion
from pipelines.terminal.selection.selecting import select_thread
from pipelines.terminal.settings import TerminalSettings


class AnnotatorTable(Record):
    """The file `annotators.toml`."""

    denials: dict[str, tuple[str, ...]]
    writable: tuple[str, ...]
    steps: dict[str, dict[str, int]]
    """By attribute, from which number on each word is used."""


async def select_and_annotate(thread: Thread, context: MiningContext) -> Sequence[Selected]:
    """The thread, where the rules select it or a model may write its task; Rejected with the reason otherwise."""
    drop: Rejected | None = None
    selected: Selected | None = None
    try:
        [selected] = await select_thread(thread, context)
    except Rejected as fault:
        drop = fault
    denied = await _ask_judge(thread, selected, drop, context)
    if drop is not None and not (drop.reason in _table().writable and _has_writer(context)):
        raise drop
    if denied and context.section(TerminalSettings).judge_may == "decide":
        raise Rejected("judged_unfit", denied)
    return [selected or await _select_for_writer(thread, context)]


def _has_writer(context: MiningContext) -> bool:
    return context.adviser is not None and context.section(TerminalSettings).writer != "rules"


async def _select_for_writer(thread: Thread, context: MiningContext) -> Selected:
    """A thread without commands that can be run, unless it has a twin."""
    if twin := await remember_question(thread, context.memory, limits().duplicate_similarity):
        raise Rejected("near_duplicate", f"of {twin}")
    answer = thread.accepted_answer
    annotation = Annotation(
        quality=thread.score + (answer.score if answer else 0),
        task_type="",
        verifiability="",
        category=category_of(thread.tags),
        complexity=0,
        packages=(),
        alternatives=0,
    )
    return Selected(thread=thread, suggestions=(), annotation=annotation)


async def _ask_judge(thread: Thread, selected: Selected | None, drop: Rejected | None, context: MiningContext) -> str:
    """Keep the judge's opinion beside the rules'; returns what it denies, with its evidence. Nobody is asked about
    threads that the rules drop for what has nothing to do with the criteria."""
    if drop is not None and not _denied_by(drop.reason):
        return ""
    judge: Judge | None = await context.services.get_if_configured("judge")
    try:
        opinion = await ask_opinion(thread, judge) if judge else None
    except BudgetSpent:
        if context.section(TerminalSettings).judge_may == "decide":
            raise
        opinion = None  # the rules decide, so nothing has to wait for money
    if opinion is None:
        return ""
    pair = AnnotationPair(
        pipeline="terminal",
        judge=context.services.identity("judge"),
        by_rules=words_by_rules(thread, selected, drop),
        by_judge=opinion.words,
        evidence=opinion.evidence,
    )
    context.memory.keep_fact(ANNOTATION, thread.id, pair)
    return "; ".join(f"{name}: {opinion.evidence[name][:200]}" for name in opinion.denied)


def words_by_rules(thread: Thread, selected: Selected | None, drop: Rejected | None) -> dict[str, str]:
    """What the rules say, in the words that the judge is asked for. Of a thread that they drop they know its votes, its
    category, and the criterion that they deny."""
    answer = thread.accepted_answer
    words = {
        "quality": _grade("quality", thread.score + (answer.score if answer else 0)),
        "category": category_of(thread.tags),
    }
    if selected is None:
        return words | ({_denied_by(drop.reason): "no"} if drop else {})
    annotation, script = selected.annotation, selected.suggestions[0].text
    return (
        words
        | dict.fromkeys(_table().denials, "yes")
        | {
            "task_type": annotation.task_type,
            "verifiability": annotation.verifiability,
            "complexity": _grade("complexity", annotation.complexity),
            "environment": "packages" if annotation.packages else "base",
            "execution": describe_execution(script),
        }
    )


def describe_execution(script: str) -> str:
    """Whether a script is one command, one pipeline, or several steps."""
    kinds = statement_kinds(script)
    return kinds[0] if len(kinds) == 1 and kinds[0] in ("command", "pipeline") else "steps"


def _denied_by(reason: str) -> str:
    """The criterion that a drop denies; empty: none."""
    return next((name for name, reasons in _table().denials.items() if reason in reasons), "")


def _grade(attribute: str, number: int) -> str:
    """The word of the highest step that a number reaches."""
    steps = _table().steps[attribute]
    return next((word for word, least in reversed(steps.items()) if number >= least), next(iter(steps)))


def _table() -> AnnotatorTable:
    return read_file(Path(__file__).with_name("annotators.toml"), AnnotatorTable)
