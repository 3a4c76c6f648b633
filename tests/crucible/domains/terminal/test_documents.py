"""JSON, CSV and INI files are equal when they say the same."""

from __future__ import annotations

import pytest

from crucible.domains.terminal.comparing import Case, Demand, are_equal
from crucible.domains.terminal.scenes import Effect, Entry, Scene
from pipelines.terminal.drafting.demands import derive_demands

PAIRS = [
    ("a.json", '{"a": 1, "b": [2]}', '{\n  "b": [2],\n  "a": 1\n}\n'),
    ("a.csv", 'x,"y"\n1,2\n', "x,y\n1,2"),
    ("a.ini", "[s]\nk = v\n", "[s]\nk=v\n"),
]


def effect(path: str, text: str) -> Effect:
    return Effect(code=0, entries={path: Entry(text=text)})


@pytest.mark.parametrize(("path", "one", "other"), PAIRS)
def test_another_form_is_equal_where_meaning_counts(path: str, one: str, other: str) -> None:
    case = Case(scene=Scene(), expected=effect(path, one))
    assert are_equal(case, effect(path, other), (Demand(about="files", sentence="x", by_meaning=True),))
    assert not are_equal(case, effect(path, other), (Demand(about="files", sentence="x"),))


@pytest.mark.parametrize(("path", "one", "other"), PAIRS)
def test_another_value_is_not_equal(path: str, one: str, other: str) -> None:
    case = Case(scene=Scene(), expected=effect(path, one))
    changed = other.replace("2", "3").replace("k=v", "k=w")
    assert not are_equal(case, effect(path, changed), (Demand(about="files", sentence="x", by_meaning=True),))


def test_comments_of_an_ini_file_count() -> None:
    case = Case(scene=Scene(), expected=effect("a.ini", "# why\n[s]\nk=v\n"))
    assert not are_equal(case, effect("a.ini", "[s]\nk=v\n"), (Demand(about="files", sentence="x", by_meaning=True),))


def test_where_only_the_form_changes_the_form_counts() -> None:
    scene = Scene(entries={"raw.json": Entry(text='{"a": 1}\n')})
    formatted = Case(scene=scene, expected=Effect(code=0, entries={"raw.json": Entry(text='{\n  "a": 1\n}\n')}))
    [demand] = derive_demands("jq . raw.json > x; mv x raw.json", [formatted])
    assert not demand.by_meaning
    changed = Case(scene=scene, expected=Effect(code=0, entries={"raw.json": Entry(text='{"a": 2}\n')}))
    [demand] = derive_demands("jq '.a = 2' raw.json > x; mv x raw.json", [changed])
    assert demand.by_meaning
    assert "what they say" in demand.sentence
