"""A model's look at a statement: do statement and tests agree, and what is a solver not told?

One question, one answer, with evidence. What cannot be read as such is no answer, and an unanswered question
leaves the statement as the rules made it; it never counts as consent.
"""

from __future__ import annotations

import re
from pathlib import Path

from pydantic import ValidationError

from crucible.acting import Ask, Teacher
from crucible.errors import Rejected
from crucible.model import Task
from crucible.record import Record
from pipelines.swe.model import Built, PullRequest, Statement
from pipelines.swe.statements import leaks

HERE = Path(__file__).parent

LONGEST = 20_000
TURNS = 2
"""How often it is asked when its answer cannot be read."""


class Answer(Record):
    """To one question."""

    answer: bool
    evidence: str


class Opinion(Record):
    """All that is asked."""

    asked: Answer
    knowable: Answer
    unspoiled: Answer
    missing: tuple[str, ...] = ()


async def checked(built: Built, made: Statement, teacher: Teacher) -> Statement:
    """The statement with what the model found missing. Rejected when it and the tests are about different things."""
    opinion = await _opinion(built, made, teacher)
    if opinion is None:
        return made.model_copy(update={"why": (*made.why, "a model was asked and gave no answer that could be read")})
    if not opinion.asked.answer:
        raise Rejected("statement_disagrees", opinion.asked.evidence[:300])
    if not opinion.unspoiled.answer and _is_quoted(opinion.unspoiled.evidence, made.text):
        raise Rejected("statement_leaks", opinion.unspoiled.evidence[:300])
    told = [line for line in opinion.missing if _is_fit(line, built.candidate.pull)]
    if opinion.knowable.answer or not told:
        return made.model_copy(update={"by": _by(made), "why": (*made.why, "a model found nothing amiss")})
    text = "\n".join([made.text, "", "## Details", "", *(f"- {line.strip()}" for line in told)])
    why = (*made.why, f"a model found missing: {opinion.knowable.evidence[:200]}")
    return Statement(before=made.before, after=text, by=_by(made), why=why)


async def _opinion(built: Built, made: Statement, teacher: Teacher) -> Opinion | None:
    pull = built.candidate.pull
    prompt = (HERE / "check.md").read_text()
    filled = {"statement": made.text, "tests": pull.test_patch, "patch": pull.patch}
    for name, value in filled.items():
        prompt = prompt.replace(f"{{{name}}}", value[:LONGEST], 1)
    task = Task(domain="swe", kind="statement", instruction=prompt)
    for turn in range(TURNS):
        reply = await teacher.reply(task, Ask(system="You check tasks.", prompt=prompt, seed=turn))
        try:
            return Opinion.model_validate_json(_json(reply.text))
        except ValidationError:
            continue
    return None


def _json(text: str) -> str:
    """The answer without a fence around it; anything else around it is not allowed."""
    fenced = re.fullmatch(r"\s*```(?:json)?\s*(.*?)\s*```\s*", text, re.DOTALL)
    return fenced[1] if fenced else text.strip()


def _is_quoted(evidence: str, text: str) -> bool:
    """Evidence counts when it is there: a model that objects has to show where."""
    quoted = " ".join(evidence.split()).strip("\"'`")
    return len(quoted) >= 8 and quoted in " ".join(text.split())


def _is_fit(line: str, pull: PullRequest) -> bool:
    """Whether a sentence may be told: short, and no part of the change itself."""
    shown = leaks.shown_lines(line, pull.patch) or leaks.named(line, pull.commits) or leaks.holds_diff(line)
    code = any(len(added.strip()) >= leaks.SHORTEST and added.strip() in line for added in leaks.added_code(pull.patch))
    return 0 < len(line.strip()) <= 400 and not shown and not code


def _by(made: Statement) -> str:
    return f"{made.by} and a model" if made.by else "a model"
