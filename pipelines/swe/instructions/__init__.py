"""What an agent is told of each kind of task: one text per kind, filled in."""

from __future__ import annotations

from pathlib import Path

from pipelines.swe.model import Candidate

HERE = Path(__file__).parent


def told(candidate: Candidate, statement: str, **words: str) -> str:
    """The instruction of the candidate's kind. The statement goes in last, so that braces in it stay as they are."""
    text = (HERE / f"{candidate.route.kind}.md").read_text().strip()
    filled = {"workdir": candidate.env.workdir, "command": candidate.suite.command, **words}
    for name, value in filled.items():
        text = text.replace(f"{{{name}}}", value)
    return text.replace("{statement}", statement)
