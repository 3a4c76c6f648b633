"""What a written task leaves open is found without running it once more."""

from __future__ import annotations

import pytest

from crucible.domains.terminal.comparing import Case
from crucible.domains.terminal.scenes import Effect, Entry, Scene
from pipelines.terminal.authoring.reading import find_untold
from pipelines.terminal.model import Draft
from tests.pipelines.terminal.authoring.test_rewording import make_draft
from tests.pipelines.terminal.written import GOAL, REGIONS, SALES, SOLUTION


def draft_with(mark: str) -> Draft:
    """A draft whose solution puts a word before each line that it prints, of which the goal says nothing."""
    cases = []
    for sales, regions in zip(SALES, REGIONS, strict=True):
        scene = Scene(entries={"sales.txt": Entry(text=sales)})
        out = "".join(f"{mark}{line}\n" for line in regions.splitlines())
        cases.append(Case(scene=scene, expected=Effect(code=0, out=out, entries=scene.entries)))
    draft = make_draft()
    suggestion = draft.suggestion.model_copy(update={"text": f"{SOLUTION} | sed 's/^/{mark}/'"})
    return draft.model_copy(update={"goal": GOAL, "suggestion": suggestion, "cases": tuple(cases)})


@pytest.mark.parametrize(("mark", "untold"), [("", []), ("zone=", ["not told: zone"])])
def test_a_word_of_the_result_that_the_goal_does_not_say_is_told(mark: str, untold: list[str]) -> None:
    assert [problem.detail for problem in find_untold(draft_with(mark), (4,))] == untold
