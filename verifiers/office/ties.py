"""A financial model ties: what must be equal is equal, as the workbook is and with changed inputs."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from posixpath import join

from crucible.documents import Office
from crucible.domains.office.sheets.ties import TiesParams, list_broken
from crucible.domains.office.sheets.workbook import BadWorkbook, Values, read_values, read_workbook
from crucible.errors import DocumentFailed
from crucible.model import Criterion, Task, Trajectory
from crucible.parts import verifier
from crucible.sandbox import Sandbox
from verifiers.criteria import gate_criterion
from verifiers.office.ties_mutants import list_ties_mutations

LARGEST_BYTES = 1 << 26


@verifier("ties", layer="function", version=1, cost="seconds", needs=("office",), mutants=list_ties_mutations)
async def ties(
    task: Task, trajectory: Trajectory, box: Sandbox, *, params: TiesParams, office: Office
) -> AsyncIterator[Criterion]:
    """Every tie holds for every set of inputs."""
    opens = "the model is there and opens"
    try:
        data = await box.read(join(task.env.workdir, params.path), limit=LARGEST_BYTES)
        calculated = await _calculate(office, data, params)
    except (FileNotFoundError, IsADirectoryError, ValueError, BadWorkbook, DocumentFailed) as fault:
        if isinstance(fault, DocumentFailed) and fault.late:
            raise
        yield gate_criterion(opens, False, f"{params.path}: {fault}"[:500])
        return
    yield gate_criterion(opens, True, params.path)
    broken: dict[str, str] = {}
    for number, values in enumerate(calculated):
        for name, why in list_broken(params.ties, values):
            broken.setdefault(name, why if not number else f"with changed inputs {number}: {why}")
    for tie in params.ties:
        evidence = broken.get(tie.name, f"it holds for {len(calculated)} sets of inputs")
        yield Criterion(name=f"{tie.name} ties", passed=tie.name not in broken, evidence=evidence)


async def _calculate(office: Office, data: bytes, params: TiesParams) -> Sequence[Values]:
    """What the workbook shows, and what it shows for each set of changed inputs."""
    file = await read_workbook(office, data)
    if lost := {sheet for changes in params.changes for sheet in changes} - file.cells.keys():
        raise BadWorkbook(f"sheets with inputs are gone: {', '.join(sorted(lost))}")
    return list(map(read_values, await office.calculate(data, list(params.changes))))
