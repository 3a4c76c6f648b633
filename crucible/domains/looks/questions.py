"""Questions about looks to a model that sees pictures: one criterion each, answered with yes or no and evidence."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import Field

from crucible.asking import Judge, ask
from crucible.errors import NoAnswer, Undecided
from crucible.record import Record

SYSTEM = "You judge how {things} look, one criterion at a time."


class Answer(Record):
    """A model's answer."""

    met: bool = Field(strict=True)
    evidence: str = Field(min_length=1)


async def ask_about_pictures(
    judge: Judge, template: str, question: str, pictures: Mapping[str, str], *, things: str
) -> Answer:
    """The answer to a question about pictures: their digests by what they show. The template has places for
    `{pictures}` and `{question}`, and `things` are what is judged. Undecided when there is no answer."""
    shown = "\n".join(f"- picture {number}: {name}" for number, name in enumerate(pictures, 1))
    prompt = template.replace("{pictures}", shown, 1).replace("{question}", question, 1)
    try:
        return await ask(judge, prompt, tuple(pictures.values()), Answer, system=SYSTEM.format(things=things))
    except NoAnswer as silent:
        raise Undecided(f"the judge gave no answer that can be used: {' '.join(str(silent).split())[:200]}") from silent
