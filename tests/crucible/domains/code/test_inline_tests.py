"""Tests within a Rust file are told from the code around them, and exchanged."""

import pytest

from crucible.domains.code import inline_tests as inline
from crucible.domains.code.inline_tests import find_tests, replace_tests

CODE = """//! A crate's own words.

/// It's a word's end: '}' and "{" are no brackets here. /* nor is { */
pub fn brace<'a>(text: &'a str) -> char {
    let raw = r#"#[cfg(test)] mod no { "#; // mod tests {
    if text == raw { '\\'' } else { '\\u{7d}' } /* { /* nested */ } */
}
"""
TESTS = """/// Told apart.
#[cfg(test)]
#[allow(unused)]
mod tests {
    use super::*;

    #[test]
    fn it_is_a_brace() {
        assert_eq!(brace("}"), '}');
    }
}"""
BARE = "#[test]\nfn alone() {\n    assert!(true);\n}"


def found(text: str) -> list[str]:
    return [item.name for item in find_tests(text)]


def test_a_module_of_tests_is_found_whole() -> None:
    assert inline.extract_tests(f"{CODE}\n{TESTS}\n\npub fn after() {{}}\n") == TESTS


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (BARE, ["fn alone"]),
        ("#[cfg(test)]\nmod tests;\nfn code() {}", ["mod tests"]),
        ('#[cfg(all(test, feature = "std"))] mod tests {}', ["mod tests"]),
        ("#[cfg(test)]\nuse a::{b, c};\nfn code() {}", ["use a::"]),
        ("#[tokio::test]\nasync fn waits() {}", ["async fn waits"]),
        ('#[cfg(feature = "test")] mod tests {}', []),
        ("#[cfg(not(test))] mod code {}", []),
        ("#[cfg(any(test, fuzzing))] mod code {}", []),
        ("#[cfg(test)]\nmacro_rules! check { () => {} }", []),
        ("mod inner {\n    #[cfg(test)]\n    mod tests {}\n}", []),
        ("#![cfg(test)]\nmod tests {}", []),
    ],
)
def test_only_what_is_compiled_for_nothing_but_tests_is_a_test(text: str, names: list[str]) -> None:
    assert found(text) == names


def test_tests_take_the_place_of_their_namesakes() -> None:
    mine = f"{CODE}\n{TESTS.replace('it_is_a_brace', 'it_is_mine')}\n\npub fn after() {{}}\n"
    assert replace_tests(mine, TESTS) == f"{CODE}\n{TESTS}\n\npub fn after() {{}}\n"


def test_tests_that_are_not_wanted_go_and_new_ones_come() -> None:
    assert replace_tests(f"{CODE}\n{TESTS}\n", "") == CODE
    assert replace_tests(f"{CODE}\n{TESTS}\n", BARE) == f"{CODE}\n{BARE}\n"
    assert replace_tests(CODE, f"{TESTS}\n\n{BARE}") == f"{CODE}\n{TESTS}\n\n{BARE}\n"


def test_a_file_exchanged_with_itself_is_the_same() -> None:
    whole = f"{CODE}\n{BARE}\n\n{TESTS}\n"
    assert replace_tests(whole, whole) == replace_tests(whole, inline.extract_tests(whole)) == whole


def test_what_does_not_close_has_no_end() -> None:
    assert found("#[cfg(test)] mod tests { /* ") == ["mod tests"]
