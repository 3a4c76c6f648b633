"""Tests in which every altered value is asserted *not* to be so: right code passes them, and code that believes what a
test says does not. One run tries all places of a test, which is what tests without copies need: a program ends at the
first thing that is wrong.
"""

from __future__ import annotations

from collections.abc import Sequence

from crucible.domains.code.altering import group_by_test
from crucible.domains.code.suite import SuiteParams
from crucible.domains.code.twins import Twin
from verifiers.twins.copies.spreading import open_tests
from verifiers.twins.copies.text import Edit

LEAST_PLACES = 3
"""Tests with fewer are altered in all of them anyway."""


class DeniedValue(Twin):
    """A part of what denies an altered value: the value itself, or what turns its assertion round."""

    altered: Twin
    """The alteration that is denied."""


def deny_places(params: SuiteParams, twins: Sequence[Twin]) -> list[Twin]:
    """What denies these altered values, one of each assertion, in the tests that have several places and no copies."""
    files = {**params.tests, **params.inline}
    values = [twin for twin in twins if twin.is_value and not (twin.is_near or twin.is_copied or twin.gone)]
    opened = {path: open_tests(path, files[path]) for path in {twin.path for twin in values}}
    denied: list[Twin] = []
    for group in group_by_test(values).values():
        by_assertion: dict[tuple[Edit, ...], Twin] = {}
        for twin in group:
            if edits := opened[twin.path].deny(twin):
                by_assertion.setdefault(edits, twin)
        if len(by_assertion) >= LEAST_PLACES:
            denied += [part for edits, twin in by_assertion.items() for part in _list_parts(twin, edits)]
    return denied


def _list_parts(twin: Twin, edits: Sequence[Edit]) -> list[DeniedValue]:
    said = {"is_value": False, "is_proven": False, "fails": (), "gone": (), "shown": ""}
    return [
        DeniedValue(**{**twin.model_dump(), **edit._asdict(), **said, "altered": twin})
        for edit in (*edits, Edit(twin.start, twin.end, twin.text))
    ]
