"""A question about a repository needs a repository that has what it is about."""

from __future__ import annotations

import pytest

from crucible.domains.terminal.comparing import Case, Demand
from crucible.domains.terminal.repositories import Repository
from crucible.domains.terminal.scenes import Effect, Scene
from crucible.errors import Rejected
from pipelines.terminal.drafting.relevance import check_points
from pipelines.terminal.model import Annotation, Draft, Selected, Suggestion, Thread

COMMIT = "0123456789 parents ({parents}) tree 1 by Robin: Start"


def draft(title: str, parents: str) -> Draft:
    scene = Scene(repositories={".": Repository(head="main", commits=(COMMIT.format(parents=parents),))})
    annotation = Annotation(
        quality=1,
        task_type="change",
        verifiability="execution",
        category="git",
        complexity=1,
        packages=(),
        alternatives=0,
    )
    thread = Thread(site="x.example", number=1, title=title)
    return Draft(
        selected=Selected(thread=thread, suggestions=(), annotation=annotation),
        suggestion=Suggestion(answer=2, text="git reset --hard HEAD~1"),
        cases=(Case(scene=scene, expected=Effect(code=0)),),
        demands=(Demand(about="repository", sentence="It leaves the repository as it was."),),
        repair_rounds=0,
        partials=0,
        alternatives=(),
        shows_input=False,
        shows_result=False,
    )


def test_undoing_a_merge_needs_a_merge() -> None:
    made = draft("Undo a merge", "aaaa")
    with pytest.raises(Rejected, match="point_not_tested"):
        check_points(made.selected.thread, made)
    made = draft("Undo a merge", "aaaa bbbb")
    check_points(made.selected.thread, made)


def test_a_question_about_commits_needs_nothing_more() -> None:
    made = draft("Delete a commit", "aaaa")
    check_points(made.selected.thread, made)
