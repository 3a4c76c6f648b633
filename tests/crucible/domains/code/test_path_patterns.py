"""Patterns of paths mean the same to whoever makes a task and to whoever judges an attempt at it."""

import pytest

from crucible.domains.code.path_patterns import expand_braces, is_package_code, path_expression, shared_patterns
from crucible.errors import SettingsError


def test_braces_stand_for_every_choice() -> None:
    assert expand_braces("{a,b}.{js,ts}") == ["a.js", "a.ts", "b.js", "b.ts"]
    assert expand_braces("__test{__,}/") == ["__test__/", "__test/"]


def test_no_shared_pattern_has_braces_left() -> None:
    assert not [pattern for name in ("tests", "runner_setup") for pattern in shared_patterns(name) if "{" in pattern]


def test_a_list_that_is_not_there_is_said_to_be_missing() -> None:
    with pytest.raises(SettingsError, match="has no 'fixtures'"):
        shared_patterns("fixtures")


@pytest.mark.parametrize(
    ("pattern", "hits", "misses"),
    [
        ("tests/", ("tests/a.py", "a/tests/b/c"), ("tests", "mytests/a.py")),
        ("fixtures/*", ("fixtures/a/b.json",), ("a/fixtures/b.json",)),
        ("test_*.py", ("test_a.py", "b/test_a.py"), ("test_a/b.py", "a_test_a.py")),
    ],
)
def test_a_pattern_is_a_folder_a_whole_path_or_a_name(
    pattern: str, hits: tuple[str, ...], misses: tuple[str, ...]
) -> None:
    expression = path_expression([pattern])
    assert all(map(expression.match, hits))
    assert not any(map(expression.match, misses))


def test_a_folder_for_tests_within_a_package_is_its_code() -> None:
    assert is_package_code("lib/rack/test/jar.rb")
    assert not is_package_code("test/lib/a.rb")
