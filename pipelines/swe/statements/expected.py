"""What the failing tests show, for a statement too short to work from: their names in words, their assertions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby, islice
from operator import itemgetter
from textwrap import dedent

from pipelines.swe.statements import gotests, pytests, records, tables
from pipelines.swe.statements.blocks import named, titled, within
from pipelines.swe.statements.interface import added
from pipelines.swe.statements.languages import language_of

MOST_NAMES, MOST_LINES, MOST_RUNS = 8, 16, 2
LONGEST, LONGEST_RUN = 2500, 30
GROUPS, FILE = re.compile(r"\s[>›]\s"), re.compile(r"[\w./-]+\.\w{1,4}")
NAME = re.compile(r"::|#|\s>\s|\s›\s|/|\.(?=\w+$)")
SAYS = re.compile(r"[\"'`\d]|\b(?:true|false|null|none|nil|undefined)\b", re.IGNORECASE)
CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def told(fail_to_pass: Sequence[str], tests: Mapping[str, str], test_patch: str, *, enough: int) -> str:
    """A section of the statement; empty when the tests show nothing either. What parts of many tests are called
    (`ToE`, `Pointer`) tells nothing of any of them."""
    tally = Counter(in_words(test) for test in fail_to_pass if "/" in test.rpartition("::")[2])
    names = [name for name in dict.fromkeys(map(in_words, fail_to_pass)) if len(name.split()) > 2 and tally[name] < 3]
    parts = [f"- {name}" for name in names[:MOST_NAMES]]
    text = "\n".join(parts)
    lines = [] if len(text) >= enough else examples(fail_to_pass, tests, test_patch)
    if lines:
        text = "\n".join([*parts, "", "For example:", "", "```", *lines, "```"])
    return f"## Expected behaviour\n\n{text.strip()}" if text.strip() else ""


def examples(fail_to_pass: Sequence[str], tests: Mapping[str, str], test_patch: str) -> list[str]:
    """Assertions; where they compare names with names, the lines around them that say what these stand for. And what
    the tests read. Where none of it is code that asserts, what was added to the tables it goes through."""
    lines = _some(assertions(fail_to_pass, tests, test_patch))
    if 2 * sum(bool(SAYS.search(line)) for line in lines) < len(lines) or not lines:
        lines = runs(tests, test_patch) or lines
    return [*lines, *records.shown(test_patch, rows=not lines)] or _small(lines for _, lines in _pieces(test_patch))


def _some(lines: Iterator[str]) -> list[str]:
    """The first of them, each once."""
    kept: dict[str, None] = {}
    for line in lines:
        if len(kept) == MOST_LINES or sum(map(len, kept)) + len(line) > LONGEST:
            break
        kept[line] = None
    return list(kept)


def runs(tests: Mapping[str, str], test_patch: str) -> list[str]:
    """Rows that are added to tables; else lines that are added as one piece: all of them where they are few, else small
    pieces that hold an assertion."""
    if rows := tables.shown(tests, test_patch):
        return [rows]
    found = list(_pieces(test_patch))
    if sum(len(lines) for _, lines in found) <= LONGEST_RUN:
        return [dedent("\n".join(lines)).strip() for _, lines in found]
    return _small(lines for is_telling, lines in found if is_telling)


def _small(pieces: Iterable[list[str]]) -> list[str]:
    """The first few of them that are not long."""
    small = (lines for lines in pieces if len(lines) <= LONGEST_RUN)
    return [dedent("\n".join(lines)).strip() for lines in islice(small, MOST_RUNS)]


def _pieces(test_patch: str) -> Iterator[tuple[bool, list[str]]]:
    """Code that is added without a gap, and whether an assertion is in it."""
    path = ""
    for is_added, group in groupby(test_patch.splitlines(), key=lambda line: line[:1] == "+" and line[:4] != "+++ "):
        lines = list(group)
        if not is_added:
            path = next((line[6:].strip('"') for line in reversed(lines) if line.startswith("+++ ")), path)
        elif (language := language_of(path)) and any(re.search(r"\w", line) for line in lines):
            yield any(language.is_assertion(line[1:]) for line in lines), [line[1:].expandtabs(4) for line in lines]


def in_words(name: str) -> str:
    """A test's name as people would say it: `tests/a.py::test_empty_input_is_bad[0]` is `empty input is bad`. A title
    says nothing without those of its groups."""
    bare = re.sub(r"^([^\s\[(]+)[\[(].*[\])]$", r"\1", name.strip(), flags=re.DOTALL)
    titles = [title for title in GROUPS.split(bare.rpartition("::")[2]) if not FILE.fullmatch(title)]
    if len(titles) > 1:
        return " › ".join(" ".join(title.split()) for title in titles)
    last = re.sub(r"^test_\d{4}_", "", re.split(r"::|\s[>›]\s|#", bare)[-1])
    if " " not in last.strip():
        last = NAME.split(last)[-1]
        last = CAMEL.sub(" ", last).replace("_", " ")
        last = re.sub(r"(?i)^(?:test|it|should)\b\s*", "", last.strip())
    return " ".join(last.lower().split() if last.isupper() or " " not in name else last.split())


def assertions(fail_to_pass: Sequence[str], tests: Mapping[str, str], test_patch: str) -> Iterator[str]:
    """Lines that say what is expected: of the failing tests where they can be found, else those that were added."""
    found = False
    for path, source in sorted(tests.items()):
        wanted = {_bare(path, name) for name in fail_to_pass if path in name}
        for line in _of(path, source, wanted, fail_to_pass, test_patch):
            found = True
            yield line
    if not found:
        yield from _added(test_patch)


def _of(path: str, source: str, wanted: set[str], fail_to_pass: Sequence[str], test_patch: str) -> Iterator[str]:
    """What one test file shows, each language in its own way."""
    if path.endswith(".py"):
        return pytests.shown(source, wanted, {line.strip() for _, line in added(test_patch)})
    if path.endswith(".go"):
        failing = {name.rpartition("::")[2] for name in fail_to_pass}
        return gotests.shown(source, failing, {line.strip() for _, line in added(test_patch) if re.search(r"\w", line)})
    functions = {name.rpartition("::")[2].partition("/")[0] for name in fail_to_pass}
    fresh = {line.strip() for _, line in added(test_patch) if re.search(r"\w{3}", line)}
    language = language_of(path)
    by_name = named(source, functions, fresh, language) if language else iter(())
    return chain(_titled(path, source, fail_to_pass, fresh), by_name)


def _titled(path: str, source: str, fail_to_pass: Sequence[str], fresh: set[str]) -> Iterator[str]:
    """Of the tests that go by a title. Some frameworks name the file in a test's id, some do not."""
    language = language_of(path)
    own = [name for name in fail_to_pass if path in name] or fail_to_pass
    return titled(source, own, fresh, language) if language else iter(())


def _added(test_patch: str) -> Iterator[str]:
    """Of whatever the change adds to test files."""
    for path, lines in groupby(added(test_patch), key=itemgetter(0)):
        language = language_of(path)
        if language and language.name != "go":  # whose messages say nothing without the condition over them
            yield from within([line for _, line in lines], language)


def _bare(path: str, name: str) -> str:
    return re.sub(r"\[.*\]$", "", name.partition(f"{path}::")[2], flags=re.DOTALL)
