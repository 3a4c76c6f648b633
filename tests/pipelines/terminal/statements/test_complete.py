"""An instruction that leaves open what is asserted, or speaks of something else, drops its draft."""

from __future__ import annotations

import pytest

from crucible.errors import Rejected
from pipelines.terminal.statements.complete import check_complete, other_paths, untold_meanings
from tests.pipelines.terminal.drafted import make_draft


@pytest.mark.parametrize(
    ("goal", "shows_result", "is_told"),
    [("Lines between marks.", False, False), ("Lines from `a` on.", False, True), ("Lines between marks.", True, True)],
)
def test_a_value_of_which_nobody_says_what_it_is_for_is_missing(goal: str, shows_result: bool, is_told: bool) -> None:
    assert (
        untold_meanings(make_draft("awk '/a/ {on = 1} on' f", "f", shows_result=shows_result), goal) == []
    ) == is_told


@pytest.mark.parametrize(
    ("goal", "is_met"), [("Pack `/var/www/`.", False), ("Pack `/var/site`.", True), ("Pack.", True)]
)
def test_a_question_that_names_other_paths_than_its_answer_is_not_told_so(goal: str, is_met: bool) -> None:
    assert (other_paths(make_draft("tar cf all.tar site", "site/a.txt"), goal) == []) == is_met


@pytest.mark.parametrize(("shows_result", "is_kept"), [(True, True), (False, False)])
def test_what_cannot_be_told_needs_a_question_that_shows_it(shows_result: bool, is_kept: bool) -> None:
    draft = make_draft("pr -mt a.txt b.txt", "a.txt", "b.txt", shows_result=shows_result)
    if is_kept:
        check_complete(draft, "")
    else:
        with pytest.raises(Rejected, match="what pr does"):
            check_complete(draft, "")
