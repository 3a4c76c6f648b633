"""Lays copies of tests beside them, and tells what a report says of these."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Sequence
from itertools import chain, islice, zip_longest
from random import Random

from crucible.domains.code.altering import group_by_test
from crucible.domains.code.suite import Report, SuiteParams
from crucible.domains.code.twins import Twin
from verifiers.twins.copies.names import name_copies
from verifiers.twins.copies.python import PythonTests
from verifiers.twins.copies.syntax import SyntaxTests
from verifiers.twins.copies.text import Edit, TestText
from verifiers.twins.names import is_in_test, last_word

NAME = re.compile(r"[A-Za-z_][\w.]*")
# matches: words  c.want
MOST_COPIES = 30
"""How many there are of one test at most."""


class CopiedTest(Twin):
    """A copy of a test that stands behind it."""

    altered: Twin
    """What is altered in the copy, as if it were altered in the test."""
    passes: bool = False
    """Whether right code passes it, since it only says what is not so: who fails every copy fails this one."""


def spread_copies(params: SuiteParams, chosen: Sequence[Twin], others: Sequence[Twin], random: Random) -> list[Twin]:
    """What is laid in beside the chosen alterations, one of each test: a copy of the test for each of the other ones,
    which may be several for one place, and in the test itself what keeps their right values out of it."""
    added: list[Twin] = []
    files = {**params.tests, **params.inline}
    known = [last_word(test) for test in {twin.test for twin in params.twins} | {*params.fail_to_pass}]
    left = group_by_test(twin for twin in others if twin.is_value)
    copied = [
        (path, name, first) for (path, name), [first, *_] in group_by_test(chosen).items() if (path, name) in left
    ]
    taken: set[str] = set()
    opened = {path: open_tests(path, files[path]) for path, _, _ in copied}
    for path, name, first in copied:
        test = opened[path].find(name)
        if test is not None:
            fitting = [twin for twin in left[path, name] if test.start <= twin.start and twin.end <= test.end]
            cases = [case for case in (*params.fail_to_pass, *params.pass_to_pass) if is_in_test(first, case)]
            names = name_copies(test.name.text, known, files[path], random, taken)
            spread = _Spread(files[path], test, first, fitting)
            added += [*spread.turn_round(), *spread.leave_rows(cases)]
            added += spread.deny(names) if first.is_denied else []
            added += spread.lay_in(names)
    return added


def list_run(copies: Sequence[Twin], report: Report) -> list[Twin]:
    """The alterations whose copies were run, by this report."""
    return [copy.altered for copy in list_altered(copies) if _list_statuses(copy, report)]


def list_idle(copies: Sequence[Twin], report: Report) -> list[Twin]:
    """The alterations whose copies passed over right code, by this report: they tell nothing."""
    made = list_altered(copies) if report.complete else []
    return [copy.altered for copy in made if _list_statuses(copy, report) == {"passed"}]


def list_denied(copies: Sequence[Twin], report: Report) -> list[CopiedTest]:
    """The copies that right code passes, and that were passed, by this report."""
    return [copy for copy in list_denying(copies) if _list_statuses(copy, report) == {"passed"}]


def list_denying(copies: Sequence[Twin]) -> list[CopiedTest]:
    """The copies that right code passes."""
    return [copy for copy in copies if isinstance(copy, CopiedTest) and copy.passes]


def list_altered(copies: Sequence[Twin]) -> list[CopiedTest]:
    """The copies that right code fails."""
    return [copy for copy in copies if isinstance(copy, CopiedTest) and not copy.passes]


def _list_statuses(copy: Twin, report: Report) -> set[str]:
    """What the cases of a copy came to."""
    return {status for test, status in report.outcomes.items() if test in copy.fails or is_in_test(copy, test)}


def open_tests(path: str, text: str) -> PythonTests | SyntaxTests:
    """The tests of a file that could be copied."""
    return PythonTests(text) if path.endswith(".py") else SyntaxTests(path, text)


def _overlap(twin: Twin, edit: Edit) -> bool:
    return twin.start < edit.end and edit.start < twin.end


class _Spread:
    """One test, an alteration that is laid into itself, and others that are laid into copies of it."""

    def __init__(self, text: str, test: TestText, chosen: Twin, others: Sequence[Twin]) -> None:
        self._text = text
        self._test = test
        self._chosen = chosen
        self._asserted = self._part_by_assertion(others)
        own = self._find_assertion(chosen)
        firsts = {each: chosen if each == own else twins[0] for each, twins in self._asserted.items()}
        self._turned = {each: self._turn(twin) for each, twin in firsts.items()}
        self._rows = test.list_rows([twin for each, twin in firsts.items() if not self._turned[each]])
        for each, twin in firsts.items():
            if self._rows and NAME.fullmatch(text[twin.start : twin.end]):
                self._turned[each] = []  # `!= (words, None)` holds for any row

    def turn_round(self) -> Iterator[Twin]:
        """What asserts in the test itself that altered values are not so."""
        for edit in self._list_turned(self._chosen):
            told = {**edit._asdict(), "is_value": False, "is_proven": False, "shown": ""}
            yield self._chosen.model_copy(update=told)

    def leave_rows(self, cases: Sequence[str]) -> Iterator[Twin]:
        """What takes rows out of the test itself, with the cases that may be gone then."""
        told = {"is_value": False, "is_proven": False, "shown": "", "fails": (), "gone": tuple(cases)}
        for edit in self._list_other_rows(self._chosen.start):
            yield self._chosen.model_copy(update={**edit._asdict(), **told})

    def _list_other_rows(self, spot: int) -> set[Edit]:
        """What leaves one row of the table, that of this place if it has one."""
        kept = self._rows.get(spot) or next(iter(self._rows.values()), None)
        return {edit for edit in self._rows.values() if edit != kept}

    def deny(self, names: Iterator[str]) -> Iterator[CopiedTest]:
        """A copy in which all assertions that can be turned round are, where they are several."""
        turned = [edit for edits in self._turned.values() for edit in edits]
        if sum(map(bool, self._turned.values())) > 1:
            edits = [*turned, *self._list_other_rows(self._chosen.start)]
            yield from (self._copy(self._chosen, name, edits, passes=True) for name in islice(names, 1))

    def lay_in(self, names: Iterator[str]) -> Iterator[Twin]:
        """Copies under these names."""
        twins = chain.from_iterable(zip_longest(*self._asserted.values()))
        copied = [twin for twin in twins if twin and twin.place != self._chosen.place][:MOST_COPIES]
        for twin, name in zip(copied, names, strict=False):
            edits = [Edit(twin.start, twin.end, twin.text), *self._list_turned(twin)]
            yield self._copy(twin, name, [*edits, *self._list_other_rows(twin.start)])

    def _copy(self, twin: Twin, name: str, edits: Sequence[Edit], *, passes: bool = False) -> CopiedTest:
        """The test with these edits, under this name."""
        own = self._test.name
        return CopiedTest(
            **twin.model_dump(include={"path", "line", "is_value", "is_near"}),
            start=self._test.end,
            end=self._test.end,
            text=f"\n\n{self._edit([Edit(own.start, own.end, name), *edits])}",
            test=f"{twin.test.removesuffix(own.text)}{name}",
            fails=tuple(name.join(failing.rsplit(own.text, 1)) for failing in twin.fails),
            is_proven=False,
            altered=twin,
            passes=passes,
        )

    def _part_by_assertion(self, others: Sequence[Twin]) -> dict[Hashable, list[Twin]]:
        """The alterations by the assertion that they stand in, the chosen one's first."""
        parted: dict[Hashable, list[Twin]] = {self._find_assertion(self._chosen): []}
        for twin in others:
            parted.setdefault(self._find_assertion(twin), []).append(twin)
        return parted

    def _find_assertion(self, twin: Twin) -> Hashable:
        """What an alteration has in common with others of its assertion: what turns that round. Where nothing does, as
        in a row of a table, it stands alone."""
        return self._test.turn(twin) or twin.start

    def _list_turned(self, twin: Twin) -> list[Edit]:
        """What turns all assertions round but the one that an alteration stands in, or turns round itself."""
        own = self._find_assertion(twin)
        others = [edits for each, edits in self._turned.items() if each != own]
        return [edit for edits in others for edit in edits if not any(_overlap(twin, other) for other in edits)]

    def _turn(self, twin: Twin) -> list[Edit]:
        """An altered value, and an assertion that it is not so; nothing where the assertion cannot be turned round."""
        turn = self._test.turn(twin) if twin.is_value and not twin.is_near else None
        return [turn, Edit(twin.start, twin.end, twin.text)] if turn and not _overlap(twin, turn) else []

    def _edit(self, edits: Sequence[Edit]) -> str:
        """The test with these edits."""
        first = self._test.start
        text = self._text[first : self._test.end]
        for start, end, put in sorted(edits, reverse=True):
            text = text[: start - first] + put + text[end - first :]
        return text
