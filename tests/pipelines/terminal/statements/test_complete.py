"""An instruction that leaves open what is asserted, or speaks of something else, drops its draft."""

from __future__ import annotations

import pytest

from crucible.domains.terminal.comparing import Case
from crucible.domains.terminal.scenes import Effect, Entry, Scene
from pipelines.terminal.model import Annotation, Draft, Selected, Suggestion, Thread
from pipelines.terminal.statements.complete import other_paths, untold_meanings

ANNOTATION = Annotation(
    quality=1, task_type="", verifiability="", category="", complexity=1, packages=(), alternatives=0
)


def draft(script: str, shows_result: bool = False) -> Draft:
    """A draft in a folder with one file in a folder."""
    entries = {"site/a.txt": Entry(text="x\n")}
    case = Case(scene=Scene(entries=entries), expected=Effect(code=0, out="x\n", entries=entries))
    suggestion = Suggestion(answer=2, text=script)
    thread = Thread(site="x.example", number=1, title="", body="")
    return Draft(
        selected=Selected(thread=thread, suggestions=(suggestion,), annotation=ANNOTATION),
        suggestion=suggestion,
        cases=(case,),
        demands=(),
        repair_rounds=0,
        partials=1,
        alternatives=(),
        shows_input=False,
        shows_result=shows_result,
    )


@pytest.mark.parametrize(
    ("goal", "shows_result", "is_told"),
    [("Lines between marks.", False, False), ("Lines from `a` on.", False, True), ("Lines between marks.", True, True)],
)
def test_a_value_of_which_nobody_says_what_it_is_for_is_missing(goal: str, shows_result: bool, is_told: bool) -> None:
    assert (untold_meanings(draft("awk '/a/ {on = 1} on' f", shows_result), goal) == []) == is_told


@pytest.mark.parametrize(
    ("goal", "is_met"), [("Pack `/var/www/`.", False), ("Pack `/var/site`.", True), ("Pack.", True)]
)
def test_a_question_that_names_other_paths_than_its_answer_is_not_told_so(goal: str, is_met: bool) -> None:
    assert (other_paths(draft("tar cf all.tar site"), goal) == []) == is_met
