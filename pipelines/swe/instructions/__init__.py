"""What an agent is told of each kind of task: one text per kind, filled in."""

from __future__ import annotations

import re
from pathlib import Path

from pipelines.swe.model import Candidate

HERE = Path(__file__).parent


def write_instruction(candidate: Candidate, statement: str, **words: str) -> str:
    """The instruction of the candidate's kind, `other.md` where the kind has no text of its own. The statement goes in
    last, so that braces in it stay as they are."""
    kind = candidate.route.kind
    name = kind if (HERE / f"{kind}.md").is_file() else "other"
    return fill_template(name, candidate, **words).replace("{statement}", statement)


def fill_template(name: str, candidate: Candidate, **words: str) -> str:
    """The text of that name with its words in braces filled in; what is filled in is not looked at again."""
    values = {"workdir": candidate.env.workdir, "command": candidate.suite.command, **words}
    holes = "|".join(map(re.escape, (f"{{{word}}}" for word in values)))
    # matches: {workdir}
    return re.sub(holes, lambda hole: values[hole[0][1:-1]], (HERE / f"{name}.md").read_text().strip())
