"""What goes from stage to stage: an HTML document, and one form of it with the tables that it holds."""

from __future__ import annotations

from typing import Literal

from crucible.domains.office.sheets.labelled import LabelledTable
from crucible.record import Record

Form = Literal["html", "txt", "pdf"]


class Document(Record):
    """A page with tables."""

    name: str
    page: str
    """The digest of its HTML."""
    licence: str = ""
    author: str = ""

    @property
    def id(self) -> str:
        return f"document-{self.name}-{self.page[:8]}"


class Reconstruction(Record):
    """A document in the form that an attempt gets, and the right workbook."""

    document: Document
    form: Form
    shown: str
    """The digest of the document in this form."""
    gold: str
    tables: tuple[LabelledTable, ...]

    @property
    def id(self) -> str:
        return f"{self.document.id}-{self.form}"
