"""What formulas read and what depends on it, and when a second engine is believed."""

from __future__ import annotations

import pytest

from crucible.domains.office.sheets.known_differences import name_differences
from crucible.domains.office.sheets.references import (
    Area,
    find_dependents,
    find_inputs,
    find_unforeseeable,
    is_readable,
    list_areas,
    list_calls,
    list_calls_by_names,
)
from crucible.domains.office.sheets.regression import Book
from crucible.domains.office.sheets.second_opinion import find_unknown_calls, reconcile, trust_reference
from crucible.domains.office.sheets.stored_values import list_forged
from crucible.domains.office.sheets.workbook import Cell, ErrorValue, Place, SheetLook, Value, Values, Workbook


def make_book(names: dict[str, str] | None = None, **cells: object) -> Workbook:
    """A workbook of one sheet `S`; text that begins with = is a formula, a pair is one with its stored value."""
    made = {}
    for at, value in cells.items():
        formula, stored = value if isinstance(value, tuple) else (value, None)
        is_formula = isinstance(formula, str) and formula.startswith("=")
        made[at] = Cell(formula=str(formula), stored=stored) if is_formula else Cell(stored=formula)  # type: ignore[arg-type]
    look = SheetLook(tables={"Prices": "F1:G9"})
    return Workbook({"S": made}, {"S": look}, names or {}, (), (), macros=False, links=())


@pytest.mark.parametrize(
    ("formula", "areas"),
    [
        ("=A1+$B$2", [Area("S", 1, 1, 1, 1), Area("S", 2, 2, 2, 2)]),
        ("=SUM('Two words'!A1:C9)", [Area("Two words", 1, 1, 3, 9)]),
        ("=SUM(B:B)", [Area("S", 2, 1, 2, 1_048_576)]),
        ("=rate*2", [Area("S", 4, 4, 4, 4)]),
        ("=MAX(steps)", [Area("S", 5, 1, 5, 3)]),
        ("=SUM(Prices[Net])", [Area("S", 6, 1, 7, 9)]),
        ('="A1"&unknown', []),
        ("{=SUM(A1:A2*B1:B2)}", [Area("S", 1, 1, 1, 2), Area("S", 2, 1, 2, 2)]),
    ],
)
def test_a_formula_reads_cells_names_and_tables(formula: str, areas: list[Area]) -> None:
    assert list(list_areas(formula, "S", make_book({"rate": "S!$D$4", "steps": "ROUND(S!$E$1:$E$3,0)"}))) == areas


def test_calls_are_named_without_what_programs_write_before_them() -> None:
    assert list_calls(Cell(formula="=_xlfn._xlws.FILTER(A1:A3,_xlfn.XLOOKUP(1,A1:A3,B1:B3))")) == {"FILTER", "XLOOKUP"}


def test_a_malformed_formula_calls_and_reads_nothing() -> None:
    assert list_calls(Cell(formula='=SUM("A1')) == set()
    assert list(list_areas("=SUM(A1))", "S", make_book())) == []


def test_dependents_and_inputs_are_followed_through_other_cells() -> None:
    book = make_book(A1=2, A2=3, B1="=A1*2", C1="=SUM(B1:B9)+1", D1="=A2")
    assert find_dependents(book, [Place("S", "A1")]) == {Place("S", at) for at in ("A1", "B1", "C1")}
    assert find_inputs(book, [Place("S", "C1")]) == {Place("S", "A1")}


def test_what_depends_on_the_clock_or_another_file_cannot_be_foreseen() -> None:
    book = make_book(A1="=TODAY()", B1="=A1+1", C1="=[1]Other!A1", D1="=2+2")
    assert find_unforeseeable(book) == {Place("S", at) for at in ("A1", "B1", "C1")}


def test_a_circle_of_references_comes_to_an_end() -> None:
    book = make_book(A1="=B1", B1="=A1")
    assert find_dependents(book, [Place("S", "A1")]) == {Place("S", "A1"), Place("S", "B1")}
    assert find_inputs(book, [Place("S", "A1")]) == set()


