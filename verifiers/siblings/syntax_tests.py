"""Makes siblings of tests in languages that have a grammar, by edits of their text.

As in Python, an assertion becomes a note of the answer that it is about, and of a table of cases one is taken. The text
that comes of it is read again, and the values in it that are left are altered.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import count
from random import Random

from tree_sitter import Node

from crucible.domains.code.siblings import RAISED, Sibling
from crucible.domains.code.suite import SuiteParams
from crucible.domains.code.syntax_trees import node_text
from crucible.domains.code.twins import Twin
from crucible.record import digest
from verifiers.siblings.plan import MOST_TESTS, SAME, list_plan, name_sibling
from verifiers.siblings.syntax_claims import SyntaxClaims
from verifiers.siblings.syntax_inputs import alter_inputs, list_rows, resolve_table
from verifiers.siblings.syntax_rules import SiblingRules, sibling_rules
from verifiers.twins.copies.syntax import SyntaxTest, SyntaxTests
from verifiers.twins.copies.text import Edit
from verifiers.twins.names import is_in_test, last_word
from verifiers.twins.places.syntax_file import SyntaxFile, Test, read_syntax

PLACEHOLDER = re.compile(r"%[a-z#%]|\$\{?[\w.]+\}?")
# matches the parts of a name that differ by row: %s  $given


def draft_syntax(params: SuiteParams) -> list[Sibling]:
    """Siblings of the tests that must start to pass, of as many as there may be."""
    made: list[Sibling] = []
    tests = 0
    for path, text in params.tests.items():
        file, rules = read_syntax(path, text), sibling_rules(path)
        if file is None or rules is None:
            continue
        for test, span in _list_wanted(path, file, params.fail_to_pass):
            if tests < MOST_TESTS and (own := list(_make_siblings(path, file, rules, test, span))):
                made += own
                tests += 1
    return made


def _list_wanted(path: str, file: SyntaxFile, wanted: Sequence[str]) -> Iterator[tuple[Test, SyntaxTest]]:
    """The outermost tests of a file that one of these belongs to, where each stands alone under its name."""
    known = SyntaxTests(path, file.text)
    for test in file.tests:
        name = file.name_at(test.node)
        is_inner = any(each.is_test and each.node != test.node for each in file.list_around(test.node))
        is_wanted = name and test.is_test and not is_inner and any(_is_case(path, name, each) for each in wanted)
        if is_wanted and (span := known.find(name or "")):
            yield test, span


def _is_case(path: str, name: str, case: str) -> bool:
    """Whether a test, as a report calls it, is this one or made of it for a row."""
    if is_in_test(Twin(path=path, start=0, end=0, text="", line=1, test=name), case):
        return True
    words = [re.escape(word) for word in PLACEHOLDER.split(last_word(name))]
    file, _, called = case.partition("::")
    return file == path and len(words) > 1 and re.search(".*".join(words) + "$", called) is not None


def _make_siblings(path: str, file: SyntaxFile, rules: SiblingRules, test: Test, span: SyntaxTest) -> Iterator[Sibling]:
    """A few with the inputs as they are, and others; none of a test whose answers cannot be seen."""
    seen: set[str] = set()
    own = file.name_at(test.node) or ""
    random = Random(digest(path, own, file.text))
    maker = _SiblingMaker(file, rules, test, span)
    for kind, is_alone in list_plan(maker.has_rows) if maker.has_claims else ():
        name = name_sibling(path, own, len(seen), "Test" if span.name.text.startswith("Test") else "test")
        laid = maker.make(name, None if kind == SAME else random)
        text = alter_inputs(path, laid, rules, kind, random, is_alone)
        if text is None or (kind != SAME and text == laid) or (source := text.replace(name, "")) in seen:
            continue
        seen.add(source)
        yield Sibling(path=path, test=own, name=name, kind=kind, text=text, alters_one=is_alone)


class _SiblingMaker:
    """Lays out one test as siblings of it, with its inputs as they are."""

    def __init__(self, file: SyntaxFile, rules: SiblingRules, test: Test, span: SyntaxTest) -> None:
        self._file = file
        self._rules = rules
        self._span = span
        self._claims = [claim for claim in SyntaxClaims(file, rules).find() if self._holds(claim.node)]
        self.has_claims = bool(self._claims)
        inner = [captures["body"][0] for captures in file.match(rules.bodies)]
        bodies = [body for body in (test.body, *inner) if body and self._holds(body)]
        self._bodies = {self._inside(body): None for body in bodies}
        found = [captures["table"][0] for captures in file.match(rules.tables)]
        self._tables = {resolve_table(file, table): table for table in found if self._holds(table)}
        self.has_rows = any(len(list_rows(value)) > 1 for value in self._tables)

    def make(self, name: str, random: Random | None) -> str:
        """The text of the test under this name, noting what it is answered; with one row of each table, if one is to be
        chosen."""
        places = (f'"{name}", {place}' for place in count())
        raised = f'"{name}", {RAISED}'
        own = self._span.name
        edits = [Edit(own.start, own.end, name)]
        for claim in self._claims:
            edits.append(self._edit(claim.node, claim.write(places)))
        for start, end in self._bodies:
            edits.append(Edit(start, start, self._rules.before.replace("{raised}", raised)))
            edits.append(Edit(end, end, self._rules.after.replace("{raised}", raised)))
        for value, table in self._tables.items():
            edits += self._take_row(value, table, random) if random else ()
        return self._apply(edits)

    def _take_row(self, value: Node, table: Node, random: Random) -> Iterator[Edit]:
        """What leaves one row of a table, which stands in the test, or else is written into it."""
        rows = list_rows(value)
        if len(rows) < 2:
            return
        row = node_text(random.choice(rows))
        start, end = rows[0].start_byte, rows[-1].end_byte
        if self._holds(value):
            yield Edit(self._file.offset(start), self._file.offset(end), row)
        elif value != table:
            data = self._file.data
            text = data[value.start_byte : start].decode() + row + data[end : value.end_byte].decode()
            yield self._edit(table, text)

    def _apply(self, edits: Sequence[Edit]) -> str:
        """The test with these edits, but for those within another one."""
        outer = [
            edit
            for edit in dict.fromkeys(edits)
            if not any(
                other != edit and other.start <= edit.start and edit.end <= other.end and other.start < other.end
                for other in edits
            )
            or edit.start == edit.end
        ]
        first = self._span.start
        text = self._file.text[first : self._span.end]
        for start, end, put in sorted(outer, key=lambda edit: (edit.start, edit.end), reverse=True):
            text = text[: start - first] + put + text[end - first :]
        return text

    def _edit(self, node: Node, text: str) -> Edit:
        return Edit(self._file.offset(node.start_byte), self._file.offset(node.end_byte), text)

    def _inside(self, body: Node) -> tuple[int, int]:
        """Where the statements of a body begin and end."""
        start, end = self._file.offset(body.start_byte), self._file.offset(body.end_byte)
        has_brackets = bool(body.children) and node_text(body.children[0]) == "{"
        return (start + 1, end - 1) if has_brackets else (start, end)

    def _holds(self, node: Node) -> bool:
        start, end = self._file.offset(node.start_byte), self._file.offset(node.end_byte)
        return self._span.start <= start and end <= self._span.end
