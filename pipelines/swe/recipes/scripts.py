"""What the scripts of a `package.json` come to: the words of each command, with scripts that call scripts resolved."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Mapping, Sequence

CALLS = re.compile(r"^(?:npm|pnpm|yarn)(?:\s+-\S+)*\s+(?:run\s+|run-script\s+)?(?:-\S+\s+)*([\w:.-]+)")
TOGETHER = re.compile(r"^(?:npm-run-all|run-s|run-p|pnpm(?:\s+-\S+)*\s+run(?=.*\s[\"']?/))\s+(.*)")
MANAGERS = ("npm", "pnpm", "yarn")
SETTING = re.compile(r"^[A-Za-z_]\w*=")


def chain(
    scripts: Mapping[str, object], name: str, wrappers: Collection[str], above: tuple[str, ...] = ()
) -> list[list[str]]:
    """The commands of a script, with those of its `pre` script, in order. A circle ends where it began."""
    if name in above or len(above) > 8:
        return []
    found: list[list[str]] = []
    for script in (f"pre{name}", name):
        text = scripts.get(script)
        for part in re.split(r"&&|\|\||;|\n", text) if isinstance(text, str) else ():
            found += _part(part.strip(), scripts, wrappers, (*above, name))
    return found


def _part(
    part: str, scripts: Mapping[str, object], wrappers: Collection[str], above: tuple[str, ...]
) -> list[list[str]]:
    """One command. What is wrapped around a call of scripts is wrapped around each of their commands."""
    split = part.split()
    _, rest = settings(split, wrappers)
    if len(rest) < len(split) and rest[:1] and rest[0] in MANAGERS:
        around = [re.sub("['\"]", "", word) for word in split[: len(split) - len(rest)]]
        return [[*around, *words] for words in _part(" ".join(rest), scripts, wrappers, above)]
    called = CALLS.match(part)
    together = TOGETHER.match(part)
    if called and called[1] in scripts:
        inner = chain(scripts, called[1], wrappers, above)
        return inner or [[called[1]]]
    if together:
        names = [name for word in together[1].split() for name in _named(word.strip("'\""), scripts)]
        return [words for name in names for words in chain(scripts, name, wrappers, above)]
    try:
        return [words] if (words := shlex.split(part)) else []
    except ValueError:
        return []


def _named(pattern: str, scripts: Mapping[str, object]) -> list[str]:
    """The scripts that `test:*` stands for, or `/^test:/`."""
    if len(pattern) > 2 and pattern[0] == pattern[-1] == "/":
        return [name for name in scripts if _matches(pattern[1:-1], name)]
    if not pattern.endswith("*"):
        return [pattern] if pattern in scripts else []
    return [name for name in scripts if name.startswith(pattern.rstrip("*"))]


def _matches(pattern: str, name: str) -> bool:
    """As another language writes such patterns: what ours does not know matches nothing."""
    try:
        return bool(re.search(pattern, name))
    except re.error:
        return False


def settings(words: Sequence[str], wrappers: Collection[str]) -> tuple[list[str], list[str]]:
    """Variables set before a command, and the command's own words without what is wrapped around it."""
    told: list[str] = []
    rest = list(words)
    while rest and (SETTING.match(rest[0]) or rest[0] in wrappers or rest[0].startswith("-")):
        word = rest.pop(0)
        if SETTING.match(word):
            told.append(word)
    return told, rest


def without(words: Sequence[str], options: Collection[str], taking: Collection[str]) -> list[str]:
    """The words but for these options; some of them take the next word along."""
    kept: list[str] = []
    skip = False
    for word in words:
        if skip or word in ("|", ">", "2>&1") or word.startswith("--watch"):
            skip = False
        elif word.partition("=")[0] in options:
            skip = word in taking
        else:
            kept.append(word)
        if word in ("|", ">"):
            break
    return kept


def joined(told: Sequence[str], words: Sequence[str], program: str = "") -> str:
    """A shell command: `NAME=value program arguments`. The program is the shell's to read as it is written."""
    assigned = [f"{name}={shlex.quote(value)}" for name, _, value in (one.partition("=") for one in told)]
    return " ".join(filter(None, [*assigned, program, *map(shlex.quote, words)]))
