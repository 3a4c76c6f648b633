"""Words and options of a command: what it is given, by the names that a reader understands."""

from __future__ import annotations

import re

from pipelines.terminal.accounts.words import tell_word
from pipelines.terminal.commands.options import given_options, unquote_word
from pipelines.terminal.commands.shell import Called

AWKS = ("awk", "gawk", "mawk")


def name_word(word: str) -> str | None:
    """A word that a command is given."""
    if word == "{}":
        return "each of these"
    if word == ".":
        return "the folder itself"
    if re.search(r"\{\d+\.\.\d+\}.|.\{\d+\.\.\d+\}", word) or word == "":
        return None
    if word == "-":
        return "what it is given"
    if "{}" in word:
        return f"`{word}` (`{{}}` stands for each of these)"
    if "$" in word:
        told = tell_word(word)
        return f"({told})" if told and ", then " in told else told
    if re.search(r"\{[^}]*\{", word):
        return None
    return name_glob(word)


def expand_braces(word: str) -> list[str]:
    """The words that a word with one pair of braces stands for."""
    braces = re.fullmatch(r"([^{}]*)\{([^{}]*,[^{}]*)\}([^{}]*)", word)
    return [f"{braces[1]}{part}{braces[3]}" for part in braces[2].split(",")] if braces else [word]


def name_glob(word: str) -> str:
    """A word, or what it matches where it is a pattern."""
    word = unquote_word(word).replace('"', "").replace("'", "").replace("\\ ", " ")
    if word in ("*", "./*"):
        return "all that lies in the folder itself, but for names that begin with a dot"
    if word in ("*/", "./*/"):
        return "the folders that lie in the folder, each with `/` behind its name"
    if numbers := re.fullmatch(r"\{(\d+)\.\.(\d+)\}", word):
        return f"the numbers `{numbers[1]}` to `{numbers[2]}`"
    if len(parts := expand_braces(word)) > 1:
        return join_words([name_glob(part) for part in parts])
    return f"what matches `{word}`" if re.search(r"[*?]|\[[^\]]+\]", word) else f"`{word}`"


def list_words(words: list[str]) -> str:
    return join_words([f"`{unquote_word(word)}`" for word in words])


def join_words(words: list[str]) -> str:
    return " and ".join(words)


def operands_of(call: Called) -> list[str]:
    """The words of a call that are neither options nor the values of those that are described."""
    taken = {value for option, value in given_options(call) if option.takes_value}
    befores = ("", *call.arguments)
    return [
        word
        for before, word in zip(befores, call.arguments, strict=False)
        if (not word.startswith("-") or (word == "-" and call.name != "cat") or before == "--")
        and not (before.startswith("-") and unquote_word(word) in taken)
        and not (call.name in AWKS and before == "-v")
    ]


def has_option(call: Called, option: str) -> bool:
    if option.startswith("--") or len(option) > 2:
        return any(word.partition("=")[0] == option for word in call.arguments)
    return any(re.fullmatch(rf"-[A-Za-z]*{re.escape(option[1:])}[A-Za-z]*", word) for word in call.arguments)
