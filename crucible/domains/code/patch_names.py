"""Names in a git patch that hold ` b/`, escaped so that a parser finds where they end.

The first line of a file's diff has both of its names, `diff --git a/NAME b/NAME`, and nothing tells where the first
one ends.
"""

from __future__ import annotations

import re

AMBIGUOUS = " b/"
"""What stands between the two names in the first line of a file's diff, and may stand within a name, too."""
ESCAPED = r"\040b/"
"""The same within a quoted name, as git reads it: the library that parses patches then finds where a name ends."""
HEADER = re.compile(r"^diff --git \S+ b/\S+$", re.MULTILINE)
# matches: diff --git a/shelf.py b/shelf.py


def escape_names(patch: str) -> str:
    """The patch with names that hold ` b/` quoted and escaped in the lines above each file's hunks; all else as it is.
    Only files that keep their name: of a renamed one, the first line alone does not tell the names apart."""
    if patch.count(AMBIGUOUS) == len(HEADER.findall(patch)):
        return patch
    lines: list[str] = []
    name = ""
    for line in patch.split("\n"):
        if line.startswith("diff --git "):
            name = _ambiguous_name(line.removeprefix("diff --git "))
        elif line.startswith("@@ "):
            name = ""
        lines.append(_escape_header(line, name) if name else line)
    return "\n".join(lines)


def _ambiguous_name(names: str) -> str:
    """The name of a file that is not renamed, without `b/` and quotes, if it holds ` b/`; else empty."""
    quote = '"' if names.startswith('"') else ""
    half = len(names) // 2
    source, target = names[:half], names[half + 1 :]
    before = len(quote) + len("a/")
    is_same = source.startswith(f"{quote}a/") and target == f"{quote}b/{source[before:]}"
    return source[before : half - len(quote)] if is_same and AMBIGUOUS in source[before:] else ""


def _escape_header(line: str, name: str) -> str:
    """A line above the hunks, with the name in it quoted and escaped, whichever way git wrote it."""
    escaped = name.replace(AMBIGUOUS, ESCAPED)
    for side in ("a/", "b/"):
        for written in (f'"{side}{name}"', f"{side}{name}"):
            if written in line:
                line = line.replace(written, f'"{side}{escaped}"', 1)
                break
    return line


def unescape_name(path: str) -> str:
    """The name that `escape_names` has escaped, as it was."""
    if ESCAPED not in path:
        return path
    return path.strip('"').removeprefix("b/").removeprefix("a/").replace(ESCAPED, AMBIGUOUS)
