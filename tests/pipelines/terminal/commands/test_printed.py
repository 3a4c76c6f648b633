"""What commands work out and do not print is printed, and told."""

from __future__ import annotations

from pipelines.terminal.commands.printed import fill_empty_loops, print_variables


def test_variables_that_are_worked_out_are_printed_at_the_end() -> None:
    printing = print_variables('name=$(basename "$full")\nending="${name##*.}"')
    assert printing is not None
    assert printing.script.endswith('printf \'%s\\n\' "${name[@]}" "${ending[@]}"')
    assert "(`name`, then `ending`)" in printing.sentence


def test_commands_that_print_are_left_alone() -> None:
    assert print_variables('name=$(basename "$full")\necho "$name"') is None


def test_a_loop_with_only_a_comment_in_it_prints_its_variable() -> None:
    printing = fill_empty_loops('for i in "${parts[@]}"; do\n  # process "$i"\ndone')
    assert printing is not None
    assert printing.script == 'for i in "${parts[@]}"; do printf "%s\\n" "$i"; done'


def test_what_an_assignment_takes_is_not_printed_yet() -> None:
    assert print_variables('name=$(echo "$full" | cut -d. -f1)') is not None
