"""Another value of the same type, of about the same length and look: `'42 kg'` for `'47 kg'`, `[0]` for `[]`."""

from __future__ import annotations

import re
from datetime import date
from itertools import pairwise
from random import Random
from string import ascii_lowercase, ascii_uppercase, digits

WORDS = {
    **{"True": "False", "False": "True", "true": "false", "false": "true", "TRUE": "FALSE", "FALSE": "TRUE"},
    **{"None": "False", "null": "false", "undefined": "false", "nil": "false", "NULL": "FALSE"},
}
"""The other truth value; for nothing at all, a false one."""
DAY = re.compile(r"\b\d{4}-\d{2}-\d{2}")
# matches the beginning of: 2024-02-29T12:00:00Z
FRACTION = re.compile(r"^[\d_]*\.[\d_]|[eE][+-]?\d")
# matches the beginning of: 3.25  .5  and anywhere in: 1e-9
HEXADECIMAL = re.compile(r"0[xX][0-9a-fA-F_]+")
# matches: 0x1f
PIECE = re.compile(r"""(?P<quote>'{3}|"{3}|'|")(?P<inside>(?:\\.|(?!(?P=quote)).)*)(?P=quote)""", re.DOTALL)
# matches: "one"  of:  b"one" "two"
UNTOUCHABLE = re.compile(
    r"\\(?:x[0-9a-fA-F]{2}|u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|N\{[^}]*\}|[0-7]{1,3}|.)"
    r"|%[-+ #0]*\d*(?:\.\d+)?[a-zA-Z]|\$\{[^}]*\}|\{[^{}]*\}|&\w+;",
    re.DOTALL,
)
# matches: \n  \x1b  \u00e9  %s  %5.2f  ${name}  {name}  &amp;


def alter_number(text: str, random: Random) -> str:
    """Another number. Whole numbers change in their last digit, and downwards, so that they stay in the range of their
    type; fractions change in their first, so that no tolerance hides it."""
    if hexadecimal := HEXADECIMAL.match(text):
        return _replace_digit(text, hexadecimal.end() - 1, random)
    found = re.match(r"[\d_]+", text)
    if FRACTION.search(text):
        at = next((place for place, sign in enumerate(text) if sign in "123456789"), text.find("0"))
        return _replace_digit(text, at, random, choices="123456789")
    if found is None:
        return ""
    at = max(place for place, sign in enumerate(found[0]) if sign.isdigit())
    if len(found[0]) == 1:
        return _replace_digit(text, at, random)
    return _replace_digit(text, at, random, choices=digits[: int(text[at])] or "12345")


def alter_word(text: str) -> str:
    """The word that says something else; empty where there is none."""
    return WORDS.get(text, "")


def alter_string(text: str, random: Random) -> str:
    """A string literal in quotes with one other character; the first that has one, of several in a row."""
    pieces = list(PIECE.finditer(text))
    piece = next((piece for piece in pieces if piece["inside"]), pieces[0] if pieces else None)
    if piece is None:
        return ""
    inside = alter_characters(piece["inside"], random)
    return text[: piece.start("inside")] + inside + text[piece.end("inside") :]


def alter_characters(text: str, random: Random) -> str:
    """The inside of a string with one letter or digit replaced; with one more letter where it has neither. Escapes
    and placeholders stay as they are."""
    places = _list_replaceable(text)
    if not places:
        return text + random.choice(ascii_lowercase)
    return _replace_character(text, random.choice(places), random)


def alter_end(text: str, random: Random) -> str:
    """A string with its last letter or digit replaced: all but the end of a right value is easily had. Empty where it
    has neither."""
    places = _list_replaceable(text)
    return _replace_character(text, places[-1], random) if places else ""


def alter_digit(text: str, random: Random) -> str:
    """A string with one digit replaced: of `5/8 lb` code may know the unit. Empty where it has none."""
    places = [at for at in _list_replaceable(text) if text[at].isdigit()]
    return _replace_character(text, random.choice(places), random) if places else ""


def swap_case(text: str, random: Random) -> str:
    """A string with one letter large that was small, or the other way round; empty where it has none."""
    letters = [at for at in _list_replaceable(text) if text[at].isalpha()]
    at = random.choice(letters) if letters else -1
    return text[:at] + text[at].swapcase() + text[at + 1 :] if letters else ""


def swap_letters(text: str, random: Random) -> str:
    """A string with two neighbours exchanged, which consists of the same letters; empty where no two differ."""
    places = _list_replaceable(text)
    pairs = [at for at, other in pairwise(places) if other == at + 1 and text[at] != text[other]]
    at = random.choice(pairs) if pairs else -1
    return text[:at] + text[at + 1] + text[at] + text[at + 2 :] if pairs else ""


def has_days(text: str) -> bool:
    """Whether all that looks like a day in a text is one."""
    return all(_is_day(found) for found in DAY.findall(text))


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _list_replaceable(text: str) -> list[int]:
    held = {at for match in UNTOUCHABLE.finditer(text) for at in range(*match.span())}
    return [at for at, sign in enumerate(text) if sign.isascii() and sign.isalnum() and at not in held]


def _replace_character(text: str, at: int, random: Random) -> str:
    alphabet = next(letters for letters in (ascii_lowercase, ascii_uppercase, digits) if text[at] in letters)
    return text[:at] + random.choice(alphabet.replace(text[at], "")) + text[at + 1 :]


def _replace_digit(text: str, at: int, random: Random, choices: str = digits) -> str:
    return text[:at] + random.choice(choices.replace(text[at], "")) + text[at + 1 :]