def test_the_second_engine_is_believed_only_with_a_witness() -> None:
    book = make_book(A1="=SUM(_xlfn.VSTACK(C1,D1))", B1="=C1", E1="=A1*2")
    unknown = ErrorValue("#NAME?")
    first: Values = {"S": {"A1": unknown, "B1": 7.0, "E1": unknown}}
    second: Values = {"S": {"A1": 21.0, "B1": 8.0, "E1": 42.0}}
    right: Values = {"S": {"A1": 21.0, "B1": 7.0, "E1": 42.0}}
    assert reconcile(book, first, second, right, tolerance=1e-6) == right
    assert reconcile(book, first, second, {"S": {"A1": 20.0}}, tolerance=1e-6) == first


def test_what_rests_on_a_formula_that_nobody_can_read_is_not_made_right_by_an_engine_that_reads_anything() -> None:
    """A parenthesis too many: the second engine reads what stands before it, and no other program opens the file."""
    unknown = ErrorValue("#NAME?")
    first: Values = {"S": {"A1": unknown, "E1": unknown}}
    right: Values = {"S": {"A1": 30.0, "E1": 60.0}}
    assert reconcile(make_book(A1="=B1+C1)", E1="=A1*2"), first, right, right, tolerance=1e-6) == first
    assert reconcile(make_book(A1="=B1+C1", E1="=A1*2"), first, right, right, tolerance=1e-6) == right


@pytest.mark.parametrize(
    ("formula", "wanted"),
    [
        ("=B1+C1", True),
        ("={1;2}", True),
        ("=_xlfn.LET(_xlpm.x,B1,_xlpm.x+1)", True),
        ("=SUM(Prices[Net])*rate", True),
        ("=SUM(B:B) / 3:3", True),
        ("=B1+C1)", False),
        ("=30UE(B1)", False),
        ("=B1+C1 garbage", False),
        ("=B1+5 6", False),
    ],
)
def test_a_formula_that_no_program_reads_is_known(formula: str, wanted: bool) -> None:
    book = make_book({"rate": "S!$B$2"}, A1=formula)
    assert is_readable(book, Place("S", "A1")) is wanted


def test_a_reference_keeps_its_stored_value_where_no_engine_knows_the_function() -> None:
    book = make_book(A1=("=IMAGE(1)", "a picture"), B1=("=1+1", 3.0))
    values = trust_reference(book, {"S": {"A1": ErrorValue("#NAME?"), "B1": 2.0}}, None, 1e-6)
    assert values == {"S": {"A1": "a picture", "B1": 2.0}}


def test_a_function_that_neither_engine_knows_is_named() -> None:
    book = make_book(A1="=IMAGE(1)", B1="=VSTACK(C1)")
    nothing: Values = {"S": {"A1": ErrorValue("#NAME?"), "B1": ErrorValue("#NAME?")}}
    places = [Place("S", "A1"), Place("S", "B1")]
    assert find_unknown_calls(book, nothing, {"S": {"B1": 4.0}}, places) == {Place("S", "A1"): "IMAGE"}


def test_a_function_that_neither_engine_knows_is_found_behind_names_and_other_cells() -> None:
    unknown = ErrorValue("#NAME?")
    book = make_book({"Best": "_xlfn.CHOOSECOLS(S!$F$1:$G$9,1)"}, A1="=Best", B1="=A1*2", C1="=Nothing")
    nothing: Values = {"S": {"A1": unknown, "B1": unknown, "C1": unknown}}
    places = [Place("S", at) for at in ("A1", "B1", "C1")]
    assert find_unknown_calls(book, nothing, {}, places) == {places[0]: "CHOOSECOLS", places[1]: "CHOOSECOLS"}


