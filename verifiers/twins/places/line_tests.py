"""Places where an assertion can be altered, in languages that have no grammar here: line by line, by `lines.toml`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from crucible.datafile import read_rows
from crucible.record import Record
from verifiers.twins.places.place import NEAR_VALUE, REVERSAL, VALUE, Draft, Place
from verifiers.twins.values.literals import PIECE, alter_number, alter_string, alter_word

STRING = r"""'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*\""""
# matches: 'text'  "it\'s"
LITERAL = re.compile(rf"(?P<string>{STRING})|(?P<number>(?<![\w.])\d[\w.]*)|(?P<word>\b(?:true|false)\b)")
# matches: 'text'  3.25  true
BREAK = re.compile(rf"(?P<literal>{STRING})|(?P<open>[\[({{])|(?P<close>[\])}}])|(?P<break>,| (?:==?|-eq) )")
# matches: one each of: 'text'  (  )  ,  " == "
GLUE = re.compile(r"[\s\[\](){},:=>@;#-]*|.*\bqw\b.*")
# matches: [ { => } ]
NAMES = ("name", "function", "method")
"""The groups of which one is the name of a test."""


class Lines(Record):
    """One row of `lines.toml`; the file's head says what each column means."""

    suffixes: tuple[str, ...]
    tests: str
    asserts: str
    each: bool = False
    reversed: tuple[tuple[str, str], ...] = ()


def find_places(draft: Draft) -> list[Place]:
    """Every alteration of an assertion that stands in a test; none where the language is not known."""
    rows = read_rows(Path(__file__).parent / "lines.toml", "languages", Lines)
    suffix = PurePosixPath(draft.path).suffix
    row = next((row for row in rows if suffix in row.suffixes), None)
    return list(_read_lines(draft, row)) if row else []


def _read_lines(draft: Draft, row: Lines) -> Iterator[Place]:
    start, test = 0, "" if row.each else None
    for line in draft.text.splitlines(keepends=True):
        if begins := re.match(row.tests, line):
            test = next((text for text in (begins.groupdict().get(key) for key in NAMES) if text), "")
        if (claim := re.search(row.asserts, line)) and test is not None:
            name = _name_claim(line, test) if row.each else test
            yield from _alter_values(draft, start + claim.end(), start + len(line.rstrip()), name)
            yield from _turn_round(row, line, start, name)
        start += len(line)


def _name_claim(line: str, test: str) -> str:
    """The name of an assertion that is a test: the last text on its line, below the test that holds it."""
    texts = [piece["inside"] for piece in PIECE.finditer(line)]
    return " > ".join(name for name in (test, texts[-1] if texts else line.strip()) if name)


def _turn_round(row: Lines, line: str, start: int, test: str) -> Iterator[Place]:
    body = line.rstrip("\r\n")
    for pattern, replacement in row.reversed:
        if (turned := re.sub(pattern, replacement, body, count=1)) != body:
            yield Place(start, start + len(body), turned, test, REVERSAL)
            return


def _alter_values(draft: Draft, start: int, end: int, test: str) -> Iterator[Place]:
    """The literals in the argument that is written out; where none is, those of the last of the first two."""
    parts = _split_arguments(draft.text, start, end)[:2]
    written = [part for part in parts if _is_written_out(draft.text[slice(*part)])]
    for part in (written or parts)[-1:]:
        for found in LITERAL.finditer(draft.text, *part):
            text = _alter(found, draft)
            if text:
                yield Place(*found.span(), text, test, VALUE if written else NEAR_VALUE)


def _split_arguments(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Where the arguments of a call stand, or the sides of a comparison; `start` is behind its opening bracket."""
    parts: list[tuple[int, int]] = []
    depth, begin = 0, start
    for token in BREAK.finditer(text, start, end):
        if token["literal"]:
            continue
        depth += bool(token["open"]) - bool(token["close"])
        if depth < 0:
            return [*parts, (begin, token.start())]
        if token["break"] and depth == 0:
            parts.append((begin, token.start()))
            begin = token.end()
    return [*parts, (begin, end)]


def _is_written_out(text: str) -> bool:
    """Whether a part consists of literals alone."""
    rest = LITERAL.sub("", text)
    return rest != text and bool(GLUE.fullmatch(rest))


def _alter(found: re.Match[str], draft: Draft) -> str:
    if found["string"]:
        return alter_string(found[0], draft.random)
    return alter_number(found[0], draft.random) if found["number"] else alter_word(found[0])
