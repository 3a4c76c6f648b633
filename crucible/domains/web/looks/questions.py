"""Questions about looks to a model that sees the pictures: one criterion each, answered with yes or no and evidence."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pydantic import Field

from crucible.asking import Judge, ask
from crucible.errors import NoAnswer, Undecided
from crucible.record import Record

QUESTION = Path(__file__).with_name("question.md")
SYSTEM = "You judge how web applications look, one criterion at a time."


class Answer(Record):
    """A model's answer."""

    met: bool = Field(strict=True)
    evidence: str = Field(min_length=1)


async def ask_about_looks(judge: Judge, question: str, pictures: Mapping[str, str]) -> Answer:
    """The answer to a question about pictures: their digests by what they show. Undecided when there is none."""
    shown = "\n".join(f"- picture {number}: {name}" for number, name in enumerate(pictures, 1))
    prompt = QUESTION.read_text().replace("{pictures}", shown, 1).replace("{question}", question, 1)
    try:
        return await ask(judge, prompt, tuple(pictures.values()), Answer, system=SYSTEM)
    except NoAnswer as silent:
        raise Undecided(f"the judge gave no answer that can be used: {' '.join(str(silent).split())[:200]}") from silent
