"""Words that stand for something of the reader's own."""

from __future__ import annotations

import pytest

from crucible.errors import Rejected
from pipelines.terminal.selection.placeholders import (
    resolve_placeholders,
    use_asked_arguments,
    use_asker_names,
    use_local_host,
)


def test_a_path_of_the_readers_own_lies_below_the_folder_and_a_systems_does_not() -> None:
    assert resolve_placeholders("wc -l /data/x.txt /tmp/y.txt") == "wc -l data/x.txt y.txt"
    assert resolve_placeholders("awk '/a/ {print}' /etc/hosts") == "awk '/a/ {print}' /etc/hosts"


def test_only_example_hosts_are_replaced() -> None:
    text = "curl https://www.example.com/a http://example.org http://example.company/x https://real.net/y"
    assert use_local_host(text) == (
        "curl http://localhost:8000/a http://localhost:8000 http://example.company/x https://real.net/y"
    )


def test_a_file_that_the_asker_shows_has_the_askers_name() -> None:
    shown = {"ids.txt": "1\n3\n", "People.txt": "1 ann\n"}
    contents = {"patterns": "1\n3\n", "data": "1 ann\n", "more": "x\n"}
    assert use_asker_names("grep -f patterns data > more", contents, shown) == "grep -f ids.txt People.txt > more"


def test_a_command_of_the_readers_own_cannot_be_resolved() -> None:
    with pytest.raises(Rejected, match="placeholder_unclear"):
        resolve_placeholders("command > out.log 2> err.log")
    assert resolve_placeholders("command ls") == "command ls"


def test_two_values_that_are_only_named_by_themselves_cannot_be_told_apart() -> None:
    with pytest.raises(Rejected, match="placeholder_unclear"):
        resolve_placeholders('grep "$GOOD" notes.txt | grep -v "$BAD"')
    assert resolve_placeholders('grep "$GOOD" notes.txt') == 'GOOD=GOOD\ngrep "$GOOD" notes.txt'


def test_the_arguments_are_those_that_the_question_gives_to_its_script() -> None:
    script = resolve_placeholders('grep -c "$2" "$1"')
    assert use_asked_arguments(script, "./count.sh notes.txt x") == (
        'set -- notes.txt x\ngrep -c "$2" "$1"',
        ("notes.txt", "x"),
    )
    assert use_asked_arguments(script, "./count.sh notes.txt") == (script, ())
    assert use_asked_arguments("grep -c x a.txt", "./count.sh notes.txt x") == ("grep -c x a.txt", ())
