"""Values that stand in an answer's commands become inputs."""

from __future__ import annotations

import pytest

from pipelines.terminal.drafting.constants import Asked, given_lists, given_values, lift_constants


@pytest.mark.parametrize(
    ("script", "lifted", "files"),
    [
        ('name="My text"\necho "${#name}"', 'name=$(cat name.txt)\necho "${#name}"', {"name.txt": "My text\n"}),
        ("echo 'a_12_b' | cut -d_ -f2", "cat value.txt | cut -d_ -f2", {"value.txt": "a_12_b\n"}),
        ("cut -d: -f2 <<< 'a:b'", "cut -d: -f2 < value.txt", {"value.txt": "a:b\n"}),
        (
            'declare -a all=("one" "two")\nprintf "%s\\n" "${all[@]}"',
            'mapfile -t all < all.txt\nprintf "%s\\n" "${all[@]}"',
            {"all.txt": "one\ntwo\n"},
        ),
    ],
)
def test_a_value_in_the_commands_moves_into_a_file(script: str, lifted: str, files: dict[str, str]) -> None:
    found = lift_constants(script)
    assert found is not None
    assert (found.script, found.files) == (lifted, files)
    assert all(name in " ".join(found.sentences) for name in files)


@pytest.mark.parametrize(
    "script",
    [
        "re='^[0-9]+$'",
        "LC_ALL=C sort file",
        "x=1\nx=2\necho $x",
        "sort file",
        "echo one | rev\necho two | rev",
    ],
)
def test_settings_patterns_and_values_that_change_stay_where_they_are(script: str) -> None:
    assert lift_constants(script) is None


def test_a_value_that_the_question_gives_is_the_first_input() -> None:
    lifted = lift_constants('a=a\necho "$a" | tr A-Z a-z', Asked(given_values('a="Hi all"')))
    assert lifted is not None
    assert lifted.files == {"a.txt": "Hi all\n"}


def test_a_list_that_the_question_gives_is_the_first_input() -> None:
    lifted = lift_constants('X=X\nprintf "%s-" "${X[@]}"', Asked(lists=given_lists('X=("hello world" moon)')))
    assert lifted is not None
    assert (lifted.files, lifted.as_asked) == ({"X.txt": "hello world\nmoon\n"}, True)
    assert lifted.script.startswith("mapfile -t X < X.txt\n")


def test_a_text_that_the_question_shows_is_read_from_its_file() -> None:
    lifted = lift_constants("echo 'a {b} [1]' | rev", Asked(files={"example.txt": "a {b} [1]\n"}))
    assert lifted is not None
    assert (lifted.script, lifted.as_asked) == ("cat example.txt | rev", True)


@pytest.mark.parametrize(
    ("script", "content"),
    [("printf 'a b\\nc\\t1\\n' | rev", "a b\nc\t1\n"), ("echo '\"hi...\", [1]!' | rev", '"hi...", [1]!\n')],
)
def test_a_text_in_quotes_is_an_input_whatever_it_holds(script: str, content: str) -> None:
    lifted = lift_constants(script)
    assert lifted is not None
    assert lifted.files == {"value.txt": content}


@pytest.mark.parametrize("script", ["printf '%s\\n' | rev", "printf 'a\\0b' | rev", 'echo "a $b" | rev'])
def test_what_is_worked_out_is_no_text(script: str) -> None:
    assert lift_constants(script) is None
