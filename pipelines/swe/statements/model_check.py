"""A model's look at a statement: do statement and tests agree, and what is a solver not told?

One question, one answer, with evidence. What cannot be read as such is no answer, and an unanswered question
leaves the statement as the rules made it; it never counts as consent.
"""

from __future__ import annotations

from pathlib import Path

from crucible.asking import Judge, ask
from crucible.errors import NoAnswer, Rejected
from crucible.record import Record
from pipelines.swe.model import PullRequest, Statement
from pipelines.swe.statements.leaks import shows_change

HERE = Path(__file__).parent

PROMPT_PART_CHARS = 20_000
"""The statement, the tests and the change are each cut to this length in the prompt."""
DETAIL_CHARS = 400
"""A longer sentence from the model is no detail, and is not taken over."""
QUOTATION_CHARS = 8
"""A shorter quotation is found in any text."""


class Answer(Record):
    """The answer to one question."""

    answer: bool
    evidence: str


class Opinion(Record):
    """The answers to everything that `model_check.md` asks."""

    asked: Answer
    knowable: Answer
    unspoiled: Answer
    missing: tuple[str, ...] = ()


async def check_with_model(statement: Statement, pull: PullRequest, judge: Judge) -> Statement:
    """The statement with what the model found missing. Rejected when it and the tests are about different things."""
    opinion = await _ask_opinion(statement.text, pull, judge)
    if opinion is None:
        note = "a model was asked and gave no answer that could be read"
        return statement.model_copy(update={"why": (*statement.why, note)})
    if not opinion.asked.answer:
        raise Rejected("statement_disagrees", opinion.asked.evidence[:300])
    if not opinion.unspoiled.answer and _is_quoted(opinion.unspoiled.evidence, statement.text):
        raise Rejected("statement_leaks", opinion.unspoiled.evidence[:300])
    by = f"{statement.by} and a model" if statement.by else "a model"
    details = [line.strip() for line in opinion.missing if _may_be_told(line, pull)]
    if opinion.knowable.answer or not details:
        return statement.model_copy(update={"by": by, "why": (*statement.why, "a model found nothing amiss")})
    text = "\n".join([statement.text, "", "## Details", "", *(f"- {detail}" for detail in details)])
    why = (*statement.why, f"a model found missing: {opinion.knowable.evidence[:200]}")
    return Statement(before=statement.before, after=text, by=by, why=why)


async def _ask_opinion(statement: str, pull: PullRequest, judge: Judge) -> Opinion | None:
    """The model's answers; None where it gives none that can be read."""
    prompt = (HERE / "model_check.md").read_text()
    for name, value in {"statement": statement, "tests": pull.test_patch, "patch": pull.patch}.items():
        prompt = prompt.replace(f"{{{name}}}", value[:PROMPT_PART_CHARS], 1)
    try:
        return await ask(judge, prompt, (), Opinion, system="You check tasks.")
    except NoAnswer:
        return None


def _is_quoted(evidence: str, text: str) -> bool:
    """Whether the evidence stands in the text: a model that objects has to show where."""
    quotation = " ".join(evidence.split()).strip("\"'`")
    return len(quotation) >= QUOTATION_CHARS and quotation in " ".join(text.split())


def _may_be_told(line: str, pull: PullRequest) -> bool:
    """Whether a sentence of the model's may go into the statement: short, and no part of the change itself."""
    return 0 < len(line.strip()) <= DETAIL_CHARS and not shows_change(line, pull.commits, pull.patch)
