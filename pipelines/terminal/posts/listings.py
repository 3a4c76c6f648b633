"""Listings of files in a post: what `ls`, `find` or `tree` printed, paths one below the other, and drawn trees."""

from __future__ import annotations

import re

from pipelines.terminal.posts.transcripts import ELLIPSIS, Piece

LISTS = re.compile(r"^\s*(?:ls|find|tree|git ls-files)\b[^|>]*$")  # matches: ls -R
PATH_LINE = re.compile(r"[\w.-]+(?:/[\w. -]+)*/?")  # matches: project/src/main.c
SPEAKS_OF_FILES = re.compile(
    r"\b(?:files?|folders?|director(?:y|ies)|tree|find|ls|currently|looks? like)\b", re.IGNORECASE
)
# matches: My project folder looks like this
BRANCH = re.compile(r"[├└│]|[|`+]--")  # matches: ├── a.txt   |-- a.txt
TREE_LINE = re.compile(r"(?P<lead>(?:[\s│├└─┬]|[|`+-](?=[\s│├└─|`+-]))*)(?P<name>\S.*)")
# matches: │   ├── a.txt   |-- a.txt   two blanks before a.txt
TREE_NAME = re.compile(r"/?(?P<name>[\w.-]+)\*?(?P<slash>/?)\*?(?:\s*(?:->|-->|\(|#|<-).*)?\s*")
# matches: src/   link -> a   a.txt (old)
COUNT = re.compile(r"\d+ director(?:y|ies)(?:, \d+ files?)?")  # matches: 3 directories, 4 files


def list_paths(text: str, prose: str, pieces: list[Piece]) -> list[str]:
    """The files of a listing: what a command printed, a drawn tree, or lines that are paths below prose that speaks of
    files."""
    if [piece.kind for piece in pieces] == ["command", "output"] and LISTS.match(pieces[0].text):
        return read_tree(pieces[1].text) or _listed_names(pieces[1].text)
    lines = [line.strip().removeprefix("./") for line in text.splitlines() if line.strip()]
    are_paths = (
        len(lines) > 1 and all(PATH_LINE.fullmatch(line) for line in lines) and any("/" in line for line in lines)
    )
    if not SPEAKS_OF_FILES.search(prose):
        return read_tree(text) if BRANCH.search(text) else []
    return read_tree(text) or ([line for line in lines if not line.endswith("/")] if are_paths else [])


def read_tree(text: str) -> list[str]:
    """The files of a tree that is drawn with branches, or with folders that end in a slash and have their files further
    to the right; none where a text is no tree."""
    lines = [line for line in text.splitlines() if line.strip() and not COUNT.fullmatch(line.strip())]
    rows = [match for line in lines if not ELLIPSIS.match(line) and (match := TREE_LINE.fullmatch(line))]
    names = [name for row in rows if (name := TREE_NAME.fullmatch(row["name"]))]
    depths = [len(row["lead"]) for row in rows]
    is_drawn = len(names) == len(rows) and (bool(BRANCH.search(text)) or any(name["slash"] for name in names))
    if len(rows) < 2 or not is_drawn or len(set(depths)) < 2 or depths[0] != min(depths):
        return []
    above: list[tuple[int, str]] = []
    paths: list[str] = []
    for place, (name, depth) in enumerate(zip(names, depths, strict=True)):
        above = [each for each in above if each[0] < depth]
        has_more = place + 1 < len(depths) and depths[place + 1] > depth
        if name["slash"] or has_more:
            above.append((depth, name["name"]))
        else:
            paths.append("/".join([*(folder for _, folder in above if folder not in (".", "..")), name["name"]]))
    return paths


def _listed_names(output: str) -> list[str]:
    """The files that `ls` or `ls -R` printed; a name without an ending that has a part of its own is a folder."""
    folder, names = "", []
    for line in output.splitlines():
        if line.endswith(":"):
            folder = line[:-1].removeprefix(".").lstrip("/") + "/"
            folder = "" if folder == "/" else folder
        elif not ELLIPSIS.match(line):
            names += [f"{folder}{name}" for name in re.split(r"\s{2,}|\t|\s(?=\S+\.\w+)", line.strip()) if "." in name]
    return names
