"""The archive that an office file is, without the time of its writing: the same content is the same bytes."""

from __future__ import annotations

import io
import re
import zipfile

EPOCH = (1980, 1, 1, 0, 0, 0)
"""The earliest time that an archive can say."""
TIMES = re.compile(rb"(<dcterms:(created|modified)[^>]*>)[^<]*")
# matches: <dcterms:modified xsi:type="dcterms:W3CDTF">2026-01-31T09:00:00Z
NO_TIME = rb"\g<1>2000-01-01T00:00:00Z"


def forget_times(data: bytes) -> bytes:
    """The same file, with fixed times in its properties and on its parts."""
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as before, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as after:
        for part in before.infolist():
            content = before.read(part)
            if part.filename == "docProps/core.xml":
                content = TIMES.sub(NO_TIME, content)
            elif part.filename.endswith(".xlsx"):  # the values of a chart in a deck
                content = forget_times(content)
            after.writestr(zipfile.ZipInfo(part.filename, EPOCH), content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()
