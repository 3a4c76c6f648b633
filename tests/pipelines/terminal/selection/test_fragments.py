"""A program that an answer shows alone is run by the command that the question is about, on the question's file."""

from __future__ import annotations

import pytest

from crucible.errors import Rejected
from pipelines.terminal.model import Answer, Thread
from pipelines.terminal.selection.suggestions import runnable_blocks

SHOWN = "<p>I have a file {name}:</p><pre><code>{text}</code></pre>"


def commands(title: str, program: str, body: str) -> list[str]:
    thread = Thread(site="x.example", number=1, title=title, body=body)
    answer = Answer(number=2, body=f"<p>Use this:</p><pre><code>{program}</code></pre>")
    return [block.text for block in runnable_blocks(answer, thread)]


@pytest.mark.parametrize(
    ("title", "program", "name", "command"),
    [
        ("Sum a column with awk", "{ s += $2 }\nEND { print s }", "a.txt", "awk '{ s += $2 }\nEND { print s }' a.txt"),
        ("Replace with sed", "s/a b/c/g", "it", "sed 's/a b/c/g' file.txt"),
        (
            "Filter objects with jq",
            ".[] | select(.id > 3) | .name",
            "a.json",
            "jq '.[] | select(.id > 3) | .name' a.json",
        ),
    ],
)
def test_a_program_alone_is_completed(title: str, program: str, name: str, command: str) -> None:
    assert commands(title, program, SHOWN.format(name=name, text="x 1\ny 2")) == [command]


@pytest.mark.parametrize(
    ("title", "program", "body"),
    [
        ("Sum a column with awk", "{ s += $2 } END { print s }", "<p>No file is shown.</p>"),
        ("Sum a column", "{ s += $2 } END { print s }", SHOWN.format(name="a.txt", text="x 1")),
        ("Sum a column with awk", "int main() { return 0; }", SHOWN.format(name="a.txt", text="x 1")),
        ("Use awk or sed", "s/a/b/", SHOWN.format(name="a.txt", text="x 1")),
    ],
)
def test_what_cannot_be_completed_stays_no_command(title: str, program: str, body: str) -> None:
    with pytest.raises(Rejected, match="no_commands"):
        commands(title, program, body)
