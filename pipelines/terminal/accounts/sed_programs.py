"""Programs of sed in words, if all of it can be told: addresses, and what is done with the lines that they mean."""

from __future__ import annotations

import re
from collections.abc import Iterator

COMMAND = re.compile(
    r"\s*(?P<first>\d+~\d+|\d+|\$|/(?:\\.|[^/\n])+/I?)?(?:\s*,\s*(?P<last>\d+|\$|\+\d+|/(?:\\.|[^/\n])+/I?))?\s*(?P<not>!?)\s*"
    r"(?:(?P<sign>s)(?P<mark>[/|#,@:_!])(?P<old>(?:\\.|(?!(?P=mark)).)*)(?P=mark)(?P<new>(?:\\.|(?!(?P=mark))[^\n])*)"
    r"(?P=mark)(?P<flags>[gpiI\d]*)|y/(?P<these>[^/]+)/(?P<those>[^/]+)/|(?P<added>[aic])(?:\\\n|\\\s*|\s+)?"
    r"(?P<text>[^\n]+)|(?P<deed>[dpq=]))\s*(?:;|\n|$)"
)
# matches: 2,5p   /x/d   $s/a/b/g   1i header
PLACES = {"a": "Behind", "i": "Before"}
OFTEN = {"g": "wherever it stands", "": "but only the first match in a line"}


def tell_sed(programs: list[str], is_silent: bool) -> list[str] | None:
    """What a program does, in sentences; None when part of it cannot be told. `is_silent`: it gives nothing but what it
    is told to give (`-n`)."""
    sentences: list[str] = []
    for program in programs:
        place = 0
        text = program.strip().removeprefix("{").removesuffix("}") if program.count("{") == 1 else program.strip()
        while place < len(text):
            match = COMMAND.match(text, place)
            if match is None or match.end() == place or match["old"] == "":
                return None
            told = list(_tell_command(match, is_silent))
            if not told:
                return None
            sentences += told
            place = match.end()
    if is_silent and any(sentence.startswith("Given is") for sentence in sentences):
        sentences.append("Nothing else is given.")
    return sentences


def name_kind(told: str, kind: str) -> list[str]:
    """Which kind of regular expression a pattern is, where that matters."""
    if not re.search(r"pattern[^`]*`[^`]*(?:[(){}+?|])[^`]*`|match(?:es)? `[^`]*[(){}+?|][^`]*`", told):
        return []
    return [f"Patterns are {kind} regular expressions."]


def _tell_command(match: re.Match[str], is_silent: bool) -> Iterator[str]:
    named = _name_lines(match["first"] or "", match["last"] or "", bool(match["not"]))
    if match["sign"]:
        within = f"In {named} " if named else ""
        flags = match["flags"]
        number = re.sub(r"\D", "", flags)
        often = f"but only match number {number} in a line" if number else OFTEN["g" if "g" in flags else ""]
        case = ", in capital or small letters" if "i" in flags.lower() else ""
        became = f"becomes `{match['new']}`" if match["new"] else "is removed"
        start = "what" if within else "What"
        yield f"{within}{start} matches the pattern `{match['old']}` {became}, {often}{case}."
        if "&" in match["new"].replace("\\&", ""):
            yield "`&` stands for what matched."
        if r"\0" in match["new"]:
            yield r"`\0` stands for what matched."
        if re.search(r"\\[1-9]", match["new"]):
            yield "`\\1` and the like stand for the groups of the pattern, in their order."
        signs = {"\\n": "a line break", "\\t": "a tab"}
        yield from (f"`{sign}` stands for {name}." for sign, name in signs.items() if sign in match["new"])
        if is_silent and "p" in flags:
            yield "Only lines in which this was done are given."
        elif is_silent or "p" in flags:
            return
    elif match["these"]:
        within = f"In {named} " if named else ""
        yield f"{within}the characters `{match['these']}` become, in this order, `{match['those']}`.".capitalize()
    elif match["added"] == "c":
        yield f"In the place of {named or 'every line'} stands `{match['text'].strip()}`."
    elif match["added"]:
        yield f"{PLACES[match['added']]} {named or 'every line'} the line `{match['text'].lstrip()}` is put."
    elif match["deed"] == "p" and is_silent:
        yield f"Given is {named or 'every line'}."
    elif match["deed"] == "d" and match["not"]:
        yield f"Only {_name_lines(match['first'] or '', match['last'] or '', False)} is kept."
    elif match["deed"] == "d" and named:
        yield f"Left out is {named}."
    elif match["deed"] == "q" and named:
        yield f"The last line that is given is {named.replace('every line', 'the first line')}."
    elif match["deed"] == "p" and named:
        yield f"Given twice is {named}."


def _name_lines(first: str, last: str, is_not: bool) -> str:
    """The lines that addresses mean; empty: all."""
    if not first:
        return ""
    if "~" in first:
        start, step = first.split("~")
        said = f"every `{step}`. line, from line `{start if start != '0' else step}` on"
    elif last:
        start = "line `1`" if first == "0" else _name_line(first).replace("every line", "a line")
        said = f"every line from {start} to {_name_next(last)}"
        said += ", as often as there is such a part" if first.startswith("/") and last != "$" else ""
    else:
        said = _name_line(first)
    return f"every line that is not {said}" if is_not else said


def _name_line(address: str) -> str:
    if address == "$":
        return "the last line"
    if address.startswith("/"):
        case = ", in capital or small letters" if address.endswith("I") else ""
        return f"every line that matches `{address.removesuffix('I')[1:-1]}`{case}"
    return f"line `{address}`"


def _name_next(address: str) -> str:
    if address.startswith("+"):
        return f"the `{address[1:]}`. line behind it"
    return _name_line(address).replace("every line", "the next line")
