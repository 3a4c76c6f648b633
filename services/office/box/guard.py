"""Looks at an office file before anything opens it: `why = refuse(path)` is empty for a file that may be opened.

Says too what the file brings along: macros, and links to other files."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from xml.etree import ElementTree

MOST_PARTS, MOST_BYTES, MOST_RATIO = 5_000, 1 << 29, 400
"""Parts, bytes once unpacked, and how many times its packed size a part of more than a megabyte may unpack to."""
RATIO_FROM_BYTES = 1 << 20
MOST_XML_BYTES = 1 << 26
"""One part of XML: a sheet of a million cells. What reads it needs twenty times as much memory."""
COMPOUND = b"\xd0\xcf\x11\xe0"
"""How the old binary formats begin, and also a file of today that is encrypted."""
DECLARATION = re.compile(rb"<!(DOCTYPE|ENTITY)", re.IGNORECASE)
CONTENT_TYPES = "[Content_Types].xml"
MACRO_TYPE = re.compile(rb"vbaProject|macrosheet", re.IGNORECASE)
# matches: application/vnd.ms-office.vbaProject  application/vnd.ms-excel.macrosheet+xml
OUTER_TYPES = ("/externalLink", "/oleObject")
"""Relations to other files and to other programs' objects; an object counts where it lies outside."""


def refuse(path: Path) -> str:
    """Why the file must not be opened, in one line; empty when it may be."""
    with path.open("rb") as file:
        start = file.read(8)
    if not start:
        return "the file is empty"
    if start.startswith(COMPOUND):
        return "the file is encrypted, or of a format before 2007"
    try:
        with zipfile.ZipFile(path) as archive:
            return refuse_archive(archive)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, ValueError) as fault:
        return f"the file is no archive of an office program, or is damaged: {fault}"


def refuse_archive(archive: zipfile.ZipFile) -> str:
    parts = archive.infolist()
    if len(parts) > MOST_PARTS:
        return f"it has {len(parts)} parts"
    if CONTENT_TYPES not in archive.namelist():
        return "it lacks the list of its parts, so it is no office document"
    if sum(part.file_size for part in parts) > MOST_BYTES:
        return "it unpacks to more than 512 MB"
    for part in parts:
        if part.file_size > RATIO_FROM_BYTES and part.file_size > MOST_RATIO * max(1, part.compress_size):
            return f"its part {part.filename} unpacks to {part.file_size // max(1, part.compress_size)} times its size"
        if part.filename.endswith(".xml") and part.file_size > MOST_XML_BYTES:
            return f"its part {part.filename} has {part.file_size >> 20} MB of XML"
        if part.filename.endswith((".xml", ".rels")) and DECLARATION.search(archive.read(part)):
            return f"its part {part.filename} declares entities"
    return ""


def has_macros(archive: zipfile.ZipFile) -> bool:
    """Whether it brings a program, in Basic or on a sheet of macros: by the kind of a part or by its name."""
    return bool(MACRO_TYPE.search(archive.read(CONTENT_TYPES) + "\n".join(archive.namelist()).encode()))


def list_outer_links(archive: zipfile.ZipFile) -> list[str]:
    """Where the file leads to other files for values: by relations and, as with macros, by the names of parts."""
    found = [name for name in archive.namelist() if "/externalLinks/" in name and name.endswith(".xml")]
    for name in archive.namelist():
        for relation in ElementTree.fromstring(archive.read(name)) if name.endswith(".rels") else ():
            kind, target = relation.get("Type", ""), relation.get("Target", "")
            outside = kind.endswith(OUTER_TYPES[0]) or relation.get("TargetMode") == "External"
            if outside and kind.endswith(OUTER_TYPES):
                found.append(target)
    return found
