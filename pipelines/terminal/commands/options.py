"""The options of commands, each with what it says of the result, as `values.toml` has it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from crucible.datafile import read_rows
from crucible.record import Record
from pipelines.terminal.commands.shell import Called, read_script, without_comments

TABLE = Path(__file__).with_name("values.toml")
HARMLESS = frozenset({"-q", "--quiet", "--no-pager", "--no-edit", "--no-color", "-f", "--force", "--", "-C", "-p"})
"""Options of git that change nothing of what is compared, or that another sentence implies."""


class Option(Record):
    """What an option of a command says of its result."""

    commands: tuple[str, ...]
    names: tuple[str, ...]
    takes_value: bool = False
    value: str = ""
    """The only value that it is said of; empty: whatever value it has."""
    says: str
    is_range: bool = False
    """Whether its value is a list of numbers and ranges: `1,3-5`."""
    must_matter: bool = False
    """What it says would mislead where it makes no difference: an order that all lines are in anyway."""


def given_options(call: Called) -> Iterator[tuple[Option, str]]:
    """The options of a call that are described, each with its value; an empty one for an option without value."""
    for option in _options():
        if {call.name, " ".join((call.name, *call.arguments[:1]))} & set(option.commands):
            for value in _option_values(call, option):
                if not option.value or value == option.value:
                    yield option, value


def without_each_option(script: str) -> Iterator[str]:
    """The script with each option left out in turn of which what is told has to make a difference."""
    for call in read_script(without_comments(script)).calls:
        for option, value in given_options(call):
            for name in option.names if option.must_matter else ():
                yield from _drop_option(script, call, name, value)


def _drop_option(script: str, call: Called, name: str, value: str) -> Iterator[str]:
    """The script without an option of a call, as a word of its own, with its value, or within a group of letters."""
    ending = rf"(?:[= ]?[\"']?{re.escape(value)}[\"']?)" if value else ""
    head = rf"(\b{re.escape(call.name)}\b[^|;\n]*?)"
    alone = re.sub(rf"{head}\s{re.escape(name)}{ending}(?=\s|$)", r"\1", script, count=1)
    if alone != script:
        yield alone
    elif len(name) == 2 and not value:
        grouped = re.sub(
            rf"{head}(\s-[A-Za-z]*){name[1]}([A-Za-z]+|(?<=[A-Za-z]{name[1]}))(?=\s|$)", r"\1\2\3", script, count=1
        )
        if grouped != script:
            yield grouped


def undescribed_options(script: str) -> list[str]:
    """Options of git that nothing here describes: what they do cannot be told."""
    return [
        word
        for call in read_script(without_comments(script)).calls
        if call.name == "git"
        for word in call.arguments
        if re.match(r"--?[A-Za-z]", word) and word.partition("=")[0] not in HARMLESS and not _is_described(call, word)
    ]


def _is_described(call: Called, word: str) -> bool:
    options = [option for option in _options() if " ".join(("git", *call.arguments[:1])) in option.commands]
    letters = word[1:] if re.fullmatch(r"-[A-Za-z]+", word) else ""
    names = {name for option in options for name in option.names}
    return word.partition("=")[0] in names or (bool(letters) and all(f"-{letter}" in names for letter in letters))


def _option_values(call: Called, option: Option) -> Iterator[str]:
    """The values that an option is given in a call; an empty one for an option without value."""
    words = call.arguments
    for place, word in enumerate(words):
        for name in option.names:
            is_long = name.startswith("--") or len(name) > 2
            if option.takes_value:
                ends_with_it = not is_long and re.fullmatch(rf"-{_flags(call)}{name[1]}", word)
                if (word == name or ends_with_it) and place + 1 < len(words):
                    yield unquote_word(words[place + 1])
                elif is_long and word.startswith(f"{name}="):
                    yield unquote_word(word.removeprefix(f"{name}="))
                elif not is_long and (joined := re.fullmatch(rf"-{_flags(call)}{name[1]}(.+)", word)):
                    yield unquote_word(joined[1])
            elif word == name or (
                not is_long and re.fullmatch(rf"-[A-Za-z]*{name[1]}[A-Za-z]*{_joined_value(call)}", word)
            ):
                yield ""


def _flags(call: Called) -> str:
    """The pattern of flags that may stand before an option in the same word: `-sd,` of `paste`."""
    return "[a-z]*?" if call.name in ("paste", "sort", "cut", "grep", "git") else ""


def _joined_value(call: Called) -> str:
    """The pattern of a value that may stand behind flags in the same word: `-nk2` of `sort`."""
    return r"(?:k[\d.,]+)?" if call.name == "sort" else ""


def unquote_word(word: str) -> str:
    """A word of the shell without the quotes around it."""
    return word[1:-1] if len(word) > 1 and word[0] == word[-1] and word[0] in "'\"" else word


@cache
def _options() -> tuple[Option, ...]:
    return read_rows(TABLE, "option", Option)
