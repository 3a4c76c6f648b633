"""Each level of hints says a little less; none says what a command is given."""

from __future__ import annotations

import pytest

from crucible.domains.terminal.comparing import ScriptParams
from pipelines.terminal.statements.instruction import write_instruction
from tests.pipelines.terminal.drafted import make_draft


def instruction(script: str, level: int, *paths: str) -> str:
    """What a solver is told of a script in a folder."""
    draft = make_draft(script, *paths)
    return write_instruction(draft, ScriptParams(demands=draft.demands, cases=draft.cases), level, "/workspace", False)


@pytest.mark.parametrize(
    ("script", "hint"),
    [
        ("find . -print0 | xargs -0 wc -l", "`find -print0`, then `xargs -0`, then `wc -l`."),
        ("cut -d_ -f 2 a.txt", "`cut -d -f`."),
    ],
)
def test_the_first_level_has_each_command_with_its_own_options(script: str, hint: str) -> None:
    assert instruction(script, 1, "a.txt").endswith(hint)


def test_of_many_files_those_are_listed_that_the_commands_speak_of() -> None:
    paths = ("a.txt", "b.txt", "c.txt", "d.txt", "logs/e.txt")
    told = instruction("cat logs/* | wc -l", 3, *paths)
    assert "The first example's folder has `logs/e.txt`, `a.txt`, `b.txt`, `c.txt` and others." in told
