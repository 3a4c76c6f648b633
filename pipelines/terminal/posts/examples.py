"""What a question shows: the content of its files, and what is expected of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from pipelines.terminal.commands.shell import is_known, read_script
from pipelines.terminal.posts.bodies import Block, read_blocks
from pipelines.terminal.posts.listings import list_paths
from pipelines.terminal.posts.transcripts import ELLIPSIS, Piece, read_code

FILE_NAME = re.compile(r"(?<![\w/.-])(?!(?i:e\.g|i\.e)\b)([\w-][\w.-]*\.[A-Za-z][A-Za-z0-9]{0,5})(?![\w/-])")
# matches: data.csv, not e.g.
NUMBERED_FILE = re.compile(r"\b[Ff]ile[ _-]?(\d{1,2}|[A-Z])\b")  # matches: file1   File 2   fileA
PROGRAMS = (".sh", ".py", ".c", ".pl", ".mk", "Makefile", ".sql")
"""Ends of names of files that are run: other words would make other programs of them."""
CAT = re.compile(r"^\s*(?:cat|head|less|more)\s+(?:-\S+\s+)*([\w./-]+)\s*$")  # matches: cat data.csv
EXPECTED = re.compile(
    r"\b(?:outputs?|results?|want|wanted|expect|expected|desired|should (?:be|look|become|get|print)|would like|to get|"
    r"into this|looks? like this after|becomes?|i need|need to get|should say|afterwards|i'd like|end up with|"
    r"looking for|(?:turn|convert|change|transform)\b.{0,40}\b(?:to|into))\b",
    re.IGNORECASE,
)
# matches: the desired output is
CALLED_RESULT = re.compile(r"\b(?:expected|desired|wanted|required) (?:output|result)s?\b", re.IGNORECASE)
# matches: the expected output is, which is no input, even where none was shown
LABEL = re.compile(
    r"(?i:(?:sample |my |example |desired |expected |the )*(?:data|input|output|file|result|text)(?: file| data)?) ?:"
)
# matches: Input:   Sample data:
GIVEN = re.compile(
    r"\b(?:try|trying|test|example|reproduce|case|set ?up|create)\b", re.IGNORECASE
)  # matches: to try it out
TRIED = re.compile(
    r"\b(?:tried|trying|attempt|attempted|using|used|my (?:script|code|command)|so far|this works|gives|error)\b",
    re.IGNORECASE,
)
# matches: I tried this


SPEAKS_OF_TABS = re.compile(r"\b(?:tabs?|tsv|tab[- ](?:separated|delimited))\b", re.IGNORECASE)
# matches: two columns separated by tabs
FOLDER_NAME = re.compile(
    r"(?:folder|directory)(?: in that directory)?(?: called| named)? [`'\"]([\w./-]+)[`'\"]|"
    r"[`'\"]([\w./-]+)[`'\"] (?:folder|directory)|`([\w./-]+/)`",
    re.IGNORECASE,
)
# matches: a folder called `store`   the `store` folder   `src/`
FAULT = re.compile(
    r"\b(?:syntax error|command not found|No such file|Permission denied|unexpected token|integer expression expected|"
    r"Too many levels|unary operator|ambiguous redirect|bad substitution|invalid option|(?m:^(?:fatal|error):))\b"
)
# matches: bash: foo: command not found
GOT = re.compile(
    r"\b(?:but|however|currently|actual|current|present)\b.*\b(?:outputs?|results?|prints?|gives?)\b|\bmy output\b|"
    r"\bwhat i get\b|\bi(?:.m| am)? (?:only |just )?(?:get|got|getting)\b|\bcomplains?\b|"
    r"\bit (?:returns|outputs|prints)\b",
    re.IGNORECASE,
)
# matches: But the output is   I only get
WISHED = re.compile(
    r"\b(?:want\w*|need|(?:would|.d) like|so that|such that|should|must|expect\w*|desired|required|final)\b",
    re.IGNORECASE,
)
# matches: I want to get
SYSTEM = re.compile(
    r"--version|/proc/version|\bmy version\b|\benvironment variable\b|\buname\b|\blsb_release\b", re.IGNORECASE
)
# matches: `bash --version` output
LOCAL_ADDRESS = re.compile(r"https?://(?:localhost|127\.0\.0\.1):\d+(?:/[\w./-]*\w)?/?")
# matches: http://localhost:8080/status
MAKERS = frozenset(
    {"cat", "cd", "chmod", "cp", "dd", "echo", "gzip", "head", "ln", "mkdir", "mv", "printf", "rm", "seq", "sha256sum"}
    | {"sleep", "sort", "sqlite3", "tar", "tee", "touch", "tr", "truncate", "yes", "zip", "true", "for", "git"}
)
"""Commands that make files to try things on."""


class Shown(NamedTuple):
    """What a question shows."""

    files: dict[str, str]
    """Contents by the names of the files; a name of blanks, or none: a file whose name is not told."""
    expected: str
    """What is wanted, where it is shown; else empty."""
    setup: str = ""
    """Commands that make the files to try things on."""
    names: tuple[str, ...] = ()
    """Paths of files that are listed, without their contents."""
    folders: tuple[str, ...] = ()
    """Names that the prose calls folders."""
    typed: tuple[str, ...] = ()
    """Commands that it shows, a text for each block and for each piece of code within the prose."""
    addresses: tuple[str, ...] = ()
    """Web addresses of this machine that it speaks of."""


def read_shown(body: str, written: frozenset[str] = frozenset()) -> Shown:
    """The files and the expected result that a question's blocks of code show, by the prose before each. What the
    answer has `written` is a result, not an input."""
    files: dict[str, str] = {}
    expected = setup = prose = ""
    names: list[str] = []
    for block in read_blocks(body):
        if block.kind != "code":
            prose = block.text
            continue
        label, text = _split_label(read_marked_ends(block.text))
        block, prose = block._replace(text=text), label or prose
        pieces = read_code(block.text)
        files |= {name: text for name, text in _printed_files(pieces) if name not in files}
        listed = list_paths(block.text, prose, pieces)
        if listed:
            is_wanted = _asks_for_result(prose, bool(files or setup or names))  # no folder as it is, nor a printed text
            names += [] if is_wanted else listed
        elif block.text.startswith("#!") and (program := _name_in(prose)):
            files.setdefault(program, block.text)
        elif [piece.kind for piece in pieces] == ["content"]:
            name = _name_in(prose) or _bare_name_in(_last_sentence(prose))
            name = "" if name in written and name.endswith(PROGRAMS) else name  # what it is to read or to print
            if FAULT.search(block.text):
                pass  # what went wrong is neither given nor wanted
            elif name in written or _asks_for_result(prose, bool(files or setup)):
                expected = expected or block.text
            elif not TRIED.search(_last_sentence(prose)) and block.text not in files.values():
                files.setdefault(name or _next_unnamed(files), block.text)
        elif _asks_for_result(prose, bool(files or setup)) and _is_wanted_session(pieces):
            expected = expected or pieces[1].text
        elif not setup and _makes_files(pieces, prose):
            setup = "\n".join(piece.text for piece in pieces if piece.kind == "command")
        prose = ""
    return Shown(
        restore_tabs(files, body),
        expected,
        setup,
        tuple(names),
        spoken_folders(body),
        tuple(typed_commands(body)),
        tuple(dict.fromkeys(LOCAL_ADDRESS.findall(" ".join(block.text for block in read_blocks(body))))),
    )


def typed_commands(body: str) -> Iterator[str]:
    """What a question shows as typed: the commands of each block of code, and each piece of code within the prose."""
    for block in read_blocks(body):
        if block.kind != "code":
            yield from re.findall(r"`([^`\n]+)`", block.text)
        elif commands := [piece.text for piece in read_code(block.text) if piece.kind == "command"]:
            yield "\n".join(commands)


def _next_unnamed(files: dict[str, str]) -> str:
    """The name for a further file whose name is not told: as many blanks as there are such files."""
    return " " * sum(not name.strip() for name in files)


def restore_tabs(files: dict[str, str], body: str) -> dict[str, str]:
    """The files with the tabs that a question speaks of, where pasting has made several blanks of each."""
    prose = " ".join(block.text for block in read_blocks(body) if block.kind != "code")
    if not SPEAKS_OF_TABS.search(prose) or any("\t" in text for text in files.values()):
        return files
    return {name: re.sub(r"(?<=\S) {2,}(?=\S)", "\t", text) for name, text in files.items()}


def shows_result(body: str) -> bool:
    """Whether a question shows what it has and what it wants."""
    shown = read_shown(body)
    return bool(shown.expected and shown.files)


def wanted_blocks(body: str) -> list[str]:
    """The blocks of code that a question calls what it wants, whether or not it shows what it has."""
    given = read_shown(body).files.values()
    found, prose = [], ""
    for block in read_blocks(body):
        if block.kind != "code":
            prose = block.text
        elif _asks_for_result(prose, has_input=block.text not in given):
            found.append(block.text)
            prose = ""
    return found


def spoken_folders(body: str) -> tuple[str, ...]:
    """The last parts of the names that a question calls folders."""
    prose = "\n".join(block.text for block in read_blocks(body) if block.kind != "code")
    found = [name for match in FOLDER_NAME.findall(prose) for name in match if name]
    return tuple(dict.fromkeys(name.rstrip("/").rpartition("/")[2] for name in found))


def read_marked_ends(text: str) -> str:
    """The text of a file that was printed by `cat -A`: every line ends with a `$`, and `^M` and `^I` stand for what
    cannot be seen."""
    lines = text.splitlines()
    if not lines or not all(line.endswith("$") for line in lines) or not any("^" in line for line in lines):
        return text
    return "\n".join(line[:-1].replace("^M", "\r").replace("^I", "\t") for line in lines)


def _split_label(text: str) -> tuple[str, str]:
    """The first line of a block where it says what the rest is, as `Input:` does, and the rest; else none, and all."""
    first, _, rest = text.partition("\n")
    is_label = LABEL.fullmatch(first.strip()) is not None and not any(line.endswith(":") for line in rest.splitlines())
    return (first.strip(), rest.lstrip("\n")) if is_label and rest.strip() else ("", text)


def _asks_for_result(prose: str, has_input: bool) -> bool:
    last = _last_sentence(prose)
    return bool(CALLED_RESULT.search(last)) or (
        has_input and bool(EXPECTED.search(last)) and not _tells_of_failure(last)
    )


def _tells_of_failure(sentence: str) -> bool:
    """Whether a sentence leads to what somebody got and did not want."""
    return bool(GOT.search(sentence)) and not WISHED.search(sentence)


def _is_wanted_session(pieces: list[Piece]) -> bool:
    """Whether a session shows what a command is to print that nobody has yet: `cat file | some_command`."""
    if [piece.kind for piece in pieces] != ["command", "output"]:
        return False
    names = [call.name for call in read_script(pieces[0].text).calls]
    return any(not is_known(name) and not name.startswith("$") for name in names)


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
    """Files that somebody printed in a session, without the points that stand for lines left out."""
    return [
        (match[1].removeprefix("./"), "\n".join(line for line in output.text.splitlines() if not ELLIPSIS.match(line)))
        for command, output in pairwise(pieces)
        if command.kind == "command" and output.kind == "output" and (match := CAT.match(command.text))
    ]


def _name_in(prose: str) -> str:
    """The file that the prose before a block names; empty: none."""
    names = FILE_NAME.findall(_last_sentence(prose)) or FILE_NAME.findall(prose)
    return names[-1] if names else ""


def _bare_name_in(sentence: str) -> str:
    """The file without an ending that a sentence names by its number, or alone in code; empty: none, or several."""
    numbers = dict.fromkeys(NUMBERED_FILE.findall(sentence))
    if numbers:
        return f"file{next(iter(numbers))}" if len(numbers) == 1 else ""
    spans = dict.fromkeys(re.findall(r"`([^`\n]+)`", sentence))
    name = next(iter(spans)) if len(spans) == 1 and re.search(r"\bfile\b", sentence, re.IGNORECASE) else ""
    return name if re.fullmatch(r"[A-Za-z][\w-]+", name) and not is_known(name) else ""


def _last_sentence(prose: str) -> str:
    return re.split(r"(?<=[.!?])\s+", prose.strip())[-1]


def answered_files(blocks: Sequence[Block]) -> dict[str, str]:
    """Files whose content an answer shows, by the names that the prose before each has."""
    files: dict[str, str] = {}
    prose = ""
    for block in blocks:
        if block.kind != "code":
            prose = block.text
            continue
        name = "Makefile" if "Makefile" in _last_sentence(prose) else _name_in(_last_sentence(prose))
        if name and _is_file_content(block.text):
            files.setdefault(name, block.text)
        prose = ""
    return files


def _is_file_content(text: str) -> bool:
    return text.startswith("#!") or [piece.kind for piece in read_code(text)] == ["content"]


def block_roles(body: str) -> list[tuple[Block, bool]]:
    """A question's blocks, each with whether it shows what somebody has tried: commands that are there, what they
    printed, and on which system."""
    prose = ""
    roles = []
    for block in read_blocks(body):
        if block.kind != "code":
            prose = block.text
            roles.append((block, False))
        else:
            pieces = read_code(block.text)
            typed = any(piece.kind == "command" for piece in pieces) and not _is_wanted_session(pieces)
            last = _last_sentence(prose)
            is_beside = TRIED.search(last) or SYSTEM.search(last) or FAULT.search(block.text)
            roles.append((block, typed or bool(is_beside) or _tells_of_failure(last)))
    return roles
