"""Assertions of tests that are written as calls with a title, such as `it("adds", () => {...})`, or as functions. Pure.

A test's lines are known by how far they are indented, and an assertion goes on until its brackets are closed. What it
rests on is shown before it: the declarations of the names it uses, and what is done to them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from crucible.domains.code.languages import LinePatterns, line_patterns

TITLE = re.compile(
    r"""\b(?:\w*(?:it|[tT]est)|specify|t|st|tap|suite|describe)\b[\w.]*\(\s*(["'`])(?P<title>.*?)(?<!\\)\1\s*,"""
)
# matches: it('keeps empty keys',
PLACEHOLDER = re.compile(r"\$\{[^}]*\}|%[sdifjoOp#%]|\$[\w.]+")
# matches what stands in a title for a value: ${kind}  %s  $name
ESCAPED_SIGN = re.compile(r"\\(.)")
# matches: \'
FUNCTION = re.compile(r"\b(?:fn|void|fun|function)\s+(\w+)\s*\(")
# matches: fn halves(
DECLARATION = re.compile(
    r"\s*(?:(?:const|let|var|val|auto|final|local)\s+(?:mut\s+)?|(?:[A-Z]\w*(?:<[^=]*>)?|int|long|double|boolean|bool|size_t)"
    r"\s+[*&]?|\$)(\w+)\s*(?::[^=]+)?=(?![=>])"
)
# matches: const half =    List<String> halves =    $half =
STEP = re.compile(r"\s*(?:await\s+)?(\w+)(?:\.\w+\(|\[|\.\w+\s*=(?!=))")
# matches what is done to a name: map.set(    map['a']    map.a =
WORD = re.compile(r"\w+")
# matches: half
QUOTED = re.compile(r"""(["'`])(?:\\.|(?!\1).)*\1""")
# matches: "it's ("
EXAMPLE_CHARS = 600
"""A longer assertion or declaration is not shown."""
EXAMPLE_LINES = 15
"""The brackets of an assertion or a declaration have to be closed within so many lines."""
MOST_STEPS = 8
"""So many lines that an assertion rests on are shown before it."""


def find_assertions(path: str, source: str, failing: Sequence[str], fresh: Collection[str]) -> Iterator[str]:
    """The assertions of the failing tests in a file. `fresh` are the lines that a change adds, without indentation."""
    language = line_patterns(path)
    if language is None:
        return
    # Some frameworks name the file in a test's id, some do not.
    own = [name for name in failing if path in name] or failing
    yield from _find_in_titled_tests(source, own, fresh, language)
    functions = {name.rpartition("::")[2].partition("/")[0] for name in failing}
    yield from _find_in_functions(source, functions, fresh, language)


def find_in_lines(lines: Sequence[str], language: LinePatterns) -> Iterator[str]:
    """The assertions among these lines, each whole and without its indentation, after what it rests on."""
    for group in _group_assertions(lines, language):
        yield from group


def indent_of(line: str) -> int:
    """How far a line is indented."""
    return len(line) - len(line.lstrip())


def _find_in_titled_tests(
    source: str, tests: Collection[str], fresh: Collection[str], language: LinePatterns
) -> Iterator[str]:
    """The assertions within the tests of these names; where a test has some with a line that is new, those alone."""
    lines = source.splitlines()
    for place in sorted({place for test in tests for place in _find_test(lines, test)}):
        groups = list(_group_assertions(_block_at(lines, place), language))
        new = [group for group in groups if _has_new_line("\n".join(group), fresh)]
        for group in new or groups:
            yield from group


def _find_in_functions(
    source: str, names: Collection[str], fresh: Collection[str], language: LinePatterns
) -> Iterator[str]:
    """The assertions within the functions of these names, those with a line that is new."""
    lines = source.splitlines()
    for place, line in enumerate(lines):
        function = FUNCTION.search(line)
        if function and function[1] in names:
            for group in _group_assertions(_block_at(lines, place), language):
                yield from group if _has_new_line("\n".join(group), fresh) else ()


def _find_test(lines: Sequence[str], test: str) -> list[int]:
    """Where a test begins: where its title is; of several such, where those of its groups are over it."""
    titles = {place: title for place in range(len(lines)) if (title := _title_at(lines, place))}
    places = [place for place, title in titles.items() if _ends_with_titles(test, [title])]
    grouped = [place for place in places if _ends_with_titles(test, [*_groups_over(lines, place), titles[place]])]
    return grouped or places


def _title_at(lines: Sequence[str], place: int) -> str:
    """The title of the test or group that begins in a line; where that ends with its bracket, it stands in the next."""
    is_broken = lines[place].endswith("(") and place + 1 < len(lines)
    match = TITLE.search(lines[place] + lines[place + 1].strip() if is_broken else lines[place])
    return match["title"] if match else ""


def _ends_with_titles(test: str, titles: Sequence[str]) -> bool:
    """Whether a test's name ends with these titles, in whichever way a framework joins them; what stands for a value in
    a title may be anything."""
    plain = (PLACEHOLDER.split(ESCAPED_SIGN.sub(r"\1", title)) for title in titles)
    patterns = (".*".join(map(re.escape, parts)) for parts in plain)
    return bool(re.search(f"(?:^|[ :]){'.*[ :]'.join(patterns)}$", test.strip(), re.DOTALL))
    # matches, of the titles double and is ${kind}: test/a.js::double > is odd


def _groups_over(lines: Sequence[str], place: int) -> list[str]:
    """The titles of the groups that a line is in, from the outermost."""
    titles, depth = list[str](), indent_of(lines[place])
    for above in range(place - 1, -1, -1):
        if lines[above].strip() and indent_of(lines[above]) < depth:
            depth = indent_of(lines[above])
            titles += filter(None, [_title_at(lines, above)])
    return titles[::-1]


def _has_new_line(text: str, fresh: Collection[str]) -> bool:
    """Whether a line of the text is new. One that only opens or closes a bracket is like many others."""
    lines = [line.strip() for line in text.splitlines()]
    return any(line in fresh for line in lines if not line.endswith(("(", "[", "{")) and WORD.search(line))


def _group_assertions(lines: Sequence[str], language: LinePatterns) -> Iterator[list[str]]:
    """Each assertion as the last of a list, after what it rests on."""
    place = 0
    while place < len(lines):
        if not language.is_assertion(lines[place]):
            place += 1
            continue
        assertion = _close_brackets(lines[place : place + EXAMPLE_LINES])
        text = "\n".join(assertion)
        if assertion and len(text) <= EXAMPLE_CHARS:
            yield [*_find_declarations(text, lines[:place], language), text]
        place += max(len(assertion), 1)


def _find_declarations(text: str, above: Sequence[str], language: LinePatterns) -> list[str]:
    """What an assertion rests on: the declarations of the names in it and what is done to these before it, and likewise
    for the names in those; the last declaration of each name counts."""
    names, steps = set(WORD.findall(text)), list[str]()
    for place in range(len(above) - 1, -1, -1):
        declaration, step = DECLARATION.match(above[place]), STEP.match(above[place])
        name = declaration[1] if declaration else step[1] if step and not language.is_assertion(above[place]) else ""
        if name not in names or len(steps) == MOST_STEPS:
            continue
        whole = "\n".join(_close_brackets(above[place : place + EXAMPLE_LINES]))
        steps += [whole] if 0 < len(whole) <= EXAMPLE_CHARS else []
        names |= set(WORD.findall(whole.partition("=")[2] if declaration else whole))
        names -= {name} if declaration else set()
    return steps[::-1]


def _block_at(lines: Sequence[str], place: int) -> Sequence[str]:
    """The lines from one to the line that closes it."""
    depth = indent_of(lines[place])
    ends = (end for end in range(place + 1, len(lines)) if lines[end].strip() and indent_of(lines[end]) <= depth)
    return lines[place : next(ends, len(lines))]


def _close_brackets(lines: Sequence[str]) -> list[str]:
    """The lines up to the one that closes the brackets of the first, without its indentation; none where none does."""
    depth, margin = 0, indent_of(lines[0])
    for place, line in enumerate(lines):
        bare = QUOTED.sub("", line)
        depth += sum(bare.count(sign) for sign in "([{") - sum(bare.count(sign) for sign in ")]}")
        goes_on = place + 1 < len(lines) and lines[place + 1].lstrip().startswith(".")
        if depth <= 0 and not goes_on:
            return [kept[margin:] if not kept[:margin].strip() else kept.strip() for kept in lines[: place + 1]]
    return []
