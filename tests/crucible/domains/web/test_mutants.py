"""Ways of spoiling an application: they apply where the rubric asks for what they spoil, and say who must notice."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from crucible.datafile import read_rows
from crucible.domains.web.mutants import TABLE, WebMutation, spoil_interaction
from crucible.domains.web.rubric import Rubric, Step, Workflow
from crucible.proving import NOTHING_TO_SPOIL, Mutation

ADDING = Workflow(name="it adds", about=("handler",), steps=(Step(do="reload"),))
KEEPING = Workflow(name="it keeps", about=("state",), steps=(Step(do="reload"),))


def test_there_are_ways_over_everything_that_an_application_is_made_of() -> None:
    rows = read_rows(TABLE, "mutations", WebMutation)
    assert len(rows) >= 15
    assert {row.over for row in rows} == {"dom", "script", "style", "server"}
    assert {row.verifier for row in rows} == {"app.execution", "app.interaction", "app.visual"}


def test_every_edit_can_be_made() -> None:
    for row in read_rows(TABLE, "mutations", WebMutation):
        for edit in row.edits:
            groups = re.compile(edit.find).groups
            assert re.search("()" * groups, "").expand(edit.replace) is not None, row.name  # type: ignore[union-attr]


def test_only_what_a_rubric_asks_for_is_spoilt() -> None:
    spoilt = {mutation.name: mutation for mutation in spoil_interaction(Rubric(workflows=(ADDING,)))}
    assert "handlers-removed" in spoilt
    assert "state-not-kept" not in spoilt


def test_a_mutation_is_judged_by_what_is_about_it_alone() -> None:
    spoilt = {mutation.name: mutation for mutation in spoil_interaction(Rubric(workflows=(ADDING, KEEPING)))}
    mutation = spoilt["state-not-kept"]
    assert mutation.criteria == ("it keeps",)
    assert [workflow.name for workflow in Rubric.model_validate(mutation.params).workflows] == ["it keeps"]


@pytest.fixture
def spoil_state() -> Mutation:
    return next(each for each in spoil_interaction(Rubric(workflows=(KEEPING,))) if each.name == "state-not-kept")


def test_an_edit_is_made_where_there_is_something_to_spoil(tmp_path: Path, spoil_state: Mutation) -> None:
    page = tmp_path / "index.html"
    page.write_text("<html><head></head><script>localStorage.x = 1</script></html>")
    assert subprocess.run(["sh", "-c", spoil_state.command], cwd=tmp_path, check=False).returncode == 0
    assert "Storage.prototype.setItem" in page.read_text()


def test_a_mutation_says_where_there_is_nothing_to_spoil(tmp_path: Path, spoil_state: Mutation) -> None:
    (tmp_path / "index.html").write_text("<html><head></head></html>")
    done = subprocess.run(["sh", "-c", spoil_state.command], cwd=tmp_path, check=False)
    assert done.returncode == NOTHING_TO_SPOIL
