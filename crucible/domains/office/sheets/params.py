"""What is asked of a workbook: the parameters of the verifier `sheet`."""

from __future__ import annotations

from pydantic import Field

from crucible.domains.office.sheets.comparing import RELATIVE
from crucible.record import Record


class SheetParams(Record):
    """What is asked of one workbook that an attempt leaves."""

    path: str
    """Where it lies; a relative path is below the workdir."""
    gold: str
    """The digest of a workbook that is right."""
    given: str = ""
    """The digest of the workbook that the task begins with; empty when it begins with none."""
    sheets: tuple[str, ...] = ()
    """The sheets of the given workbook."""
    answers: tuple[str, ...] = Field(min_length=1)
    """Areas that must show what they show in the right workbook: `Sums!B2:B9`."""
    may_change: tuple[str, ...] = ()
    """Further areas that may be changed. All others stay as they were given, where they do in the right workbook."""
    changes: tuple[dict[str, dict[str, float | str]], ...] = ()
    """Inputs that are changed, set by set, by sheet and cell: the answers must follow as the right workbook's do."""
    tolerance: float = Field(default=RELATIVE, ge=0)
    """How far two numbers may be apart, in proportion to the larger."""
    formats: bool = False
    """Whether the answers' number formats count too."""
    formulas: bool = False
    """Whether answers that are formulas in the right workbook must be formulas."""
