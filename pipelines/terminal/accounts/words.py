"""Words of the shell in words of a reader: a name, a value, what is left of one, a text that stands as it is."""

from __future__ import annotations

import re

PART = re.compile(
    r"\$\{#(?P<length>\w+)\}|\$\{(?P<name>\w+)(?:\[@\])?(?P<change>(?:##?|%%?|//?|:|\^\^?|,,?)[^}]*)?\}"
    r"|\$(?P<plain>\w+)|\$\(basename \"?\$(?P<of>\w+)\"?"
    r" (?P<ending>[^)\s]+)\)|(?P<literal>[^$`\"]+)|(?P<quote>\")"
)
# matches each part of: "${f%.txt}.text"
CUT = re.compile(r"(##?|%%?)(.+)")  # matches: %.txt
SWAPPED = re.compile(r"(//?)([^/]+)/?(.*)")  # matches: /old/new
SLICED = re.compile(r":\s*(-?\d+)(?::\s*(-?\d+))?")  # matches: :0:5
CASES = {
    "^^": "in capital letters",
    ",,": "in small letters",
    "^": "with a capital letter first",
    ",": "with a small letter first",
}
ENDS = {"#": "beginning", "%": "end"}


def tell_word(word: str) -> str | None:
    """A word in words, its parts in order; None when part of it cannot be told."""
    parts: list[str] = []
    place = 0
    while place < len(word):
        match = PART.match(word, place)
        if match is None:
            return None
        place = match.end()
        if match["quote"]:
            continue
        if match["literal"]:
            parts.append(f"`{match['literal']}`")
        elif match["length"]:
            parts.append(f"the number of characters of the value of `{match['length']}`")
        elif match["of"]:
            parts.append(f"the last part of `{match['of']}` without `{match['ending']}`")
        else:
            told = _tell_value(match["name"] or match["plain"], match["change"] or "")
            if told is None:
                return None
            parts.append(told)
    return ", then ".join(parts) if parts else None


def _tell_value(name: str, change: str) -> str | None:
    """The value of a variable, and what is left of it."""
    if name.isdigit():  # an argument, of which nobody speaks
        return None
    if "${" in change:
        return None
    value = f"the value of `{name}`"
    if not change:
        return value
    if change in CASES:
        return f"{value} {CASES[change]}"
    if cut := CUT.fullmatch(change):
        size = "longest" if len(cut[1]) == 2 else "shortest"
        part = f"the {size} part at its {ENDS[cut[1][0]]} that matches `{cut[2]}`"
        return f"{value} without {part if re.search(r'[*?[]', cut[2]) else f'`{cut[2]}` at its {ENDS[cut[1][0]]}'}"
    if sliced := SLICED.fullmatch(change):
        many = f", {sliced[2]} characters" if sliced[2] else ""
        return f"{value} from character {sliced[1]} on, counted from 0{many}"
    if (swapped := SWAPPED.fullmatch(change)) and "$" not in change:
        old = swapped[2]
        often = "wherever it stands" if swapped[1] == "//" else "but only the first match"
        if old[0] in ENDS and swapped[1] == "/":
            old, often = old[1:], f"at its {ENDS[old[0]]}"
        became = f"become `{swapped[3]}`" if swapped[3] else "taken out"
        kind = " (a pattern of the shell)" if re.search(r"[*?\[(]", old) else ""
        return f"{value} with `{old}`{kind} {became}, {often}"
    return None
