"""Further places of tests that can be altered, kept unproven: whether right code fails them is seen only if an attempt
does not. So a test of many assertions costs a proof no more than one of two, and any of them may be the altered one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, zip_longest

from crucible.domains.code.altering import group_by_test
from crucible.domains.code.suite import SuiteParams
from crucible.domains.code.twins import Twin
from verifiers.twins.names import is_in_test

PLACES_IN_LINE = 6
"""How many of one line: of a list or mapping code may believe one member, and solve the others."""
MOST_PLACES = 60
"""How many are kept at most, as many of each test as of the others."""


def list_unproven(params: SuiteParams, candidates: Sequence[Twin], proven: Sequence[Twin]) -> list[Twin]:
    """An altered value in every other line of the tests of which one was proven, from these candidates."""
    waiting = group_by_test(twin for twin in candidates if twin.is_value)
    rows = [_pick_lines(params, waiting.get(test, ()), group) for test, group in group_by_test(proven).items()]
    return [twin for twin in chain.from_iterable(zip_longest(*rows)) if twin][:MOST_PLACES]


def list_further(params: SuiteParams, groups: Iterable[Sequence[Twin]], draws: Sequence[Sequence[Twin]]) -> list[Twin]:
    """An altered value in every line of these tests but those that are drawn, as if it had been proven."""
    drawn = group_by_test(twin for draw in draws for twin in draw)
    rows = [_pick_lines(params, group, drawn.get((group[0].path, group[0].test), group[:1])) for group in groups]
    return [twin for twin in chain.from_iterable(zip_longest(*rows)) if twin][:MOST_PLACES]


def _pick_lines(params: SuiteParams, candidates: Sequence[Twin], proven: Sequence[Twin]) -> list[Twin]:
    """Alterations in the lines that have no proven one, and in further places of those that have, where these are
    several; as good as the best that was, in the same column of a row; with all cases of the test, since nobody has
    seen which of them fails. None for a test of which only a condition could be altered."""
    file = {**params.tests, **params.inline}[proven[0].path]
    columns = {_count_commas(file, twin) for twin in proven}
    is_near = all(twin.is_near for twin in proven)
    lines, starts = {twin.line for twin in proven}, {twin.start for twin in proven}
    by_line: dict[int, dict[int, Twin]] = {}
    for twin in candidates if any(twin.is_value for twin in proven) else ():
        is_alike = not twin.is_near or (is_near and _count_commas(file, twin) in columns)
        is_new = twin.line not in lines or (len(lines) > 1 and twin.start not in starts)
        if is_alike and is_new:
            by_line.setdefault(twin.line, {}).setdefault(twin.start, twin)
    chosen = [twin for places in by_line.values() for twin in list(places.values())[:PLACES_IN_LINE]]
    cases = [test for test in (*params.fail_to_pass, *params.pass_to_pass) if is_in_test(proven[0], test)]
    fails = tuple(dict.fromkeys([*cases, *(test for twin in proven for test in twin.touched)]))
    return [twin.model_copy(update={"is_proven": False, "fails": fails}) for twin in chosen]


def _count_commas(file: str, twin: Twin) -> int:
    """How many commas stand before a place in its line: of a row of a table, in which column it is."""
    return file.count(",", file.rfind("\n", 0, twin.start) + 1, twin.start)
