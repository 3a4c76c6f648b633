"""Programs of awk in words, if all of it can be told: which lines count, and what is written of each."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pipelines.terminal.commands.awk_rules import read_condition

ONCE = re.compile(r"!\s*\w+\[(\$\d+)\]\+\+")  # matches: !seen[$0]++
SUM = re.compile(r"\{\s*(\w+)\s*\+=\s*(\$\d+|\$NF|length(?:\(\$0\))?|1)\s*;?\s*\}\s*END\s*\{\s*print\s+(.+?)\s*;?\s*\}")
# matches: {sum += $3} END {print sum}
COUNT = re.compile(
    r"(?:\{\s*(\w+)\+\+\s*;?\s*\}\s*)?END\s*\{\s*print\s+(?:NR|\w+(?:\+0)?)\s*;?\s*\}"
)  # matches: END {print NR}
BEGIN = re.compile(r"BEGIN\s*\{\s*((?:\w+\s*=\s*\"[^\"]*\"\s*[;,]?\s*)*)\}\s*")  # matches: BEGIN {FS=","; OFS=";"}
SETTING = re.compile(r"(\w+)\s*=\s*\"([^\"]*)\"")  # matches: OFS=";"
PRINTF = re.compile(r"printf\s*\(?\s*\"((?:\\.|[^\"\\])*)\"((?:\s*,\s*[^,()]+(?:\([^()]*\))?)*)\s*\)?")
# matches: printf "%d\t%s\n", NR, $0
PRINT = re.compile(r"print\b\s*(.*)", re.DOTALL)  # matches: print $1, $2
REPLACE = re.compile(r"(g?)sub\(\s*/((?:\\.|[^/\n])+)/\s*,\s*\"((?:\\.|[^\"\\])*)\"\s*(?:,\s*(\$\w+))?\s*\)")
# matches: gsub(/a/, "b", $2)
ITEM = re.compile(
    r"\s*(?:(?P<text>\"(?:\\.|[^\"\\])*\")|(?P<made>toupper|tolower|length)\((?P<of>\$\w+)\)|(?P<length>length)(?:\(\))?(?!\w|\()"
    r"|\$\(NF\s*-\s*(?P<back>\d)\)|(?P<field>\$(?:\d+|NF))|(?P<number>F?NR|NF|FILENAME)\b|(?P<comma>,))"
)
# matches each part of: $1, "\t" toupper($2) NR
SAYS = {
    "toupper": "{} in capital letters",
    "tolower": "{} in small letters",
    "length": "the number of characters of {}",
    "NR": "the number of the line",
    "FNR": "the number of the line",
    "NF": "the number of fields of the line",
    "FILENAME": "the name of the file",
}
SIGNS = {" ": "a blank", "\\t": "a tab", "\\n": "a line break", "\t": "a tab"}


def tell_awk(program: str, settings: Mapping[str, str]) -> list[str] | None:
    """What a program does, in sentences; None when part of it cannot be told. `settings`: OFS and others by name."""
    text = program.strip()
    if begin := BEGIN.match(text):
        settings = {**settings, **dict(SETTING.findall(begin[1]))}
        text = text[begin.end() :].strip()
    between = [_name_text(settings["OFS"])] if settings.get("OFS") else ["a blank"]
    if settings.keys() - {"OFS", "FS"} or not text:
        return None
    if summed := SUM.fullmatch(text):
        return _tell_sum(*summed.groups())
    if COUNT.fullmatch(text):
        return ["It gives the number of lines."]
    if once := ONCE.fullmatch(text):
        what = "Of lines that are equal" if once[1] == "$0" else f"Of lines with the same field `{once[1][1:]}`"
        return [f"{what} only the first is kept."]
    if text in ("NF", "NF>0", "NF > 0", "/./"):
        return ["Lines with nothing but blanks are left out." if text != "/./" else "Empty lines are left out."]
    if condition := read_condition(text):
        action = condition.action.strip().rstrip(";")
        rest = _tell_action(action, between) if action else []
        is_left_out = "left out" in condition.sentence
        whole = [] if rest else ["The others are given, whole." if is_left_out else "These lines are given, whole."]
        return None if rest is None else [condition.sentence, *rest, *whole]
    if text.startswith("{") and text.count("{") == 1 and re.fullmatch(r"\{[^{}]*\}\s*1?", text):
        ends_with_line = text.endswith("1")
        action = text.rstrip("1 ").strip("{} \n").rstrip(";")
        told = _tell_action(action, between, ends_with_line)
        return told and [sentence.replace("Of each of these lines", "Of each line") for sentence in told]
    if (match := REPLACE.match(text)) and re.fullmatch(r"[\s;]*1?", text[match.end() :]):
        replaced = _tell_replacing(match)
        return [replaced] if text.rstrip().endswith("1") else [replaced, "Only lines in which this was done are given."]
    return None


def _tell_sum(name: str, value: str, printed: str) -> list[str] | None:
    what = {"1": "the number of lines", "length": "the sum of the lengths of all lines"}.get(value.partition("(")[0])
    what = what or f"the sum of the values of {_name_field(value)}"
    if printed in (name, f"{name}+0"):
        return [f"It gives {what}."]
    if re.fullmatch(rf"{name}\s*/\s*NR", printed):
        return [f"It gives {what}, divided by the number of lines."]
    return None


def _tell_action(action: str, between: list[str], gives_line: bool = False) -> list[str] | None:
    """What is done with each line that counts."""
    parts = [part.strip() for part in re.split(r"[;\n]", action) if part.strip()]
    if gives_line and "print" not in parts:
        parts.append("print")
    sentences: list[str] = []
    for part in parts:
        if replaced := REPLACE.fullmatch(part):
            sentences.append(_tell_replacing(replaced))
            continue
        printed, formed = PRINT.fullmatch(part), PRINTF.fullmatch(part)
        items = _read_form(*formed.groups()) if formed else read_items(printed[1], between) if printed else None
        if items is None:
            return None
        if items != ["the line"]:
            sentences.append(f"Of each of these lines is given: {', '.join(items)}.")
    return sentences if parts and re.match(r"printf?\b", parts[-1]) else None


def read_items(text: str, between: list[str]) -> list[str] | None:
    """What `print` is given, in words, in order; None when part of it cannot be told."""
    text = text.strip()
    if text.startswith("(") and text.endswith(")"):
        text = text[1:-1]
    if not text:
        return ["the line"]
    items: list[str] = []
    place = 0
    while place < len(text.rstrip()):
        match = ITEM.match(text, place)
        if match is None:
            return None
        place = match.end()
        if match["comma"]:
            items += between
        elif match["text"] is not None:
            items += _split_text(match["text"][1:-1])
        elif match["made"]:
            items.append(SAYS[match["made"]].format(_name_field(match["of"])))
        elif match["length"]:
            items.append(SAYS["length"].format("the line"))
        elif match["back"]:
            items.append(f"the field that has `{match['back']}` behind it")
        elif match["field"]:
            items.append(_name_field(match["field"]))
        else:
            items.append(SAYS[match["number"]])
    return items


def _read_form(form: str, values: str) -> list[str] | None:
    """What `printf` is given, in words; None when it has another form than plain values, or does not end a line."""
    named = (
        [read_items(value, []) for value in re.split(r"\s*,\s*", values.strip().lstrip(",").strip())] if values else []
    )
    parts = re.split(r"(%[sd])", form.removesuffix("\\n"))
    if not form.endswith("\\n") or parts.count("%s") + parts.count("%d") != len(named) or None in named:
        return None
    if any("%" in part for part in parts if part not in ("%s", "%d")):
        return None
    given = iter([items or [] for items in named])
    return [item for part in parts if part for item in (next(given) if part in ("%s", "%d") else _split_text(part))]


def _split_text(text: str) -> list[str]:
    """A text as it is written, with its tabs and line breaks by name."""
    parts = re.split(r"(\\t|\\n)", text)
    return [_name_text(part) for part in parts if part]


def _name_text(text: str) -> str:
    return SIGNS.get(text) or f"`{text}`"


def _name_field(field: str) -> str:
    return {"$0": "the line", "$NF": "the last field"}.get(field, f"field `{field[1:]}`")


def _tell_replacing(match: re.Match[str]) -> str:
    where = f", in {_name_field(match[4])}" if match[4] else ""
    became = f"becomes `{match[3]}`" if match[3] else "is removed"
    often = "wherever it stands" if match[1] else "but only the first match"
    return f"What matches the pattern `{match[2]}` {became}, {often}{where}."
