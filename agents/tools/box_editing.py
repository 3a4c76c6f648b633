"""Edits an office file in the box, by a program that is handed to the box's Python and told what to do."""

from __future__ import annotations

import json
import shlex
from functools import cache
from pathlib import Path

from agents.text import clip
from crucible.record import Record
from crucible.tooling import OBSERVATION_CHARACTERS, ToolContext, ToolFault


async def edit_in_box(context: ToolContext, program: Path, operation: str, arguments: Record) -> str:
    """Have the program carry out the operation; ToolFault with its reason."""
    told = json.dumps({"operation": operation, **arguments.model_dump(mode="json")})
    done = await context.run(f"python3 -c {shlex.quote(_read_program(program))}", stdin=told.encode())
    if not done.ok:
        raise ToolFault(done.err.strip()[-500:] or done.stopped or f"exit code {done.code}")
    return clip(done.out.rstrip("\n"), OBSERVATION_CHARACTERS)


@cache
def _read_program(program: Path) -> str:
    return program.read_text(encoding="utf-8")
