"""What a question shows is told apart: what it has, what it wants, and what was tried."""

from __future__ import annotations

from pipelines.terminal.posts.examples import read_shown


def body(*parts: str) -> str:
    """A question of prose and code in turn."""
    return "".join(f"<pre><code>{part}</code></pre>" if n % 2 else f"<p>{part}</p>" for n, part in enumerate(parts))


def test_a_session_with_a_command_that_nobody_has_shows_what_is_wanted() -> None:
    shown = read_shown(
        body("This is my file", "1\n2\n3\n4", "I would like to get", "% cat file | some_command\n1\n...\n4")
    )
    assert (shown.files, shown.expected) == ({"": "1\n2\n3\n4"}, "1\n...\n4")


def test_a_session_with_commands_that_are_there_shows_what_was_tried() -> None:
    shown = read_shown(body("This is my file", "1\n2\n3\n4", "I get this result", "$ cat file | head -n1\n1"))
    assert shown.expected == ""


def test_a_tree_that_is_wanted_is_neither_a_folder_nor_printed() -> None:
    have, want = "a/\n  one.txt\n  two.txt", "b/\n  one.txt"
    shown = read_shown(body("My folder looks like this", have, "I want a folder like this", want))
    assert (shown.names, shown.expected) == (("a/one.txt", "a/two.txt"), "")


def test_tabs_that_pasting_has_lost_are_there_again() -> None:
    shown = read_shown(body("I have a file with columns separated by tabs", "a  b c   d\n  e"))
    assert shown.files == {"": "a\tb c\td\n  e"}


def test_files_without_an_ending_are_told_by_their_numbers() -> None:
    shown = read_shown(
        body("I have two files. File1:", "a 1", "and file 2 looks like this", "a x", "The file `names` is", "z")
    )
    assert shown.files == {"file1": "a 1", "file2": "a x", "names": "z"}


def test_a_sentence_about_several_files_names_none_of_them() -> None:
    assert read_shown(body("I want to compare file1 with file2, like", "a 1")).files == {"": "a 1"}


def test_two_files_whose_names_are_not_told_are_both_shown() -> None:
    body = (
        "<p>One like this:</p><pre><code>ana 1\nben 2</code></pre><p>And one like this:</p>"
        "<pre><code>leeds 7\nyork 8</code></pre>"
    )
    assert list(read_shown(body).files.values()) == ["ana 1\nben 2", "leeds 7\nyork 8"]
