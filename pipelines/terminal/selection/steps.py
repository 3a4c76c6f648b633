"""Blocks of an answer that follow each other: most blocks are alternatives, but some are told to be the next step."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from pipelines.terminal.commands.shell import read_script, split_statements

NEXT = re.compile(r"^\W*(?:and|then|next|now|finally|afterwards|after that)\b", re.IGNORECASE)
# matches: then hand the addresses to curl
OTHERWISE = re.compile(r"\b(?:or|alternatively|instead|also|another|other|same)\b", re.IGNORECASE)
# matches: or shorter, and the same with sed

SHOWS = re.compile(r"(?:cat|less|more|ls)\s+([\w./-]+)")  # matches: cat file.txt
OR_COMMENT = re.compile(r"^\s*#+\s*(?:(?:or|alternatively|otherwise|versus)\b|case.insensitive)", re.IGNORECASE)
# matches: # or:   # case insensitive:


class Told(NamedTuple):
    """Commands, and the prose that announces them."""

    prose: str
    text: str
    place: int = 0
    """How many blocks of code stand before them."""
    output: str = ""
    """What they are shown to print."""


OPTIONAL = re.compile(r"\S\s+#\s*\(?optional", re.IGNORECASE)  # matches: mv a b # optional
LISTERS = frozenset({"find", "ls", "du", "tree", "grep"})
"""Commands that answers show several times to list several things."""


def first_of_alternatives(text: str) -> str:
    """The first statement of a block whose statements are all given the same, but for options, or all list something by
    the same command, or that are told to be alternatives by comments between them: the same thing several times in
    other words. A block that begins anew, with the very statement it began with, ends there. What only shows a file is
    left out, and so are lines that are called optional."""
    text = "\n".join(line for line in text.splitlines() if not OPTIONAL.search(line)) or text
    statements = split_statements(text)
    if len(statements) > 2 and statements[0] in statements[1:]:
        again = text.index(statements[0], text.index(statements[0]) + len(statements[0]))
        return first_of_alternatives(text[:again])
    shown = [statement for statement in statements if _only_shows(statement, statements)]
    if shown and len(shown) < len(statements):
        for statement in shown:
            text = text.replace(statement, "", 1)
        return first_of_alternatives(text.strip())
    given = {_list_arguments(statement) for statement in statements}
    lists_alike = all(_only_lists(statement) for statement in statements) and len(_command_names(text)) == 1
    is_told = lists_alike or any(OR_COMMENT.match(line) for line in text.splitlines())
    return statements[0] if len(statements) > 1 and (len(given) == 1 or is_told) else text


def _command_names(text: str) -> set[str]:
    return {call.name for call in read_script(text).calls}


def _only_lists(statement: str) -> bool:
    """Whether a statement prints what one command finds, and does nothing else."""
    return _command_names(statement) <= LISTERS and not re.search(r">|-delete\b|-exec", statement)


def _only_shows(statement: str, statements: Sequence[str]) -> bool:
    """Whether a statement shows a file that another one of the block reads or writes."""
    match = SHOWS.fullmatch(statement.strip())
    others = (other for other in statements if other != statement)
    return match is not None and any(re.search(rf"(?<![\w.-]){re.escape(match[1])}(?![\w.-])", o) for o in others)


def _list_arguments(statement: str) -> frozenset[str]:
    """What the commands of a statement are given, without options."""
    words = [word for call in read_script(statement).calls for word in call.arguments if not word.startswith("-")]
    return frozenset(word.strip("\"'").removeprefix("./") for word in words)


def join_steps(blocks: Sequence[Told]) -> list[Told]:
    """The commands with each next step below the one it follows."""
    joined: list[Told] = []
    for block in blocks:
        if joined and NEXT.match(block.prose) and not OTHERWISE.search(block.prose):
            joined[-1] = joined[-1]._replace(text=f"{joined[-1].text}\n{block.text}", output="")
        else:
            joined.append(block)
    return joined
