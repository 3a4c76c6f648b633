"""Ways of spoiling a good workbook that the verifier `sheet` must notice: `mutants.toml` of `domains/office/sheets`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from crucible.domains.office import sheets
from crucible.domains.office.sheets.params import SheetParams
from crucible.domains.office.world import python_command
from crucible.proving import Mutation

FOLDER = Path(sheets.__file__).parent
SHEET_AND_CELLS = re.compile(r"(?:'((?:[^']|'')+)'|([^'!]+))!(.+)")
# matches: Sums!B2, 'Two words'!A1:C9


def list_sheet_mutations(params: SheetParams) -> list[Mutation]:
    """Each way, as a command in the box of the good work."""
    return [
        Mutation(
            name=name,
            command=_command(params, code),
            criteria=tuple(_name_answers(criteria, params.answers)),
        )
        for name, criteria, code in read_mutants()
    ]


def _command(params: SheetParams, code: str) -> str:
    program = (FOLDER / "spoil_workbook.py").read_text(encoding="utf-8")
    told = {"path": params.path, "given": list(params.sheets), "answers": _split(params.answers), "code": code}
    return python_command(program, told)


def _split(areas: tuple[str, ...]) -> list[tuple[str, str]]:
    """Sheets and cells of the areas."""
    found = [SHEET_AND_CELLS.fullmatch(area) for area in areas]
    return [((match[1] or match[2]).replace("''", "'"), match[3]) for match in found if match]


def _name_answers(criteria: tuple[str, ...], answers: tuple[str, ...]) -> Iterator[str]:
    """The criteria's beginnings, with each area of answers where they stand for all."""
    for criterion in criteria:
        yield from (criterion.replace("{answer}", area) for area in (answers if "{answer}" in criterion else ("",)))


@cache
def read_mutants() -> tuple[tuple[str, tuple[str, ...], str], ...]:
    """Name, criteria and code of each."""
    facts = tomllib.loads((FOLDER / "mutants.toml").read_text(encoding="utf-8"))
    return tuple((each["name"], tuple(each["criteria"]), each["code"]) for each in facts["mutant"])
