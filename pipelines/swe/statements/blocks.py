"""Assertions of tests that are written as calls with a title, such as `it("adds", () => {...})`, or as functions. Pure.

A test's lines are told by how far they are indented, and an assertion goes on until its brackets are closed. What it
rests on is shown before it: the declarations of the names it uses, and what is done to them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from pipelines.swe.statements.languages import Language

TITLE = re.compile(
    r"""\b(?:\w*(?:it|[tT]est)|specify|t|st|tap|suite|describe)\b[\w.]*\(\s*(["'`])(?P<title>.*?)(?<!\\)\1\s*,"""
)
FILLED = re.compile(r"\$\{[^}]*\}|%[sdifjoOp#%]|\$[\w.]+")
"""What stands in a title for a value."""
NAMED = re.compile(r"\b(?:fn|void|fun|function)\s+(\w+)\s*\(")
DECLARED = re.compile(
    r"\s*(?:(?:const|let|var|val|auto|final|local)\s+(?:mut\s+)?|(?:[A-Z]\w*(?:<[^=]*>)?|int|long|double|boolean|bool|size_t)"
    r"\s+[*&]?|\$)(\w+)\s*(?::[^=]+)?=(?![=>])"
)
STEP = re.compile(r"\s*(?:await\s+)?(\w+)(?:\.\w+\(|\[|\.\w+\s*=(?!=))")
"""What is done to what has been declared."""
LONGEST, MOST_LINES, MOST_RESTS = 600, 15, 8


def titled(source: str, tests: Collection[str], fresh: Collection[str], language: Language) -> Iterator[str]:
    """The assertions within these tests; where a test has some with a line that is new, those alone."""
    lines = source.splitlines()
    for place in sorted({place for test in tests for place in _places(lines, test)}):
        groups = list(_groups(_block(lines[place:]), language))
        for group in [one for one in groups if _is_new("\n".join(one), fresh)] or groups:
            yield from group


def _places(lines: Sequence[str], test: str) -> list[int]:
    """Where a test begins: where its title is; of several such, where those of its groups are over it."""
    titles = {place: title for place in range(len(lines)) if (title := _title(lines, place))}
    places = [place for place, title in titles.items() if _ends(test, [title])]
    return [place for place in places if _ends(test, [*_groups_over(lines, place), titles[place]])] or places


def _title(lines: Sequence[str], place: int) -> str:
    """The title of the test or group that begins in a line; where that ends with its bracket, it stands in the next."""
    broken = lines[place].endswith("(") and place + 1 < len(lines)
    found = TITLE.search(lines[place] + lines[place + 1].strip() if broken else lines[place])
    return found["title"] if found else ""


def _ends(test: str, titles: Sequence[str]) -> bool:
    """Whether a test's name ends with these titles, in whichever way a framework joins them."""
    return bool(re.search(f"(?:^|[ :]){'.*[ :]'.join(map(_pattern, titles))}$", test.strip(), re.DOTALL))


def _pattern(title: str) -> str:
    """What a title is filled with when the tests run is not known."""
    return ".*".join(re.escape(part) for part in FILLED.split(re.sub(r"\\(.)", r"\1", title)))


def _groups_over(lines: Sequence[str], place: int) -> list[str]:
    """The titles of the groups that a line is in, from the outermost."""
    found, depth = list[str](), indent(lines[place])
    for above in range(place - 1, -1, -1):
        if lines[above].strip() and indent(lines[above]) < depth:
            depth = indent(lines[above])
            found += filter(None, [_title(lines, above)])
    return found[::-1]


def _is_new(text: str, fresh: Collection[str]) -> bool:
    """A line that only opens or closes a bracket is like many others."""
    lines = [line.strip() for line in text.splitlines()]
    return any(line in fresh for line in lines if not line.endswith(("(", "[", "{")) and re.search(r"\w", line))


def named(source: str, names: Collection[str], fresh: Collection[str], language: Language) -> Iterator[str]:
    """The assertions within the functions of these names, those with a line that is new."""
    lines = source.splitlines()
    for place, line in enumerate(lines):
        found = NAMED.search(line)
        if found and found[1] in names:
            for group in _groups(_block(lines[place:]), language):
                yield from group if _is_new("\n".join(group), fresh) else ()


def within(lines: Sequence[str], language: Language) -> Iterator[str]:
    """The assertions among these lines, each whole and without its indentation, after what it rests on."""
    for group in _groups(lines, language):
        yield from group


def _groups(lines: Sequence[str], language: Language) -> Iterator[list[str]]:
    place = 0
    while place < len(lines):
        if not language.is_assertion(lines[place]):
            place += 1
            continue
        whole = _whole(lines[place : place + MOST_LINES])
        text = "\n".join(whole)
        if whole and len(text) <= LONGEST:
            yield [*_rests(text, lines[:place], language), text]
        place += max(len(whole), 1)


def _rests(text: str, above: Sequence[str], language: Language) -> list[str]:
    """The declarations of the names in an assertion and what is done to these after it, and the same for the names in
    them; the last declaration of each name counts."""
    wanted, found = set(re.findall(r"\w+", text)), list[str]()
    for place in range(len(above) - 1, -1, -1):
        declared, step = DECLARED.match(above[place]), STEP.match(above[place])
        name = declared[1] if declared else step[1] if step and not language.is_assertion(above[place]) else ""
        if name not in wanted or len(found) == MOST_RESTS:
            continue
        whole = "\n".join(_whole(above[place : place + MOST_LINES]))
        found += [whole] if 0 < len(whole) <= LONGEST else []
        wanted |= set(re.findall(r"\w+", whole.partition("=")[2] if declared else whole))
        wanted -= {name} if declared else set()
    return found[::-1]


def _block(lines: Sequence[str]) -> Sequence[str]:
    """From a line to the one that closes it."""
    depth = indent(lines[0])
    ends = (n for n, line in enumerate(lines[1:], 1) if line.strip() and indent(line) <= depth)
    return lines[: next(ends, len(lines))]


def _whole(lines: Sequence[str]) -> list[str]:
    """An assertion to the line that closes its brackets; nothing where none of them does."""
    depth, margin = 0, indent(lines[0])
    for place, line in enumerate(lines):
        bare = re.sub(r"""(["'`])(?:\\.|(?!\1).)*\1""", "", line)
        depth += sum(bare.count(sign) for sign in "([{") - sum(bare.count(sign) for sign in ")]}")
        goes_on = place + 1 < len(lines) and lines[place + 1].lstrip().startswith(".")
        if depth <= 0 and not goes_on:
            return [one[margin:] if not one[:margin].strip() else one.strip() for one in lines[: place + 1]]
    return []


def indent(line: str) -> int:
    """How far a line is indented."""
    return len(line) - len(line.lstrip())
