"""What parts the fields of the lines that commands read."""

from __future__ import annotations

import re

from pipelines.terminal.commands.options import unquote_word
from pipelines.terminal.commands.shell import Called, read_script

PARTED_BY = {"awk": "F", "gawk": "F", "mawk": "F", "cut": "d", "sort": "t"}
"""Commands, each with the option that says what parts fields."""
TABS = ("\\t", "$'\\t'", "\t")


def field_separator(script: str) -> str:
    """The sign that the first command which works on fields says they are parted by; empty: blanks, or none."""
    return next(filter(None, map(_separator_of, read_script(script).calls)), "")


def _separator_of(call: Called) -> str:
    letter = PARTED_BY.get(call.name)
    if letter is None:
        return ""
    words = [unquote_word(word) for word in call.arguments]
    joined = [match[1] for word in words if (match := re.fullmatch(rf"-{letter}(.+)", word))]
    apart = [words[place + 1] for place, word in enumerate(words[:-1]) if word == f"-{letter}"]
    sign = unquote_word([*joined, *apart, ""][0])
    if sign in TABS or (call.name == "cut" and not sign and any(word.startswith("-f") for word in words)):
        return "\t"
    return sign if len(sign) == 1 and not sign.isspace() else ""
