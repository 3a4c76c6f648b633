"""An altered place is known to belong to its test, however the framework's report calls that."""

from __future__ import annotations

import pytest

from crucible.domains.code.suite import SuiteParams
from crucible.domains.code.twins import Twin
from verifiers.twins.drafting import draft_twins
from verifiers.twins.names import failing_first, hidden_first, is_in_test, name_failures


def twin(path: str, test: str) -> Twin:
    return Twin(path=path, start=0, end=0, text="", test=test)


@pytest.mark.parametrize(
    ("path", "test", "reported"),
    [
        ("tests/test_a.py", "TestShelf::test_adds", "tests/test_a.py::TestShelf::test_adds[1-2]"),
        ("tests/test_a.py", "TestShelf::test_adds", "tests.test_a.TestShelf::test_adds"),
        ("test/a.test.js", "shelf > adds", "test/a.test.js::shelf > adds"),
        ("shelf/shelf_test.go", "TestAdds", "example.com/shelf::TestAdds/empty"),
        ("src/lib.rs", "tests::adds", "kiln::src/lib.rs::tests::adds"),
        ("src/test/java/acme/ShelfTest.java", "ShelfTest::adds", "acme.ShelfTest::adds"),
        ("tests/parse.c", "", "tests/parse"),
    ],
)
def test_a_place_belongs_to_its_test(path: str, test: str, reported: str) -> None:
    assert is_in_test(twin(path, test), reported)


@pytest.mark.parametrize(
    ("path", "test", "reported"),
    [
        ("tests/test_a.py", "test_adds", "tests/test_a.py::test_adds_more"),
        ("tests/test_a.py", "test_adds", "tests/test_b.py::test_adds"),
        ("tests/test_a.py", "TestShelf::test_adds", "tests/test_a.py::TestBox::test_adds"),
        ("shelf/shelf_test.go", "TestAdd", "example.com/shelf::TestAdds"),
    ],
)
def test_a_place_does_not_belong_to_another_test(path: str, test: str, reported: str) -> None:
    assert not is_in_test(twin(path, test), reported)


def test_a_test_that_is_named_after_the_class_that_inherits_it_is_known() -> None:
    place = twin("tests/test_a.py", "Base::test_adds")
    named = name_failures([place], ["tests/test_a.py::Child::test_adds"])
    assert named[place] == ("tests/test_a.py::Child::test_adds",)


def test_a_failure_that_nothing_names_goes_to_the_only_place_without_one() -> None:
    first, second = twin("t/a.test.js", "shelf > adds"), twin("t/a.test.js", "shelf > `${n}`")
    named = name_failures([first, second], ["t/a.test.js::shelf > adds", "t/a.test.js::shelf > 3"])
    assert named == {first: ("t/a.test.js::shelf > adds",), second: ("t/a.test.js::shelf > 3",)}


def test_a_program_that_holds_several_tests_fails_for_each_of_them() -> None:
    adds, takes = (Twin(path="tests/test_ring.c", start=0, end=1, text="x", test=name) for name in ("adds", "takes"))
    assert name_failures([adds, takes], ["test_ring"]) == {adds: ("test_ring",), takes: ("test_ring",)}


def test_a_script_is_known_by_its_name_up_to_the_first_dot() -> None:
    adds, takes = twin("tests/adds.case.sh", ""), twin("tests/takes.case.sh", "")
    assert name_failures([adds, takes], ["takes", "adds"]) == {adds: ("adds",), takes: ("takes",)}


BASE = "def test_phase():\n    assert phase(1) == 'new'\n    assert phase(2) == 'full'\n"
NOW = BASE + "    assert phase(3) == 'half'\n\n\ndef test_age():\n    assert age(1) == 1\n"
OF_BOTH = SuiteParams(tests={"test_a.py": NOW}, fail_to_pass=("test_a.py::test_phase", "test_a.py::test_age"))


def test_alterations_stand_where_the_base_does_not_show_them() -> None:
    drafted = draft_twins({"test_a.py": NOW}, seed="1")
    hidden = hidden_first(OF_BOTH, drafted, {"test_a.py": BASE})
    assert {twin.line for twin in hidden} == {4, 8}
    assert hidden_first(OF_BOTH, drafted, {"test_a.py": NOW}) == list(drafted), "where it shows all, any will do"


def test_an_altered_text_is_one_that_another_test_expects() -> None:
    altered = {twin.text for twin in draft_twins({"test_a.py": NOW}, seed="1") if twin.is_value and twin.line < 5}
    assert altered <= {"'new'", "'full'", "'half'"}


def test_alterations_come_first_where_the_tests_fail_over_the_base() -> None:
    twins = [
        Twin(path="tests/test_a.py", start=0, end=1, text="", line=line, is_value=line != 8) for line in (3, 8, 9, 40)
    ]
    log = "tests/test_a.py:9: in test_it\n    assert f() == 1\nE   assert 2 == 1\ntests/test_ab.py:3: in test_b"
    assert [twin.line for twin in failing_first(twins, log)] == [9, 3, 40, 8]


def test_a_test_whose_name_begins_with_anothers_is_not_its_case() -> None:
    draw = [twin("a.test.js", "reads"), twin("a.test.js", "reads more")]
    failing = ["a.test.js::reads", "a.test.js::reads more", "a.test.js::reads (2)"]
    assert list(name_failures(draw, failing).values()) == [(failing[0], failing[2]), (failing[1],)]
