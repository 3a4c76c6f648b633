"""What commands work out and do not print is printed, and told."""

from __future__ import annotations

from crucible.domains.terminal.scenes import Entry, Scene
from pipelines.terminal.conditions import has_condition, turn_condition
from pipelines.terminal.constants import given_values, lift_constants
from pipelines.terminal.partials import partial_scripts
from pipelines.terminal.printed import fill_empty_loops, print_variables


def test_variables_that_are_worked_out_are_printed_at_the_end() -> None:
    printing = print_variables('name=$(basename "$full")\nending="${name##*.}"')
    assert printing is not None
    assert printing.script.endswith('printf \'%s\\n\' "${name[@]}" "${ending[@]}"')
    assert "the value of `name`, then the value of `ending`" in printing.sentence


def test_commands_that_print_are_left_alone() -> None:
    assert print_variables('name=$(basename "$full")\necho "$name"') is None


def test_a_loop_with_only_a_comment_in_it_prints_its_variable() -> None:
    printing = fill_empty_loops('for i in "${parts[@]}"; do\n  # process "$i"\ndone')
    assert printing is not None
    assert printing.script == 'for i in "${parts[@]}"; do printf "%s\\n" "$i"; done'


def test_a_value_that_the_question_gives_is_the_first_input() -> None:
    lifted = lift_constants('a=a\necho "$a" | tr A-Z a-z', given_values('a="Hi all"'))
    assert lifted is not None
    assert lifted.files == {"a.txt": "Hi all\n"}


def test_a_question_whether_a_value_has_a_text_is_tried_with_and_without_it() -> None:
    script = 'if [[ $a == *"My long"* ]]; then echo yes; fi'
    texts = [
        scene.entries["a.txt"].text for scene in turn_condition(Scene(entries={"a.txt": Entry(text="x\n")}), script)
    ]
    assert has_condition(script)
    assert any("My long" in text for text in texts)
    assert len([text for text in texts if "My long" not in text]) > 1


def test_a_file_that_is_asked_for_is_there_in_one_folder_and_not_in_another() -> None:
    scenes = turn_condition(Scene(entries={"other.txt": Entry(text="x\n")}), "if [ ! -f a.txt ]; then echo none; fi")
    assert {"a.txt" in scene.entries for scene in scenes} == {True, False}


def test_each_branch_alone_is_a_partial_solution() -> None:
    partials = partial_scripts('if [ -n "$a" ]; then echo full; else echo empty; fi')
    assert {partial.strip() for partial in partials} == {"echo full", "echo empty"}
