"""Ways of spoiling a good model that the verifier `ties` must notice: each tie is broken on its own."""

from __future__ import annotations

from crucible.domains.office.sheets.ties import TiesParams
from crucible.domains.office.sheets.workbook import list_places
from crucible.domains.office.world import python_command
from crucible.proving import NOTHING_TO_SPOIL, Mutation

SPOIL = f"""
import json, sys, openpyxl
told = json.load(sys.stdin)
book = openpyxl.load_workbook(told["path"])
cell = book[told["sheet"]][told["cell"]]
if not isinstance(cell.value, str) or not cell.value.startswith("="):
    sys.exit({NOTHING_TO_SPOIL})
cell.value = f"=({{cell.value[1:]}})*1.02+1"
book.save(told["path"])
"""


def list_ties_mutations(params: TiesParams) -> list[Mutation]:
    """The first cell of each tie a little off, where it is calculated."""
    return [
        Mutation(
            name=f"tie broken: {tie.name}", command=_command(params.path, tie.left[0]), criteria=(f"{tie.name} ties",)
        )
        for tie in params.ties
    ]


def _command(path: str, area: str) -> str:
    place = next(list_places(area.removeprefix("-")))
    return python_command(SPOIL, {"path": path, "sheet": place.sheet, "cell": place.cell})
