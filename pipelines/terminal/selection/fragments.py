"""Programs that an answer shows without the command that runs them: a program of awk, an expression of sed, a filter of
jq. Whoever asked knows which command is meant, and has the file."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipelines.terminal.commands.shell import read_script
from pipelines.terminal.model import Thread
from pipelines.terminal.posts.bodies import Block
from pipelines.terminal.posts.examples import read_shown
from pipelines.terminal.posts.transcripts import read_code
from pipelines.terminal.selection.placeholders import DEFAULT_FILE
from pipelines.terminal.selection.steps import Told

LONGEST_PROGRAM = 2000
"""Characters of a program that is looked at."""
ADDRESS = r"(?:\d+|\$|/[^/\n]+/)"  # matches: 3, $ or /x/ before a command of sed
LANGUAGES = {
    "awk": re.compile(r"(?:(?:BEGIN|END|function\b[^{]*|[^{}\n]{0,80})\s*\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}\s*)+"),
    "sed": re.compile(
        rf"(?:{ADDRESS}?(?:,{ADDRESS})?!?(?:s([/|#,@])(?:(?!\1).)+\1(?:(?!\1).)*\1[gipIe\d]*|[dp])[;\n]?\s*)+"
    ),
    "jq": re.compile(
        r"(?:[.\[{(]|(?:map|to_entries|with_entries|keys|reduce|group_by|del|select|paths|add|length)\b).*", re.DOTALL
    ),
}
# match: /x/ { print $2 }   s/a/b/g   .[] | select(.id > 3)
SPEAKS = {
    "awk": re.compile(r"\b(?:print|printf|getline|next|NR|NF)\b|\$\d"),
    "sed": re.compile(r"."),
    "jq": re.compile(r"\.\w|\||\bkeys\b|\blength\b"),
}
"""What a program has at least once, since braces alone are of many languages."""


def complete_programs(thread: Thread, blocks: Sequence[Block]) -> list[Told]:
    """The commands that run the programs which an answer shows alone, on the file of the question; none where the
    question names no such command, or shows no file."""
    files = read_shown(thread.body).files
    language = _asked_language(thread)
    if not files or not language:
        return []
    named = [name for name in files if name.strip()]
    name = named[0] if len(named) == 1 else DEFAULT_FILE
    told: list[Told] = []
    prose = ""
    for block in blocks:
        if block.kind != "code":
            prose = block.text
            continue
        if _is_program(block.text, language) and block.text.strip() not in {text.strip() for text in files.values()}:
            told.append(Told(prose, f"{language} '{block.text.strip()}' {name}", len(told)))
        prose = ""
    return told


def _asked_language(thread: Thread) -> str:
    """The only one of the commands that a question is about; empty: none, or several."""
    words = {*re.findall(r"\w+", thread.title.lower()), *thread.tags}
    named = [language for language in LANGUAGES if language in words]
    return named[0] if len(named) == 1 else ""


def _is_program(text: str, language: str) -> bool:
    """Whether a block that is no shell is a program of this language."""
    program = text.strip()
    return (
        "'" not in program
        and len(program) <= LONGEST_PROGRAM
        and [piece.kind for piece in read_code(text)] == ["content"]
        and LANGUAGES[language].fullmatch(program) is not None
        and SPEAKS[language].search(program) is not None
        and not read_script(f"{language} '{program}' {DEFAULT_FILE}").broken
    )