def test_functions_are_found_behind_names_of_names_and_names_of_a_sheet() -> None:
    book = make_book({"Best": "Own*2", "S!Own": "_xlfn.TAKE(Best,1)"}, A1="=SUM(Best)", B1="=S!Own")
    assert list_calls_by_names(Place("S", "A1"), book) == {"SUM", "TAKE"}
    assert list_calls_by_names(Place("S", "B1"), book) == {"TAKE"}


def test_a_function_that_neither_engine_knows_is_found_where_its_error_is_hidden() -> None:
    book = make_book(A1="=IFERROR(_xlfn.CHOOSECOLS(F1:G9,1),0)", B1="=IFERROR(SUM(F1:G9),0)")
    shown: Values = {"S": {"A1": 0.0, "B1": 0.0}}
    assert find_unknown_calls(book, shown, shown, [Place("S", "A1"), Place("S", "B1")]) == {
        Place("S", "A1"): "CHOOSECOLS"
    }


def test_a_stored_value_is_forged_unless_programs_are_known_to_disagree() -> None:
    book = make_book(A1=("=1+1", 3.0), B1=('=TEXT(0.5,"?/?")', "1/2"), C1=("=LEN(B1)", 3.0), D1=("=NOW()", 1.0))
    values: Values = {"S": {"A1": 2.0, "B1": "0.5", "C1": 9.0, "D1": 2.0}}
    known = name_differences(book, values)
    assert known == {
        Place("S", "B1"): "TEXT: formats of elapsed time, fractions and text sections",
        Place("S", "C1"): "rests on TEXT",
    }
    assert list(list_forged(Book(book, values), None, known)) == ["S!A1 says 3 and comes to 2"]


NOT_A_NUMBER, NO_NAME = ErrorValue("#NUM!"), ErrorValue("#NAME?")


@pytest.mark.parametrize(
    ("formula", "stored", "value", "why"),
    [
        ("=DAY(B1)", 1.0, 31.0, "DAY: days before March 1900, and dates that are text"),
        ("=DAY(B2)", 1.0, 31.0, ""),
        ("=EDATE(B2,3)", 7.0, 40090.0, ""),
        ("=DATE(2024,5,B1)", 7.0, 45417.0, ""),
        ("=YEARFRAC(1,200)", 0.54, 0.55, "YEARFRAC: days before March 1900, and dates that are text"),
        ("=SQRT(B1)", "#VALUE!", NOT_A_NUMBER, "SQRT: which error is shown"),
        ("=LOOKUP(B1,B2:B3)", "#N/A", "e", "LOOKUP: kinds of values that are mixed, or not in order"),
        ("=LOOKUP(B1,B2:B3)", "d", "e", ""),
        ("=A1", 0.0, ErrorValue("Err:522"), "a circle: what a cell shows that reads itself"),
        ("=IFERROR(_xlfn.TAKE(B1:B3,1),0)", 7.0, 0.0, "TAKE: unknown to the suite"),
        ("=SUM(B1:B3)", 7.0, 6.0, ""),
        ("=SUM(B1:B3)", 7.0, 7.0, ""),
    ],
)
def test_a_known_difference_names_its_function(
    formula: str, stored: Value, value: Value | ErrorValue, why: str
) -> None:
    book = make_book(A1=(formula, stored))
    values: Values = {"S": {"A1": value, "B1": 5.0, "B2": 40000.0, "B3": 40001.0}}
    assert name_differences(book, values).get(Place("S", "A1"), "") == why


def test_cells_that_a_formula_fills_depend_on_it() -> None:
    book = make_book(A1=("=_xlfn.TAKE(F1:F9,3)", 1.0), A2=2.0, B2=("=A2*2", 4.0))
    book.looks["S"].arrays["A1"] = "A1:A3"
    named = name_differences(book, {"S": {"A1": ErrorValue("#NAME?"), "B2": 0.0}})
    assert named == {Place("S", "A1"): "TAKE: unknown to the suite", Place("S", "B2"): "rests on TAKE"}
