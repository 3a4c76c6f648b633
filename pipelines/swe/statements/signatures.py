"""What a patch adds to source files for others to use: functions, types, fields and constants, by their heads. Pure.

Only the head of a definition is read, never what it does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from pipelines.swe.statements.patch_files import PatchFile

IDENTIFIER = re.compile(r"[A-Za-z_$][\w$]*[?!]?")
# matches: halve_it  $scope  empty?
INTERFACE_METHOD = re.compile(r"\t(\w+)\([^()]*\).*")
# matches a method that an interface of Go's asks for: \tStart(of int)
RETURN_TYPE = re.compile(r"\s*(?:->|:)\s*[^{=:;]+|\s+(?!=)[\w.*\[\]()]+(?=\s*\{)|\s*\([^(){}]*\)(?=\s*\{)")
# matches what follows the bracket in: f(n) -> float:    f(n): number {    f(n) (int, error) {
DEFAULT_VALUE = re.compile(r"=\s*[^,)]+")
# matches in the brackets of f(keep_sign=True): =True
SPACE_BEFORE_BRACKET = re.compile(r",?\s+\)")
# matches what a signature over several lines ends with, joined: , )
SIGNATURE_CHARS = 300
"""A signature is cut to this length."""
SIGNATURE_LINES = 20
"""The bracket of a signature is looked for in this many lines."""


class Signature(NamedTuple):
    """One definition that a patch adds."""

    name: str
    parameters: tuple[str, ...]
    """The words of its parameters: names and types."""
    head: str
    """The definition up to its body, on one line; a field of a Go type after the type's name: `Half: Whole bool`."""


def added_signatures(files: Sequence[PatchFile]) -> Iterator[Signature]:
    """The definitions in the lines that a patch adds to source files."""
    sources = [file for file in files if file.sort == "source"]
    owners = {(file.path, line): owner for file in sources for line, owner in _find_owners(file).items()}
    lines = [(file, line) for file in sources for line in file.added]
    for place, (file, line) in enumerate(lines):
        definition = file.language.find_signature(line) if file.language else None
        owner = owners.get((file.path, line))
        if owner and (method := INTERFACE_METHOD.fullmatch(line)):
            yield Signature(method[1], (), f"{owner}: {line.strip()}"[:SIGNATURE_CHARS])
        if not definition:
            continue
        name = definition["name"]
        if definition.groupdict().get("inside") is None:
            prefix = f"{owner}: " if owner else ""
            yield Signature(name, (), prefix + line.strip().rstrip(":{ =")[:SIGNATURE_CHARS])
            continue
        following = lines[place + 1 : place + SIGNATURE_LINES]
        head = _join_head(line, name, [later for other, later in following if other.path == file.path])
        inside = head.partition(name)[2].partition("(")[2]
        parameters = tuple(dict.fromkeys(IDENTIFIER.findall(DEFAULT_VALUE.sub("", inside))))
        yield Signature(name, parameters, head)


def _find_owners(file: PatchFile) -> dict[str, str]:
    """The types whose members the added lines of a file are, by line, in languages where a member does not say it."""
    owners: dict[str, str] = {}
    if not file.language or not file.language.owner:
        return owners
    owner = ""
    for line in file.lines:
        # The heading of a hunk tells the type that its lines are in: `@@ -1,2 +1,3 @@ type Half struct {`
        opened = re.search(file.language.owner, line.rpartition("@@")[2].lstrip("+ "))
        if line[1:2] == "}" or line.startswith("@@") or opened:
            owner = opened[1] if opened else ""
        elif owner and line.startswith("+"):
            owners[line[1:]] = owner
    return owners


def _join_head(line: str, name: str, following: Sequence[str]) -> str:
    """A signature up to the bracket that closes it, and what it returns; never what it does. A receiver before the
    name has brackets of its own."""
    text, rest = line.strip(), list(following)
    while text.count("(") > text.count(")") and rest:
        text += " " + rest.pop(0).strip()
    text = SPACE_BEFORE_BRACKET.sub(")", text.replace("( ", "("))
    depth, start = 0, text.index(name)
    for place, sign in islice(enumerate(text), start, None):
        depth += (sign in "([") - (sign in ")]")
        if sign == ")" and depth == 0:
            returned = RETURN_TYPE.match(text[place + 1 :])
            return (text[: place + 1] + (returned[0].rstrip() if returned else ""))[:SIGNATURE_CHARS]
    return text.rstrip(":{ =")[:SIGNATURE_CHARS]
