"""The verifier `structure`: what a refactoring was asked to arrange is arranged so. Whether the code still does what it
did is for `suite` to say; this one only reads it."""

from __future__ import annotations

from collections.abc import AsyncIterator

from crucible import parts
from crucible.domains.code.check_params import Fact, StructureParams
from crucible.domains.code.definitions import outline_file
from crucible.model import Criterion, Task, Trajectory
from crucible.sandbox import Sandbox
from verifiers.criteria import gate_criterion


@parts.verifier("structure", layer="execution", version=1, cost="seconds", gate=True)
async def structure(
    task: Task, trajectory: Trajectory, box: Sandbox, *, params: StructureParams
) -> AsyncIterator[Criterion]:
    """Files and names are where they should be, and functions as short and plain as asked."""
    for fact in params.facts:
        yield gate_criterion(fact.sentence, *check_fact(fact, await _read_text(box, fact.path)))


def check_fact(fact: Fact, text: str | None) -> tuple[bool, str]:
    """Whether the fact is true of a file's text (None: there is no such file), and what is there instead."""
    if fact.what in ("file", "no_file"):
        return (text is not None) == (fact.what == "file"), "it is there" if text is not None else "it is not there"
    definition = outline_file(fact.path, text or "").get(fact.name)
    if fact.what == "no_name":
        return definition is None, f"`{fact.name}` is {'not ' if definition is None else ''}defined there"
    if definition is None:
        return False, f"`{fact.name}` is not defined there"
    if fact.what == "name":
        return True, f"`{fact.name}` is defined there"
    size = definition.lines if fact.what == "lines" else definition.branches
    return 0 < size <= fact.most or (fact.what == "branches" and size <= fact.most), f"{size} {fact.what}"


async def _read_text(box: Sandbox, path: str) -> str | None:
    """The file's text; None when there is no such file."""
    try:
        return (await box.read(path)).decode("utf-8", "replace")
    except (FileNotFoundError, IsADirectoryError, ValueError):
        return None
