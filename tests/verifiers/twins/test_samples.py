"""Twins of all test files of the sample repositories."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.verifiers.twins.drafted import differs_in_one_place, parses_like
from verifiers.twins import apply_twins, draft_twins

SAMPLES = Path(__file__).parents[3] / "sample_data" / "swe"
TEST_FILE = re.compile(r"/(?:tests?|t|spec)/|_test\.go$")
# matches: shelf/base/tests/test_isbn.py  tally/base/size_test.go
HOLDS_NO_TEST = ("conftest.py", "check.h", "run.sh")
"""Files among the tests that assert nothing."""


def read_test_files() -> dict[str, str]:
    """The samples' test files by path."""
    files = {str(file.relative_to(SAMPLES)): file for file in SAMPLES.glob("*/base/**/*") if file.is_file()}
    chosen = {path: file for path, file in files.items() if TEST_FILE.search(path)}
    return {path: file.read_text() for path, file in chosen.items() if not path.endswith(HOLDS_NO_TEST)}


FILES = read_test_files()


@pytest.mark.parametrize("path", sorted(FILES))
def test_every_twin_of_a_sample_parses_and_differs_in_one_place(path: str) -> None:
    text = FILES[path]
    for twin in draft_twins({path: text}, seed="samples"):
        altered = apply_twins({path: text}, [twin])[path]
        assert differs_in_one_place(twin, text, altered)
        assert parses_like(path, text, altered)
        assert text.count("\n", 0, twin.start) + 1 == twin.line


def test_nine_of_ten_test_files_of_the_samples_have_a_twin() -> None:
    with_twins = [path for path, text in FILES.items() if draft_twins({path: text}, seed="samples")]
    assert len(with_twins) >= 0.9 * len(FILES)


def test_the_tests_of_every_sample_repository_have_twins() -> None:
    repositories = {path.partition("/")[0] for path in FILES}
    assert repositories == {twin.path.partition("/")[0] for twin in draft_twins(FILES, seed="samples")}
