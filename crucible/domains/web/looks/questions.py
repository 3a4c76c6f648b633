"""Questions about a web application to a model that sees pictures of it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from crucible.asking import Judge
from crucible.domains.looks.questions import Answer, ask_about_pictures

QUESTION = Path(__file__).with_name("question.md")


async def ask_about_looks(judge: Judge, question: str, pictures: Mapping[str, str]) -> Answer:
    """The answer to a question about pictures of an application, at several widths and in several states."""
    template = QUESTION.read_text(encoding="utf-8")
    return await ask_about_pictures(judge, template, question, pictures, things="web applications")
