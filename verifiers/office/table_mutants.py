"""Ways of spoiling a good rebuilt workbook that the verifier `table` must notice
(`crucible/domains/office/sheets/table_mutants.toml`)."""

from __future__ import annotations

import tomllib
from pathlib import Path

from crucible.domains.office import sheets
from crucible.domains.office.sheets.labelled import LabelledTable, TableParams
from crucible.domains.office.sheets.workbook import column_letters
from crucible.domains.office.world import python_command
from crucible.proving import Mutation

FOLDER = Path(sheets.__file__).parent


def list_table_mutations(params: TableParams) -> list[Mutation]:
    """Each way, over the first table."""
    mutants = tomllib.loads((FOLDER / "table_mutants.toml").read_text(encoding="utf-8"))["mutant"]
    title = params.tables[0].title
    return [
        Mutation(
            name=each["name"],
            command=_command(params, each["code"]),
            criteria=tuple(criterion.replace("{title}", title) for criterion in each["criteria"]),
        )
        for each in mutants
    ]


def _command(params: TableParams, code: str) -> str:
    program = (FOLDER / "spoil_workbook.py").read_text(encoding="utf-8")
    told = {"path": params.path, "given": [], "answers": [gold_area(params.tables[0])], "code": code}
    return python_command(program, told)


def gold_area(table: LabelledTable) -> tuple[str, str]:
    """The sheet and the cells that a table has in the right workbook: a sheet of its own, from A1."""
    bottom = 1 + len(table.rows) + bool(table.total)
    return table.title, f"A1:{column_letters(len(table.headers))}{bottom}"
