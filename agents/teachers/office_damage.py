"""Takes the second half of the content out of an office document, so that it still opens: `python3 THIS FILE`.

The player `damaged` runs this file's text in the box of its attempt, by whatever Python the box has: so it uses the
standard library alone, and imports nothing of ours. It exits with 1 where there was nothing to take out.
"""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path
from xml.parsers import expat

CONTENTS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("xl/worksheets/sheet", "sheetData", ()),
    ("word/document.xml", "body", ("sectPr",)),
    ("ppt/slides/slide", "spTree", ("nvGrpSpPr", "grpSpPr")),
)
"""By how the name of a part begins: the element that holds what people see, and those in it that must stay."""


def find_cut(xml: bytes, container: str, staying: tuple[str, ...]) -> tuple[int, int] | None:
    """Where the second half of the container's children begins and ends, in bytes; None when it has no children."""
    parser = expat.ParserCreate()
    depth, inside, end = 0, 0, 0
    children: list[tuple[str, int]] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth, inside
        depth += 1
        if inside and depth == inside + 1:
            children.append((name.rpartition(":")[2], parser.CurrentByteIndex))
        elif not inside and not end and name.rpartition(":")[2] == container:
            inside = depth

    def finish(name: str) -> None:
        nonlocal depth, inside, end
        if depth == inside:
            inside, end = 0, parser.CurrentByteIndex
        depth -= 1

    parser.StartElementHandler, parser.EndElementHandler = start, finish
    parser.Parse(xml, True)
    places = [place for name, place in children if name not in staying]
    if not places:
        return None
    first = places[len(places) // 2]
    return first, min((place for name, place in children if name in staying and place > first), default=end)


def cut_part(name: str, data: bytes) -> bytes:
    """A part of a document without the second half of its content; as it is where that holds nothing people see."""
    for beginning, container, staying in CONTENTS:
        if name.startswith(beginning) and name.endswith(".xml"):
            cut = find_cut(data, container, staying)
            return data[: cut[0]] + data[cut[1] :] if cut else data
    return data


def damage_document(path: Path) -> bool:
    """Rewrite the document with half of its content; False, and nothing written, where that changes nothing."""
    with zipfile.ZipFile(path) as document:
        parts = [(info, document.read(info)) for info in document.infolist()]
    cut = [(info, cut_part(info.filename, data)) for info, data in parts]
    if cut == parts:
        return False
    with zipfile.ZipFile(path, "w") as document:
        for info, data in cut:
            document.writestr(info, data, info.compress_type)
    return True


if __name__ == "__main__":
    try:
        sys.exit(not damage_document(Path(sys.argv[1])))
    except (OSError, zipfile.BadZipFile, expat.ExpatError) as unreadable:
        sys.exit(str(unreadable))
