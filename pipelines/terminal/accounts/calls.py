"""What one command does, in sentences, and what of it no sentence tells."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import takewhile
from pathlib import Path

from crucible.datafile import read_rows
from crucible.record import Record
from pipelines.terminal.accounts.naming import AWKS, expand_braces, has_option, join_words, name_word, operands_of
from pipelines.terminal.accounts.programs import is_sed, tell_program
from pipelines.terminal.accounts.tellers import TELLERS, Told, Use
from pipelines.terminal.commands.options import given_options
from pipelines.terminal.commands.shell import WRAPPERS, Called
from pipelines.terminal.commands.values import describe_call

TABLE = Path(__file__).with_name("accounts.toml")
SILENT = frozenset(
    {"cat", "set", "true", ":", "shopt", "export", "mapfile", "nice", "command", "env", "sync", "sleep", "wait"}
)
"""Commands of which nothing need be told."""
SORTED_FILE = re.compile(r"<\((?:sort|ls)(?: -\w+)* \S+\)")  # matches: <(sort a.txt)
RECURSIVE = re.compile(r"(?:^|\s)(?:-\w*[rR]|--recursive)")


class Command(Record):
    """What a command does."""

    names: tuple[str, ...]
    says: str = ""
    alone: str = ""
    """What it does where it is given nothing, and reads what another command gives."""
    least: int = 0
    """The sentence is for so many operands, and more."""
    unless: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()
    never: tuple[str, ...] = ()


def tell_call(call: Called, reads_pipe: bool, is_given: bool) -> tuple[str, list[str]]:
    """What a call does, and what of it is untold. `is_given`: what it gives is printed."""
    if call.name != "find" and any("{}" in word for word in call.arguments):  # what ends a command of `find` is no word
        call = Called(call.name, tuple(word for word in call.arguments if word not in ("\\;", ";", "+")))
    facts = list(dict.fromkeys(fact.sentence for fact in describe_call(call, is_passed_on=False)))
    worked_out = r"`" if call.name in AWKS else r"\$\((?!basename )|`"
    if any(re.search(worked_out, word) for word in call.arguments):
        return "", ["what is worked out"]
    if any(word.startswith((">(", "<(")) for word in call.arguments) and not (
        call.name == "comm" and all(SORTED_FILE.fullmatch(word) for word in call.arguments if word.startswith("<("))
    ):
        return "", ["what comes of other commands"]
    if call.name == "git":
        return _tell_git(call, facts)
    if call.name in AWKS or call.name == "sed" or (call.name == "perl" and is_sed(call)):
        return tell_program(call)
    row = next((each for each in _commands("command") if call.name in each.names), None)
    if row is None:
        return "", [f"what {call.name} does"]
    own, facts, unclear = _tell_use(Use(call, facts, row.silent, reads_pipe, is_given), row)
    untold = [*_untold_options(call, row), *unclear]
    facts = [*facts, *_add_facts(call, facts)]
    told = " ".join(filter(None, [*own, *(fact for fact in facts if fact not in own)]))
    if not told and not untold and call.name not in SILENT:
        untold.append(f"what {call.name} does")
    return told, untold


def _tell_use(use: Use, row: Command) -> Told:
    """What a known command does: by its own function where it has one, or by its sentence in the table."""
    told = TELLERS[use.call.name](use) if use.call.name in TELLERS else None
    if told is not None:
        return told
    if not row.says or any(has_option(use.call, option) for option in row.unless):
        return Told([], use.facts, [])
    sentence = _fill(row, use.call)
    if sentence is None:
        return Told([], use.facts, [f"what {use.call.name} is given"])
    return Told([sentence], use.facts, [])


def _add_facts(call: Called, facts: Sequence[str]) -> Iterator[str]:
    """What holds of a call though nothing in it says so."""
    if call.name == "cut" and any(re.search(r"Fields that it takes[^.]*(?:, | to )", fact) for fact in facts):
        yield "What is taken stays parted so."
    if call.name == "rm" and {"*", "./*"} & set(call.arguments) and not RECURSIVE.search(" ".join(call.arguments)):
        yield "Folders stay."
    if call.name == "paste" and not any(fact.startswith("What is joined") for fact in facts):
        yield "What is joined is parted by a tab."


def _tell_git(call: Called, facts: list[str]) -> tuple[str, list[str]]:
    name = next((word for word in call.arguments if not word.startswith("-")), "")
    row = next((each for each in _commands("git") if name in each.names), None)
    if row is None:
        return "", [f"what git {name} does"]
    rest = Called("git", tuple(word for word in call.arguments if word != name))
    sentence = "" if any(has_option(rest, option) for option in row.unless) else _fill(row, rest) or ""
    told = [fact for fact in facts if not (sentence and fact.startswith("In git's own terms"))]
    is_told = sentence or any(not fact.startswith("In git's own terms") for fact in told)
    return " ".join(filter(None, [sentence, *told])), [] if is_told else [f"what git {name} gives"]


def _untold_options(call: Called, row: Command) -> Iterator[str]:
    """Options of a call that neither change nothing nor are described."""
    if "*" in row.silent or call.name == "find":
        return
    given = [(set(option.names), option.takes_value, value) for option, value in given_options(call)]
    described = {name for names, _, _ in given for name in names}
    words = call.arguments[: call.arguments.index("--")] if "--" in call.arguments else call.arguments
    words = tuple(takewhile(lambda word: word.startswith("-"), words)) if call.name in WRAPPERS else words
    for word in words:
        if not re.match(r"--?[A-Za-z0-9]", word) or word in row.silent or word.partition("=")[0] in row.silent:
            if word in row.never:
                yield word
            continue
        if word in row.never:
            yield word
        elif word.startswith("--"):
            if word.partition("=")[0] not in described:
                yield word
        elif not _is_told(word, described | set(row.silent), given) and not re.fullmatch(r"-\d+", word):
            yield word


def _is_told(word: str, known: set[str], given: list[tuple[set[str], bool, str]]) -> bool:
    """Whether all letters of a word of options are known, but for the value that ends it."""
    letters = word[1:]
    while letters:
        name = f"-{letters[0]}"
        if name not in known:
            return False
        letters = letters[1:]
        if any(name in names and takes_value for names, takes_value, _ in given):
            return True  # the rest is its value
        if re.match(r"[\d+,.'\"]", letters):
            return True
    return True


def _fill(row: Command, call: Called) -> str | None:
    """The sentence of a command with what it is given; None when that cannot be told."""
    operands = [word for word in operands_of(call) if word not in ("\\;", ";", "+")]
    operands = [part for word in operands for part in expand_braces(word)]
    if call.name == "ln" and (operands[-1:] == ["."] or any("*" in word for word in operands)):
        return None
    if "{others}" in row.says and len(operands) < 2:
        return None
    if len(operands) < row.least and not any("*" in word for word in operands):
        return ""
    if "{" not in row.says:
        return row.says
    if not operands:
        return row.alone or None
    told = [name_word(word) for word in operands]
    if any(word is None for word in told):
        return None
    words = [word for word in told if word is not None]
    parts = {
        "operands": join_words(words),
        "first": words[0],
        "last": words[-1],
        "others": join_words(words[:-1] or ["What it is given"]),
        "rest": join_words(words[1:] or ["what it is given"]),
    }
    says = row.says.replace("{operands} is", "{operands} are") if len(words) > 1 else row.says
    sentence = re.sub(r"\{(\w+)\}", lambda hole: parts[hole[1]], says).replace("each of each of", "each of")
    return sentence[0].upper() + sentence[1:]


@cache
def _commands(table: str) -> tuple[Command, ...]:
    return read_rows(TABLE, table, Command)
