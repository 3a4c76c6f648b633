"""What commands do that need more than a sentence of the table: one function each, by the command's name."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from pipelines.terminal.accounts.listings import (
    tell_cat,
    tell_echo,
    tell_find,
    tell_ls,
    tell_tar,
    tell_wc,
    turn_types,
)
from pipelines.terminal.accounts.naming import has_option, operands_of
from pipelines.terminal.accounts.programs import tell_sought
from pipelines.terminal.commands.options import given_options
from pipelines.terminal.commands.shell import Called
from pipelines.terminal.commands.sought import GREPS

HASHES = {"md5sum": "MD5", "sha1sum": "SHA-1", "sha256sum": "SHA-256", "sha512sum": "SHA-512"}
COMMON = {
    "-12": "Lines that both files have are given.",
    "-23": "Lines that only the first file has are given.",
    "-13": "Lines that only the second file has are given.",
}


class Use(NamedTuple):
    """A call, what its options say, and where it stands."""

    call: Called
    facts: list[str]
    tested: tuple[str, ...]
    """Options that need no sentence; of `find` the tests that have one."""
    reads_pipe: bool
    is_given: bool
    """Whether what it gives is printed."""


class Told(NamedTuple):
    """Sentences of the command's own, the facts that are told beside them, and what no sentence tells."""

    own: list[str]
    facts: list[str]
    untold: list[str]


Teller = Callable[[Use], Told | None]
"""None: the sentence of the table does."""


def _tell_grep(use: Use) -> Told:
    facts, untold = tell_sought(use.call, use.facts)
    return Told([], facts, untold)


def _tell_find(use: Use) -> Told:
    (first, *others), untold = tell_find(use.call, use.tested)
    facts = turn_types(use.call, use.facts)
    return Told([first, *facts, *others], facts, untold)


def _tell_wc(use: Use) -> Told:
    own = tell_wc(use.call, use.reads_pipe)
    return Told(own, [], [] if own else ["what is counted"])


def _tell_tr(use: Use) -> Told:
    sets = operands_of(use.call)
    untold = [word for word in sets if re.search(r"\\[^nt\\r]|\[.+\*\]", word)]
    untold += [word for word in sets if len(sets) > 1 and "\\" in word and len(word) > 2]
    return Told([], use.facts, untold)


def _tell_end(use: Use) -> Told:
    files = [word for word in operands_of(use.call) if not re.fullmatch(r"[+-]?\d+", word)]
    is_many = len(files) > 1 or any("*" in word or word == "{}" for word in files)
    untold = ["what stands between files"] if is_many and not has_option(use.call, "-q") else []
    return Told([], use.facts, untold)


def _tell_comm(use: Use) -> Told:
    own = [COMMON[word] for word in use.call.arguments if word in COMMON]
    return Told(own, use.facts, [] if own else ["which lines are given"])


def _tell_paste(use: Use) -> Told | None:
    if "-" not in use.call.arguments or has_option(use.call, "-s"):
        return None
    joined = (
        f"Every `{use.call.arguments.count('-')}` lines that follow each other are joined to one; where lines are "
        "missing at the end, what parts them stands there all the same."
    )
    return Told([joined], use.facts, [])


def _tell_echo(use: Use) -> Told:
    own, untold = tell_echo(use.call)
    return Told(own, [] if own else use.facts, untold)


def _tell_tar(use: Use) -> Told:
    own, untold = tell_tar(use.call)
    return Told(own, use.facts, untold)


def _tell_ls(use: Use) -> Told:
    own, untold = tell_ls(use.call)
    return Told(own, use.facts, untold)


def _tell_hash(use: Use) -> Told | None:
    if not use.reads_pipe or operands_of(use.call):
        return None
    return Told([f"Of all that the {HASHES[use.call.name]} hash is given, then two blanks and `-`."], use.facts, [])


def _tell_cat(use: Use) -> Told:
    return Told(tell_cat(use.call, use.is_given), use.facts, [])


def _tell_sort(use: Use) -> Told:
    is_plain = not any(fact.startswith(("Lines are put", "What decides", "Sizes", "Numbers")) for fact in use.facts)
    own = ["Lines are sorted by their characters."] if is_plain else []
    own += [fact for fact in use.facts if fact.startswith("Lines are put")]
    has_key = any("-k" in option.names for option, _ in given_options(use.call))
    if has_key and not any(fact.startswith("The fields of a line") for fact in use.facts):
        own.append("The fields of a line are parted by blanks.")
    return Told(own, use.facts, [])


TELLERS: dict[str, Teller] = {
    **dict.fromkeys(GREPS, _tell_grep),
    **dict.fromkeys(HASHES, _tell_hash),
    **dict.fromkeys(("head", "tail"), _tell_end),
    **dict.fromkeys(("echo", "printf"), _tell_echo),
    "cat": _tell_cat,
    "comm": _tell_comm,
    "find": _tell_find,
    "ls": _tell_ls,
    "paste": _tell_paste,
    "sort": _tell_sort,
    "tar": _tell_tar,
    "tr": _tell_tr,
    "wc": _tell_wc,
}
