"""The scripts of a `package.json` as the words of the commands they run, with scripts that call scripts resolved."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Mapping, Sequence

CALL = re.compile(r"^(?:npm|pnpm|yarn)(?:\s+-\S+)*\s+(?:run\s+|run-script\s+)?(?:-\S+\s+)*([\w:.-]+)")
# matches: npm run -s test:unit  yarn lint  pnpm -r run build
CALL_OF_SEVERAL = re.compile(r"^(?:npm-run-all|run-s|run-p|pnpm(?:\s+-\S+)*\s+run(?=.*\s[\"']?/))\s+(.*)")
# matches: run-s lint test:*  pnpm run /^test:/
SEPARATOR = re.compile(r"&&|\|\||;|\n")
# matches: &&  ||
QUOTE = re.compile("['\"]")
# matches: '  "
ASSIGNMENT = re.compile(r"^[A-Za-z_]\w*=")
# matches the beginning of: NODE_ENV=test
MANAGERS = ("npm", "pnpm", "yarn")
"""Programs that run the scripts of a package."""
DEEPEST = 8
"""Scripts that call scripts are followed so far down."""


def resolve_script(
    scripts: Mapping[str, object], name: str, wrappers: Collection[str], above: tuple[str, ...] = ()
) -> list[list[str]]:
    """The words of each command that a script runs, with those of its `pre` script, in order. `wrappers` are programs
    that only start another one; `above` are the scripts that led here: a circle ends where it began."""
    if name in above or len(above) > DEEPEST:
        return []
    commands: list[list[str]] = []
    for script in (f"pre{name}", name):
        text = scripts.get(script)
        for part in SEPARATOR.split(text) if isinstance(text, str) else ():
            commands += _resolve_command(part.strip(), scripts, wrappers, (*above, name))
    return commands


def _resolve_command(
    command: str, scripts: Mapping[str, object], wrappers: Collection[str], above: tuple[str, ...]
) -> list[list[str]]:
    """The commands that one command of a script comes to. What is wrapped around a call of scripts is wrapped around
    each of their commands."""
    split = command.split()
    _, rest = split_assignments(split, wrappers)
    if len(rest) < len(split) and rest[:1] and rest[0] in MANAGERS:
        around = [QUOTE.sub("", word) for word in split[: len(split) - len(rest)]]
        return [[*around, *words] for words in _resolve_command(" ".join(rest), scripts, wrappers, above)]
    call = CALL.match(command)
    if call and call[1] in scripts:
        inner = resolve_script(scripts, call[1], wrappers, above)
        return inner or [[call[1]]]
    if several := CALL_OF_SEVERAL.match(command):
        names = [name for word in several[1].split() for name in _matching_scripts(word.strip("'\""), scripts)]
        return [words for name in names for words in resolve_script(scripts, name, wrappers, above)]
    try:
        return [words] if (words := shlex.split(command)) else []
    except ValueError:
        return []


def _matching_scripts(pattern: str, scripts: Mapping[str, object]) -> list[str]:
    """The names of the scripts that `test:*`, `/^test:/` or a plain name stands for."""
    if len(pattern) > 2 and pattern[0] == pattern[-1] == "/":
        return [name for name in scripts if _matches_expression(pattern[1:-1], name)]
    if not pattern.endswith("*"):
        return [pattern] if pattern in scripts else []
    return [name for name in scripts if name.startswith(pattern.rstrip("*"))]


def _matches_expression(expression: str, name: str) -> bool:
    """Whether a regular expression matches a name. It is JavaScript's: one that Python cannot read matches nothing."""
    try:
        return bool(re.search(expression, name))
    except re.error:
        return False


def split_assignments(words: Sequence[str], wrappers: Collection[str]) -> tuple[list[str], list[str]]:
    """The variables that are set before a command (`NAME=value`), and the command's own words without the programs and
    options that are wrapped around it."""
    assignments: list[str] = []
    rest = list(words)
    while rest and (ASSIGNMENT.match(rest[0]) or rest[0] in wrappers or rest[0].startswith("-")):
        word = rest.pop(0)
        if ASSIGNMENT.match(word):
            assignments.append(word)
    return assignments, rest


def drop_options(words: Sequence[str], options: Collection[str], with_value: Collection[str]) -> list[str]:
    """The words without these options, without what watches files, and up to a pipe; the options in `with_value` take
    the next word along."""
    remaining: list[str] = []
    skip = False
    for word in words:
        if skip or word in ("|", ">", "2>&1") or word.startswith("--watch"):
            skip = False
        elif word.partition("=")[0] in options:
            skip = word in with_value
        else:
            remaining.append(word)
        if word in ("|", ">"):
            break
    return remaining


def join_command(assignments: Sequence[str], words: Sequence[str], program: str = "") -> str:
    """A shell command: `NAME=value program arguments`. Values and words are quoted; the program stays as it is written,
    so that the shell reads it."""
    pairs = (assignment.partition("=") for assignment in assignments)
    quoted = [f"{name}={shlex.quote(value)}" for name, _, value in pairs]
    return " ".join(filter(None, [*quoted, program, *map(shlex.quote, words)]))
