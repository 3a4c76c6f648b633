"""A copy of a deck without the layouts that no slide has: `drop_unused_layouts(source, target)`."""

from __future__ import annotations

import posixpath
import zipfile
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

MOST_BYTES = 1 << 27
"""A deck that unpacks to more is not copied."""
MASTER, LAYOUT = "/slideMaster", "/slideLayout"
"""How the types of the relations end that lead to a master or a layout, in either edition of the format."""


def drop_unused_layouts(source: Path, target: Path) -> bool:
    """Write the copy; False where there is nothing to drop, or the file cannot be read so."""
    try:
        with zipfile.ZipFile(source) as deck:
            slim = list_slim_relations(deck) if sum(part.file_size for part in deck.infolist()) < MOST_BYTES else {}
            if not slim:
                return False
            with zipfile.ZipFile(target, "w") as copy:
                for part in deck.infolist():
                    copy.writestr(part.filename, slim.get(part.filename) or deck.read(part))
    except (zipfile.BadZipFile, ElementTree.ParseError, NotImplementedError, RuntimeError, OSError, ValueError):
        return False
    return True


def list_slim_relations(deck: zipfile.ZipFile) -> dict[str, bytes]:
    """The relations of masters, by the name of their part, without those to layouts that only a master leads to. One
    layout stays with each master."""
    relations = {name: ElementTree.fromstring(deck.read(name)) for name in deck.namelist() if name.endswith(".rels")}
    masters = {target for name, root in relations.items() for _, target in list_targets(name, root, MASTER)}
    used = {
        target
        for name, root in relations.items()
        if part_of(name) not in masters
        for _, target in list_targets(name, root, LAYOUT)
    }
    slim = {}
    for name, root in relations.items():
        layouts = list(list_targets(name, root, LAYOUT)) if part_of(name) in masters else []
        unused = [relation for relation, target in layouts if target not in used]
        for relation in unused[len(unused) == len(layouts) :]:
            root.remove(relation)
            slim[name] = ElementTree.tostring(root)
    return slim


def list_targets(name: str, root: ElementTree.Element, kind: str) -> Iterator[tuple[ElementTree.Element, str]]:
    """The relations of one kind, with the name of the part that each leads to."""
    for relation in root:
        if relation.get("Type", "").endswith(kind):
            yield relation, posixpath.normpath(posixpath.join("/", part_of(name), "..", relation.get("Target", "")))


def part_of(name: str) -> str:
    """Whose relations a part has: those of `/ppt/slides/slide1.xml` are in `ppt/slides/_rels/slide1.xml.rels`."""
    folder, file = posixpath.split(name)
    return posixpath.join("/", posixpath.dirname(folder), file.removesuffix(".rels"))
