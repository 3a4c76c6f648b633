"""A test that wants something refused is asked about what another test wants read."""

from __future__ import annotations

from random import Random

import pytest

from crucible.domains.code.suite import SuiteParams
from verifiers.twins import apply_twins, draft_twins
from verifiers.twins.grading.refusals import exchange_inputs

FILES = {
    "size_test.go": """package tally

func TestReads(t *testing.T) {
	if got := Read("3 kB"); got != 3000 {
		t.Errorf("got %d", got)
	}
}

func TestRefuses(t *testing.T) {
	if _, err := Parse("12 parsecs"); err == nil {
		t.Error("no error")
	}
}
""",
    "test_size.py": """def test_reads():
    assert read("3 kB") == 3000


def test_refuses():
    with pytest.raises(ValueError):
        read("12 parsecs")
""",
}


@pytest.mark.parametrize("path", FILES)
def test_what_another_test_wants_read_takes_the_place_of_what_is_refused(path: str) -> None:
    files = {path: FILES[path]}
    twins = [twin.model_copy(update={"fails": (twin.test,)}) for twin in draft_twins(files, seed="1")]
    params = SuiteParams(tests=files, fail_to_pass=("t",), twins=tuple(twins))
    found = exchange_inputs(params, Random(1))
    altered = apply_twins(files, found)[path]
    assert '("12 parsecs")' not in altered
    assert altered.count('"3 kB"') + altered.count('("got %d"') >= 2
    assert [len(twin.fails) for twin in found] == [1, *[0] * (len(found) - 1)]


@pytest.mark.parametrize(
    ("path", "file"),
    [
        (
            "test_a.py",
            """def test_shares():
    assert share(9, [1, 2]) == [3, 6]


def test_refuses():
    with pytest.raises(ValueError):
        share(5, [3, -1])
""",
        ),
        (
            "a.test.js",
            """test('shares', () => {
  assert.deepEqual(share(9, [1, 2]), [3, 6])
})

test('refuses', () => {
  assert.throws(() => share(5, [3, -1]))
})
""",
        ),
    ],
)
def test_what_is_handed_to_a_function_is_exchanged_as_a_whole(path: str, file: str) -> None:
    twins = [twin.model_copy(update={"fails": (twin.test,)}) for twin in draft_twins({path: file}, seed="1")]
    params = SuiteParams(tests={path: file}, fail_to_pass=("t",), twins=tuple(twins))
    altered = apply_twins({path: file}, exchange_inputs(params, Random(1)))[path]
    assert altered == file.replace("share(5, [3, -1])", "share(9, [1, 2])")


def test_tests_that_expect_values_are_asked_what_they_ask() -> None:
    files = {"test_a.py": "def test_a():\n    assert read('a') == 'b'\n\n\ndef test_b():\n    assert read('c') == 1\n"}
    params = SuiteParams(tests=files, fail_to_pass=("t",), twins=draft_twins(files, seed="1"))
    assert exchange_inputs(params, Random(1)) == []
