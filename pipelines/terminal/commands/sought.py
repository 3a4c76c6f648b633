"""The text that commands look for: files that nobody has shown must have it, or nothing is found in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from pipelines.terminal.commands.pattern_examples import Example, make_example
from pipelines.terminal.commands.reports import unseen_calls
from pipelines.terminal.commands.shell import Called, read_script

AWKS = ("awk", "gawk", "mawk")
GREPS = ("grep", "egrep", "fgrep", "zgrep", "rg")
WITH_PATTERN = re.compile(r"-\w*[ef]|--regexp|--file|-[ABCm]|--include|--exclude(?:-dir)?")
# Options of grep that are followed by a value: -e pattern, -A 3
SUBSTITUTION = re.compile(r"(?:^|[;{\s\d,$/])s([/|#,@!:])((?:\\.|(?!\1).)+)\1")  # matches: s/foo/bar/
ADDRESS = re.compile(r"(?:^|[\s;,{(!])/((?:\\.|[^/\n])+)/")  # matches: /start/,/end/p and $0 ~ /x/ {print}
COMPARED = re.compile(r"[=~]=?\s*\"([\w .-]+)\"")  # matches: $2 == "ok"
FIELD = re.compile(r"\$([2-9])\s*(?:~\s*/(?P<pattern>(?:\\.|[^/\n])+)/|==\s*\"(?P<text>[\w .-]+)\")")
# matches: $3 ~ /snow/   $2 == "ok"
FILLERS = ("ana", "oak", "elm", "ivy", "fir", "ash", "yew", "bay")
"""What stands in the fields before one that is looked at."""
CAPITALS = re.compile(r"\btr\b[^|;\n]*?(?:\[:upper:\]|A-Z)|\btolower\(|\\L|,,\}")  # matches: tr A-Z a-z
REPLACED = re.compile(r"\$\{\w+//?([^/}]+)/")  # matches: ${line//old/new}
LITERAL = re.compile(r"[\w .,:;@%=<>-]+")
"""What stands for itself in a pattern."""


def sought_examples(script: str) -> list[Example]:
    """Texts such as grep, sed, awk and perl look for, in order."""
    unseen = unseen_calls(script)
    calls = [call for call in read_script(script).calls if call not in unseen]
    found = [_example_of(pattern, call) for call in calls for pattern in _patterns_of(call)]
    found = [*(example for call in calls if call.name in AWKS for example in _field_examples(call)), *found]
    found += [Example(_as_literal(pattern)) for pattern in REPLACED.findall(script)]
    found += [Example("Ember QUILL")] if CAPITALS.search(script) else []
    return [each for each in dict.fromkeys(found) if each.text or each.at_end]


def _example_of(pattern: str, call: Called) -> Example:
    if call.name == "fgrep" or _has_flag(call, "F"):
        return Example(pattern)
    is_basic = call.name in ("grep", "sed", "zgrep") and not _has_flag(call, "[EPr]" if call.name == "sed" else "[EP]")
    if call.name in GREPS and _has_flag(call, "x"):
        pattern = f"^{pattern}$"
    return make_example(pattern, is_basic) or Example(_as_literal(pattern))


def _has_flag(call: Called, letter: str) -> bool:
    return any(re.fullmatch(rf"-[A-Za-z]*{letter}[A-Za-z]*", word) for word in call.arguments)


def _patterns_of(call: Called) -> Iterator[str]:
    words = [word for word in call.arguments if not word.startswith("-")]
    if call.name in GREPS:
        for pattern in grep_patterns(call.arguments):
            yield from [pattern] if "(" in pattern else re.split(r"\\?\|", pattern)
    elif call.name in ("sed", "perl"):
        for word in words:
            yield from (match[1] for match in SUBSTITUTION.findall(word))
            yield from ADDRESS.findall(SUBSTITUTION.sub(" ", word))
    elif call.name in AWKS and words:
        yield from (*ADDRESS.findall(words[0]), *COMPARED.findall(words[0]))


def _field_examples(call: Called) -> Iterator[Example]:
    """Lines with what awk looks for in the field in which it looks."""
    for match in FIELD.finditer(" ".join(call.arguments)):
        example = make_example(match["pattern"], is_basic=False) if match["pattern"] else Example(match["text"])
        if example is not None:
            yield Example(" ".join([*FILLERS[: int(match[1]) - 1], example.text]), at_start=True)


def grep_patterns(arguments: tuple[str, ...]) -> Iterator[str]:
    """The patterns that grep is given: what follows `-e`, or the first operand; none where a file holds them."""
    given = [after for word, after in pairwise(arguments) if re.fullmatch(r"-[A-Za-z]*e", word)]
    yield from given
    if not given and not has_pattern_file(arguments):
        yield from grep_operands(arguments)[:1]


def has_pattern_file(arguments: tuple[str, ...]) -> bool:
    """Whether grep reads its patterns from a file."""
    return any(re.fullmatch(r"-[A-Za-z]*f\S*|--file(?:=.*)?", word) for word in arguments)


def pattern_file(arguments: tuple[str, ...]) -> str:
    """The file that grep reads its patterns from, as far as it is named; empty: none, or what a pipe gives."""
    named = [after for word, after in pairwise(arguments) if re.fullmatch(r"-[A-Za-z]*f|--file", word)]
    named += [word.partition("=")[2] for word in arguments if word.startswith("--file=")]
    return next((name for name in named if re.fullmatch(r"[\w./-]*\w[\w./-]*", name)), "")


def grep_operands(arguments: tuple[str, ...]) -> list[str]:
    """The words of grep that are neither options nor their values."""
    if "--" in arguments:  # what stands behind it is no option, however it begins
        return list(arguments[arguments.index("--") + 1 :])
    befores = ("", *arguments)
    return [
        word
        for before, word in zip(befores, arguments, strict=False)
        if not word.startswith("-") and not WITH_PATTERN.fullmatch(before)
    ]


def _as_literal(pattern: str) -> str:
    """The longest part of a pattern that stands for itself: of `^foo.*bar$` it is `foo`."""
    plain = re.sub(r"\\[bBwWsSdD<>(){}+?|]|\[[^\]]*\]|[*+?^$(){}|]", "\0", pattern).replace("\\", "")
    parts = [part for piece in plain.split("\0") for part in LITERAL.findall(piece)]
    return max(parts, key=len, default="").strip(".")
