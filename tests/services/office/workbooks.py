"""The smallest workbooks, written by hand so that they can lie about their values."""

from __future__ import annotations

import io
import zipfile

OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
FORMAT = "application/vnd.openxmlformats"
TYPES = f"""<?xml version="1.0"?><Types xmlns="{PACKAGE}/content-types">
<Default Extension="rels" ContentType="{FORMAT}-package.relationships+xml"/>
<Override PartName="/xl/workbook.xml" ContentType="{FORMAT}-officedocument.spreadsheetml.sheet.main+xml"/>
<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{FORMAT}-officedocument.spreadsheetml.worksheet+xml"/>
</Types>"""
RELATIONS = f"""<?xml version="1.0"?><Relationships xmlns="{PACKAGE}/relationships">
<Relationship Id="rId1" Type="{OFFICE}/KIND" Target="PLACE"/></Relationships>"""
WORKBOOK = (
    f'<?xml version="1.0"?><workbook xmlns="{MAIN}" xmlns:r="{OFFICE}">'
    '<sheets><sheet name="Sums" sheetId="1" r:id="rId1"/></sheets></workbook>'
)


def forged_workbook(forged: str) -> bytes:
    """A workbook with 2, 3 and their sum, whose stored value is the one that is given."""
    cells = f'<c r="A1"><v>2</v></c><c r="B1"><v>3</v></c><c r="C1"><f>A1+B1</f><v>{forged}</v></c>'
    sheet = (
        f'<?xml version="1.0"?><worksheet xmlns="{MAIN}"><sheetData><row r="1">{cells}</row></sheetData></worksheet>'
    )
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("[Content_Types].xml", TYPES)
        archive.writestr("_rels/.rels", _relate("officeDocument", "xl/workbook.xml"))
        archive.writestr("xl/workbook.xml", WORKBOOK)
        archive.writestr("xl/_rels/workbook.xml.rels", _relate("worksheet", "worksheets/sheet1.xml"))
        archive.writestr("xl/worksheets/sheet1.xml", sheet)
    return packed.getvalue()


def _relate(kind: str, place: str) -> str:
    return RELATIONS.replace("KIND", kind).replace("PLACE", place)


def read_sheet(workbook: bytes) -> str:
    """The XML of the first sheet."""
    with zipfile.ZipFile(io.BytesIO(workbook)) as archive:
        return archive.read("xl/worksheets/sheet1.xml").decode()
