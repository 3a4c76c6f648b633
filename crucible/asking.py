"""One question to a model, answered with a record: strict JSON, one chance to mend it, as many votes as the judge has.

    answer = await ask(judge, question, images, Comparison)

An answer that cannot be read is shown to the model once, with what is wrong about it. With several votes the answer
that most of them agree on is taken; what is counted are the choices in it (truth values, numbers, fixed words), for
no two votes give the same evidence in the same words.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any, Literal, Protocol, TypeVar, get_origin

from pydantic import ValidationError

from crucible.acting import Ask, Reply, Teacher
from crucible.errors import BudgetSpent, NoAnswer, TeacherError
from crucible.model import Observation, Step, Task, Usage
from crucible.record import Record, canonical, describe_schema, digest

SYSTEM = "You answer one question with one JSON object and nothing else."
COMPLAINT_CHARS = 600
"""How much of what is wrong with an answer is told."""
FENCED_JSON = re.compile(r"\s*```(?:json)?\s*(.*?)\s*```\s*", re.DOTALL)
# matches: ```json\n{"same": true}\n```

R = TypeVar("R", bound=Record)


def fence(name: str, text: str) -> str:
    """Somebody else's text as data for a prompt: it stands between marks that it cannot hold, since they name its own
    hash, so nothing in it can pass for the end of the data."""
    mark = f"{name}-{digest(text.encode(errors='replace').decode())[:12]}"
    return f"<{mark}>\n{text}\n</{mark}>"


def fill_prompt(file: Path, **values: str) -> str:
    """A prompt with its holes filled, all at once: what looks like a hole within a value stays as it is."""
    holes = re.compile("|".join(rf"\{{{name}\}}" for name in values))  # matches: {thread}
    return holes.sub(lambda hole: values[hole[0][1:-1]], file.read_text("utf-8"))


class Judge(Protocol):
    """A model that is asked for judgements: it sees the question and nothing else."""

    @property
    def votes(self) -> int:
        """How often each question is put to it."""

    async def reply(self, ask: Ask) -> Reply:
        """Its answer. TeacherError when there is none to be had."""


@dataclass(frozen=True)
class TeacherJudge:
    """A teacher as a judge. Implements `Judge`."""

    teacher: Teacher
    votes: int = 1

    async def reply(self, ask: Ask) -> Reply:
        """The teacher's answer: a question has no task, so it gets an empty one."""
        return await self.teacher.reply(Task(domain="none", kind="question", instruction=ask.prompt), ask)


@dataclass
class Meter:
    """What the questions within a block have cost so far."""

    usage: Usage = field(default_factory=Usage)


_meters: ContextVar[tuple[Meter, ...]] = ContextVar("meters", default=())


@contextmanager
def count_usage() -> Iterator[Meter]:
    """Count what every question asked within the block costs, answers that cannot be read included."""
    meter = Meter()
    token = _meters.set((*_meters.get(), meter))
    try:
        yield meter
    finally:
        _meters.reset(token)


async def ask(judge: Judge, question: str, images: Sequence[str], answer: type[R], *, system: str = SYSTEM) -> R:
    """The judge's answer, by the majority of its votes. Images are digests of blobs. NoAnswer when it gives none that
    can be read or its votes are split, another TeacherError when it cannot be reached."""
    asks = [Ask(system=system, prompt=question, images=tuple(images), seed=seed) for seed in range(judge.votes)]
    votes = await asyncio.gather(*(_ask_once(judge, ask, answer) for ask in asks), return_exceptions=True)
    answers = [vote for vote in votes if not isinstance(vote, BaseException)]
    faults = [vote for vote in votes if isinstance(vote, BaseException)]
    for fault in faults:
        if not answers or isinstance(fault, BudgetSpent) or not isinstance(fault, TeacherError):
            raise fault
    return _take_majority(answers, len(votes))


async def _ask_once(judge: Judge, ask: Ask, answer: type[R]) -> R:
    """One vote: what cannot be read is shown to the model once, to be put right."""
    text = (await reply_once(judge, ask)).text
    try:
        return _parse(text, answer)
    except ValidationError as unreadable:
        step = Step(text=text, observations=(Observation(call_id="", content=_complain(unreadable, answer)),))
        text = (await reply_once(judge, ask.model_copy(update={"steps": (step,)}))).text
    try:
        return _parse(text, answer)
    except ValidationError as unreadable:
        raise NoAnswer(f"the model gave no answer that can be read: {_one_line(unreadable)}") from unreadable


async def reply_once(judge: Judge, ask: Ask) -> Reply:
    """One answer of the judge in a longer conversation, counted like any other."""
    reply = await judge.reply(ask)
    for meter in _meters.get():
        meter.usage += reply.usage
    return reply


def _parse(text: str, answer: type[R]) -> R:
    fenced = FENCED_JSON.fullmatch(text)
    return answer.model_validate_json(fenced[1] if fenced else text.strip())


def _complain(unreadable: ValidationError, answer: type[Record]) -> str:
    """What is wrong with an answer, and what was asked for."""
    schema = canonical(describe_schema(answer)).decode()
    return (
        f"This cannot be read: {_one_line(unreadable)}\n"
        f"Answer the same question again, with one JSON object of this schema and nothing else:\n{schema}"
    )


def _one_line(fault: Exception) -> str:
    return " ".join(str(fault).split())[:COMPLAINT_CHARS]


def _take_majority(answers: Sequence[R], votes: int) -> R:
    """The first answer whose choices more than half of all votes share."""
    choices = [canonical(_choices(answer)) for answer in answers]
    winner, count = Counter(choices).most_common(1)[0]
    if 2 * count <= votes:
        raise NoAnswer(f"the votes are split: {count} of {votes} agree")
    return answers[choices.index(winner)]


def _choices(answer: Record) -> dict[str, Any]:
    """What an answer decides: truth values, numbers and fixed words, also within records; free text is left out."""
    found: dict[str, Any] = {}
    for name, info in type(answer).model_fields.items():
        value = getattr(answer, name)
        if isinstance(value, Record):
            found[name] = _choices(value)
        elif isinstance(value, Enum):
            found[name] = value.value
        elif isinstance(value, bool | int | float | None) or get_origin(info.annotation) is Literal:
            found[name] = value
        elif isinstance(value, tuple | list):
            found[name] = [_choices(each) for each in value if isinstance(each, Record)]
    return found
