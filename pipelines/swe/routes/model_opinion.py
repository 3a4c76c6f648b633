"""A model's word on the route of a pull request that the rules are unsure of. No answer is no route."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field

from crucible.asking import Judge, ask
from crucible.errors import TeacherError
from crucible.mining import Route
from crucible.record import Record
from pipelines.swe.model import PullRequest
from pipelines.swe.routes.routers import load_weights

PROMPT_FILE = Path(__file__).with_name("model_opinion.md")
MAX_PROMPT_CHARS = 12_000
"""How much of the statement, and of the patch, is shown."""


class Answer(Record):
    """The JSON object that the model is asked for."""

    kind: Literal["bugfix", "feature", "performance", "refactoring", "other"]
    why: str = Field(min_length=1, max_length=600)


async def route_by_model(pull: PullRequest, judge: Judge) -> Route | None:
    """The route a model takes it to be; None when it gives no answer that can be read."""
    prompt = PROMPT_FILE.read_text()
    for name, value in (("statement", pull.statement), ("patch", pull.patch)):
        prompt = prompt.replace(f"{{{name}}}", value[:MAX_PROMPT_CHARS], 1)
    try:
        answer = await ask(judge, prompt, (), Answer, system="You sort changes.")
    except TeacherError:
        return None
    return Route(kind=answer.kind, confidence=load_weights().model, why=f"a model: {answer.why}")
