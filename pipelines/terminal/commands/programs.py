"""The values in programs that are given to sed, awk, perl, jq and python as an argument."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from pipelines.terminal.commands.awk_rules import read_condition

SUBSTITUTE = re.compile(r"(?:^|[;{}\s\d,$/!])s([/|#,@!:_])((?:\\.|(?!\1).)*)\1((?:\\.|(?!\1).)*)\1([giIpe\d]*)")
# matches: s/foo/bar/g   4s|a|b|
LINES = re.compile(r"(?:^|[;{\s])(\d+|\$)(?:,(\d+|\$|\+\d+))?!?\s*[dpsqcbai{]")  # matches: 1d   2,5p   $d
EVERY = re.compile(r"(?:^|[;{\s])(\d+)~(\d+)")  # matches: 0~3p
ADDRESS = re.compile(r"(?:^|[\s;,{(!~&|])/(?!dev/)((?:\\.|[^/\n])+)/")
# matches: /start/,/end/p   $0 ~ /x/; not /dev/stdin
RANGE = re.compile(r"(?:^|[\s;{(!])/((?:\\.|[^/\n])+)/,\s*/((?:\\.|[^/\n])+)/")  # matches: /start/,/end/p
STRING = re.compile(r"\"((?:\\.|[^\"\\])*)\"")  # matches: "total: "
FIELD = re.compile(r"\$(\d+)|\$NF\b")  # matches: $2
ASSIGNED = re.compile(r"\$(\d+)\s*=[^=~]")  # matches: $3 = x
ADDED_UP = re.compile(r"\+=\s*\$(\d+)")  # matches: sum += $3
NUMBER = re.compile(r"(?<![\w$.\"])(\d+)(?![\w.\"])")  # matches: the 4 of NR==4
ADDED = re.compile(r"(?:^|[;}\s/\d$])([aic])(?:\\\s*|\s+)(\S[^;]*)$", re.MULTILINE)  # matches: 1i header line
TRANSLATED = re.compile(r"\by/([^/]+)/([^/]+)/")  # matches: y/abc/xyz/
JQ_KEY = re.compile(r"(?<!\$ARGS)(?<!\$ENV)\.([A-Za-z_]\w*)")  # matches: .name, not $ARGS.positional
GLOBAL = re.compile(
    r"\b(g?sub|gensub)\(\s*/((?:\\.|[^/\n])+)/\s*,\s*\"((?:\\.|[^\"\\])*)\"(?:\s*,\s*(?:\"[gG]\"|(\d+)))?"
    r"(\s*,\s*\$?\w+)?"
)
# matches: gsub(/foo/, "baz"   gensub(/a/, "b", "g"   gensub(/a/, "b", 3
PARAGRAPHS = re.compile(r"\bRS\s*=\s*(?:\"\"|''|;|$|\s)", re.MULTILINE)  # matches: RS="" and -v RS=
COUNTED = re.compile(r"\bF?NR\s*[=<>!%]=?\s*(\d+)|\bNF\s*[=<>!]=?\s*(\d+)")  # matches: NR == 4   NR > 1   NF > 2
SED_DEEDS = {
    r"s[/|#,@:_]": "Only in lines that match the pattern `{}` is something replaced.",
    r"c(?:\\|\s)": "Lines that match the pattern `{}` are replaced as a whole.",
    r"a(?:\\|\s)": "Behind each line that matches the pattern `{}` something is put.",
    r"i(?:\\|\s)": "Before each line that matches the pattern `{}` something is put.",
    r"!\s*d": "Only lines that match the pattern `{}` are kept.",
    r"p\s*(?:;|$)": "Lines that match the pattern `{}` are given.",
}
"""What sed does with lines that match, by what stands behind the pattern."""
OFTEN = {"g": "wherever it stands", "": "but only the first match in a line"}


class Literal(NamedTuple):
    """Values of a program, and what they do."""

    values: tuple[str, ...]
    sentence: str
    is_vague: bool = False
    """It tells that something matters, and not how."""


def read_literals(command: str, program: str) -> list[Literal]:
    """The values of a program, in the order of their kinds."""
    if command == "sed":
        return [*_substitutions(program), *_addresses(program), *_sed_others(program)]
    if command in ("awk", "gawk", "mawk"):
        if not PARAGRAPHS.search(program) and (condition := read_condition(program)):
            return [Literal(condition.values, condition.sentence), *read_literals(command, condition.action)]
        fields = [] if PARAGRAPHS.search(program) else [*_fields(program), *_numbers(program)]
        return [*_addresses(program), *_strings(program), *_sums(program), *fields]
    if command == "perl":
        return [*_substitutions(program), *_strings(program)]
    if command == "jq":
        keys = tuple(dict.fromkeys(JQ_KEY.findall(program)))
        return [*([Literal(keys, f"It concerns the keys {_list(keys)}.")] if keys else []), *_strings(program)]
    return []


def _substitutions(program: str) -> Iterator[Literal]:
    for _, old, new, flags in SUBSTITUTE.findall(program):
        if "e" in flags or re.search(r"['\"]\$|\$\{", new):  # what is put there is worked out
            continue
        number = re.sub(r"\D", "", flags)
        often = f"but only match number {number} in a line" if number else OFTEN["g" if "g" in flags else ""]
        often += " and those behind it" if number and "g" in flags else ""
        case = ", in capital or small letters" if "i" in flags.lower() else ""
        became = f"becomes `{new}`" if new else "is removed"
        yield Literal((old, new), f"What matches the pattern `{old}` {became}, {often}{case}.")


def _addresses(program: str) -> Iterator[Literal]:
    bare = TRANSLATED.sub(
        " ", GLOBAL.sub(" ", SUBSTITUTE.sub(lambda match: f"{match[0].partition('s')[0]}s/ ", program))
    )
    for first, last in RANGE.findall(bare):
        said = (
            f"Parts begin with a line that matches `{first}` and end with the next that matches `{last}`; "
            "both belong to them."
        )
        yield Literal((first, last), said)
    bare = RANGE.sub(" ", bare)
    for pattern in dict.fromkeys(ADDRESS.findall(bare)):
        said = _describe_address(pattern, bare)
        yield Literal((pattern,), said, is_vague=said.startswith("It matters"))


def _describe_address(pattern: str, program: str) -> str:
    """What becomes of what matches a pattern, as far as its place in the program tells."""
    quoted = re.escape(f"/{pattern}/")
    for sign, said in SED_DEEDS.items():
        if re.search(rf"(?:^|[;{{}}\s]){quoted}\s*{sign}", program):
            return said.format(pattern)
    if re.search(rf"(?:^|[;{{}}\s]){quoted}\s*d\s*(?:[;}}]|$)|^!{quoted}\s*$", program):
        return f"Lines that match the pattern `{pattern}` are left out."
    if re.search(rf"(?:\$[1-9i]\w*|\$NF|\b[a-z]\w*\]?)\s*!?~\s*{quoted}", program):
        return f"It matters whether a field, or a value, matches the pattern `{pattern}`."
    return f"It matters whether a line matches the pattern `{pattern}`."


def _sed_others(program: str) -> Iterator[Literal]:
    for first, last in LINES.findall(SUBSTITUTE.sub(lambda match: match[0][: match[0].find("s") + 1], program)):
        lines = " to ".join(f"`{line}`" for line in (first, last) if line)
        yield Literal((first, last), f"It concerns line {lines} (`$`: the last).")
    for first, step in EVERY.findall(program):
        yield Literal((first, step), f"Of every `{step}` lines one counts, line `{int(first) or step}` for a start.")
    for _, text in ADDED.findall(SUBSTITUTE.sub(" ", program)):
        added = [line.rstrip("\\") for line in text.removeprefix("\\").strip("\n").split("\n")]
        quoted = " and ".join(f"`{line}`" for line in added)
        said = f"The text {quoted} is put there." if len(added) == 1 else f"The lines {quoted} are put there."
        yield Literal((text,), said)
    for old, new in TRANSLATED.findall(program):
        yield Literal((old, new), f"The characters `{old}` become `{new}`.")


def _fields(program: str) -> Iterator[Literal]:
    for number in dict.fromkeys(ASSIGNED.findall(program)):
        yield Literal((number,), f"Field `{number}` of a line gets another value.", is_vague=True)
    numbers = tuple(sorted({number for number in FIELD.findall(program) if number not in ("", "0")}))
    last = ["the last one"] if "$NF" in program else []
    named = [*(f"`{number}`" for number in numbers), *last]
    if named:
        yield Literal(numbers, f"Of the fields of a line it uses {' and '.join(named)}.")


def _sums(program: str) -> Iterator[Literal]:
    for number in dict.fromkeys(ADDED_UP.findall(program)):
        yield Literal((number,), f"The values of field `{number}` are added up.")
    if re.search(r"/\s*NR\b", program):
        yield Literal((), "The sum is divided by the number of lines.")


def _strings(program: str) -> Iterator[Literal]:
    bare = GLOBAL.sub(" ", program)
    for function, old, new, number, target in GLOBAL.findall(program):
        became = f"becomes `{new}`" if new else "is removed"
        often = f", but only match number {number} in a line" if number not in ("", "1") else ""
        often = f", {OFTEN['']}" if function == "sub" or number == "1" else often
        often = "" if target else often  # then it is made in a field, or in a value
        yield Literal((old, new), f"What matches the pattern `{old}` {became}{often}.")
    for text in dict.fromkeys(STRING.findall(ADDRESS.sub(" ", bare))):
        if not re.sub(r"[$@]\w+|\\n|\s", "", text) and re.search(
            r"[$@]", text
        ):  # only variables, each on a line of its own
            continue
        if re.search(r"\w", re.sub(r"\\.|%[-\d.]*[a-z]", "", text)):
            quoted = re.escape(text)
            if re.search(rf"[=!]=\s*\"{quoted}\"", bare):
                yield Literal((text,), f"A value is compared with `{text}`.")
            elif re.search(rf"print[^;}}]*\"{quoted}\"", bare):
                yield Literal((text,), f"The text `{text}` is part of the result.")
            else:
                yield Literal((text,), f"The text `{text}` has a part in it.", is_vague=True)
        elif text.strip(" ") and text not in ("\\n", "%s", "%s\\n"):
            yield Literal((text,), f"What it writes is parted by, or has the form, `{text}`.")


def _numbers(program: str) -> Iterator[Literal]:
    bare = STRING.sub(" ", ADDRESS.sub(" ", GLOBAL.sub(" ", program)))
    for line, fields in COUNTED.findall(bare):
        about = (
            f"The number of the line is held against `{line}`."
            if line
            else f"The number of fields of a line is held against `{fields}`."
        )
        yield Literal((line or fields,), about, is_vague=True)
    bare = COUNTED.sub(" ", bare)
    for number in dict.fromkeys(NUMBER.findall(bare)):
        if number not in ("0", "1"):
            yield Literal((number,), f"The number `{number}` has a part in it.", is_vague=True)


def _list(values: tuple[str, ...]) -> str:
    return " and ".join(f"`{value}`" for value in values)
