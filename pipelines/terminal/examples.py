"""What a question shows: the content of its files, and what is expected of them."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

from pipelines.terminal.bodies import Block, read_blocks
from pipelines.terminal.shell import read_script
from pipelines.terminal.transcripts import Piece, read_code

FILE_NAME = re.compile(r"(?<![\w/.-])([\w-][\w.-]*\.[A-Za-z][A-Za-z0-9]{0,5})(?![\w/-])")  # matches: data.csv
CAT = re.compile(r"^\s*(?:cat|head|less|more)\s+(?:-\S+\s+)*([\w./-]+)\s*$")  # matches: cat data.csv
EXPECTED = re.compile(
    r"\b(?:outputs?|results?|want|wanted|expect|expected|desired|should (?:be|look|become|get|print)|would like|to get|"
    r"into this|looks? like this after|becomes?|i need|need to get|should say|afterwards)\b",
    re.IGNORECASE,
)
# matches: the desired output is
GIVEN = re.compile(r"\b(?:try|test|example|reproduce|case|set ?up|create)\b", re.IGNORECASE)  # matches: to try it out
TRIED = re.compile(
    r"\b(?:tried|trying|attempt|attempted|using|used|my (?:script|code|command)|so far|this works|gives|error)\b",
    re.IGNORECASE,
)
# matches: I tried this


MAKERS = frozenset(
    {"cat", "cd", "chmod", "cp", "dd", "echo", "gzip", "head", "ln", "mkdir", "mv", "printf", "rm", "seq", "sha256sum"}
    | {"sleep", "sort", "sqlite3", "tar", "tee", "touch", "tr", "truncate", "yes", "zip", "true", "for", "git"}
)
"""Commands that make files to try things on."""


class Shown(NamedTuple):
    """What a question shows."""

    files: dict[str, str]
    """Contents by the names of the files; the empty name: a file whose name is not told."""
    expected: str
    """What is wanted, where it is shown; else empty."""
    setup: str = ""
    """Commands that make the files to try things on."""


def read_shown(body: str, written: frozenset[str] = frozenset()) -> Shown:
    """The files and the expected result that a question's blocks of code show, by the prose before each. What the
    answer has `written` is a result, not an input."""
    files: dict[str, str] = {}
    expected = setup = prose = ""
    for block in read_blocks(body):
        if block.kind != "code":
            prose = block.text
            continue
        pieces = read_code(block.text)
        files |= {name: text for name, text in _printed_files(pieces) if name not in files}
        if [piece.kind for piece in pieces] == ["content"]:
            name = _name_in(prose)
            if name in written or _asks_for_result(prose, bool(files or setup)):
                expected = expected or block.text
            elif not TRIED.search(_last_sentence(prose)) and name not in files:
                files[name] = block.text
        elif not setup and _makes_files(pieces, prose):
            setup = "\n".join(piece.text for piece in pieces if piece.kind == "command")
        prose = ""
    return Shown(files, expected, setup)


def _asks_for_result(prose: str, has_input: bool) -> bool:
    return has_input and bool(EXPECTED.search(_last_sentence(prose)))


def _makes_files(pieces: list[Piece], prose: str) -> bool:
    """Whether a block of commands only makes files to try things on."""
    if TRIED.search(_last_sentence(prose)) and not GIVEN.search(prose):
        return False
    script = read_script("\n".join(piece.text for piece in pieces if piece.kind == "command"))
    makes = any(call.name in ("mkdir", "touch", "printf", "echo", "git", "seq", "head") for call in script.calls)
    return (
        makes and all(call.name in MAKERS for call in script.calls) and (">" in script.text or "touch" in script.text)
    )


def _printed_files(pieces: list[Piece]) -> list[tuple[str, str]]:
    """Files that somebody printed in a session."""
    return [
        (match[1].removeprefix("./"), output.text)
        for command, output in pairwise(pieces)
        if command.kind == "command" and output.kind == "output" and (match := CAT.match(command.text))
    ]


def _name_in(prose: str) -> str:
    """The file that the prose before a block names; empty: none."""
    names = FILE_NAME.findall(_last_sentence(prose)) or FILE_NAME.findall(prose)
    return names[-1] if names else ""


def _last_sentence(prose: str) -> str:
    return re.split(r"(?<=[.!?])\s+", prose.strip())[-1]


def block_roles(body: str) -> list[tuple[Block, bool]]:
    """A question's blocks, each with whether it shows what somebody has tried: commands, and what they printed."""
    prose = ""
    roles = []
    for block in read_blocks(body):
        if block.kind != "code":
            prose = block.text
            roles.append((block, False))
        else:
            typed = any(piece.kind == "command" for piece in read_code(block.text))
            roles.append((block, typed or bool(TRIED.search(_last_sentence(prose)))))
    return roles
