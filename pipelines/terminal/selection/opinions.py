"""What a judge says of a thread: the seven attributes and the five criteria, each in a word and with evidence."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Generic, Literal, TypeVar

from pydantic import AfterValidator, Field

from crucible.asking import Judge, ask, fill_prompt
from crucible.errors import NoAnswer
from crucible.record import Record
from pipelines.terminal.model import Thread
from pipelines.terminal.posts.showing import show_thread
from pipelines.terminal.posts.taxonomy import categories_by_tag

PROMPT = Path(__file__).with_name("annotators.md")

W = TypeVar("W", bound=str)
Evidence = Annotated[str, Field(max_length=1000)]


def _check_category(word: str) -> str:
    if word not in categories_by_tag().values():
        raise ValueError(f"{word!r} is none of: {_list_categories()}")
    return word


def _list_categories() -> str:
    return ", ".join(dict.fromkeys(categories_by_tag().values()))


class Attribute(Record, Generic[W]):
    """One attribute in a word."""

    word: W
    evidence: Evidence


class Criterion(Record):
    """Whether one of the five holds."""

    holds: bool
    evidence: Evidence


class Opinion(Record):
    """All that the judge is asked for."""

    quality: Attribute[Literal["low", "medium", "high"]]
    task_type: Attribute[Literal["transform", "change"]]
    verifiability: Attribute[Literal["example", "execution"]]
    category: Attribute[Annotated[str, AfterValidator(_check_category)]]
    complexity: Attribute[Literal["simple", "moderate", "complex"]]
    environment: Attribute[Literal["base", "packages", "other"]]
    execution: Attribute[Literal["command", "pipeline", "steps"]]
    scriptable: Criterion
    terminal: Criterion
    verifiable: Criterion
    linux: Criterion
    moderate: Criterion

    @property
    def words(self) -> dict[str, str]:
        """Every answer as a word; of a criterion `yes` or `no`."""
        return {name: _to_word(answer) for name, answer in self}

    @property
    def evidence(self) -> dict[str, str]:
        return {name: answer.evidence for name, answer in self}

    @property
    def denied(self) -> list[str]:
        """The criteria that do not hold."""
        return [name for name, answer in self if isinstance(answer, Criterion) and not answer.holds]


def _to_word(answer: Attribute[str] | Criterion) -> str:
    if isinstance(answer, Criterion):
        return "yes" if answer.holds else "no"
    return answer.word


async def ask_opinion(thread: Thread, judge: Judge) -> Opinion | None:
    """The judge's opinion; None where it gives none that can be read."""
    prompt = fill_prompt(PROMPT, categories=_list_categories(), thread=show_thread(thread, answers=1))
    try:
        return await ask(judge, prompt, (), Opinion)
    except NoAnswer:
        return None
