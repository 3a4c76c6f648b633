"""Commands, their output and the contents of files come apart."""

from __future__ import annotations

import pytest

from pipelines.terminal.posts.transcripts import Piece, is_shell, read_code


def pieces(text: str) -> list[tuple[str, str]]:
    return [(piece.kind, piece.text) for piece in read_code(text)]


def test_a_session_is_commands_and_what_they_printed() -> None:
    assert pieces("$ ls -l\ntotal 0\n$ cat a | sort\nx\ny") == [
        ("command", "ls -l"),
        ("output", "total 0"),
        ("command", "cat a | sort"),
        ("output", "x\ny"),
    ]


def test_a_command_over_several_lines_stays_whole() -> None:
    assert pieces("user@host:~/tmp$ for f in *; do\n> echo $f\n> done\na") == [
        ("command", "for f in *; do\necho $f\ndone"),
        ("output", "a"),
    ]
    assert pieces("$ echo \\\n  hello\nhello")[0] == ("command", "echo \\\n  hello")


def test_a_prompt_of_root_is_told_from_a_comment() -> None:
    assert read_code("# chmod 600 x\n# ls x\nx")[0] == Piece("command", "chmod 600 x", root=True)
    assert pieces("# all of them\nls") == [("command", "# all of them\nls")]
    assert pieces("$ cat file\n# a heading\ntext") == [("command", "cat file"), ("output", "# a heading\ntext")]


@pytest.mark.parametrize(
    "text",
    [
        "name,age\nbob,3",
        "total 12\ndrwxr-xr-x 2 root root",
        "#!/usr/bin/env python3\nprint(1)",
        ">>> import os\n>>> os.getcwd()",
        "[mail]\nport=25",
        "all: a.o\n\tcc -o all a.o",
    ],
)
def test_what_is_no_shell_is_never_run(text: str) -> None:
    assert pieces(text) == [("content", text)]


@pytest.mark.parametrize(
    "text",
    ["awk -F, '{print $2}' data.csv | sort | uniq -c", "./build.sh && tar cf x.tar out", 'f() { echo "$1"; }\nf a'],
)
def test_a_block_that_calls_commands_is_shell(text: str) -> None:
    assert is_shell(text)


def test_a_command_without_a_prompt_is_told_from_what_it_printed() -> None:
    program = "awk '{\n  print $1\n}' file"
    assert pieces(f"{program}\n\none\ntwo") == [("command", program), ("output", "one\ntwo")]
    assert pieces("jq -r '.[] | type' a.json\nnumber\nstring") == [
        ("command", "jq -r '.[] | type' a.json"),
        ("output", "number\nstring"),
    ]


def test_the_points_of_something_left_out_are_no_prompt_of_python() -> None:
    assert pieces("% cat file | head\n1\n...\n9")[0] == ("command", "cat file | head")


@pytest.mark.parametrize(
    "text", ["id name age\n1 bob 3", "date\nname,age\nbob,3", "sort -u a.txt\nfrob x\nuniq -c a.txt"]
)
def test_a_block_that_begins_like_a_command_is_not_always_one(text: str) -> None:
    assert pieces(text) == [("content", text)]


def test_values_that_are_set_first_belong_to_the_command() -> None:
    script = 'foo="Hello"\nfoo="${foo} World"\necho "${foo}"'
    assert pieces(f"{script}\n> Hello World") == [("command", script), ("output", "> Hello World")]
