"""Ways of spoiling a good application (`mutants.toml`), each with the criteria of its rubric that are about it."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, Protocol

from crucible.datafile import read_rows
from crucible.domains.web.rubric import Rubric, Surface
from crucible.proving import NOTHING_TO_SPOIL, Mutation
from crucible.record import Json, Record

TABLE = Path(__file__).with_name("mutants.toml")
SPOIL = Path(__file__).parent / "box/spoil.py"


class Edit(Record):
    """What is looked for in some files of an application, and what takes its place."""

    files: str
    find: str
    replace: str
    needs: str = ""
    """What some file of the application must have, for the edit to spoil anything."""


class WebMutation(Record):
    """A row of the table."""

    name: str
    over: Literal["dom", "script", "style", "server"]
    verifier: str
    about: tuple[str, ...] = ()
    criteria: tuple[str, ...] = ()
    surfaces: tuple[Surface, ...] = ("page", "api")
    edits: tuple[Edit, ...]


class HasRubric(Protocol):
    """The parameters of a check that name a rubric among others."""

    @property
    def rubric(self) -> Rubric: ...


def spoil_execution(params: HasRubric) -> Sequence[Mutation]:
    """The mutations that `app.execution` must notice."""
    return [_with_params(mutation, {"rubric": _dump(left)}) for mutation, left in _list("app.execution", params.rubric)]


def spoil_interaction(params: Rubric) -> Sequence[Mutation]:
    """The mutations that `app.interaction` must notice."""
    return [_with_params(mutation, _dump(left)) for mutation, left in _list("app.interaction", params)]


def spoil_visual(params: HasRubric) -> Sequence[Mutation]:
    """The mutations that `app.visual` must notice."""
    return [_with_params(mutation, {"rubric": _dump(left)}) for mutation, left in _list("app.visual", params.rubric)]


def _with_params(mutation: Mutation, params: dict[str, Json]) -> Mutation:
    return mutation.model_copy(update={"params": params})


def _dump(rubric: Rubric) -> dict[str, Json]:
    return rubric.model_dump(mode="json")


def _list(verifier: str, rubric: Rubric) -> list[tuple[Mutation, Rubric]]:
    """The mutations for a verifier and a rubric, each with what is left of the rubric when only that is looked at which
    is about it."""
    rows = [row for row in read_rows(TABLE, "mutations", WebMutation) if row.verifier == verifier]
    made = [(row, _list_criteria(row, rubric)) for row in rows if rubric.surface in row.surfaces]
    return [
        (Mutation(name=row.name, command=_spoil_command(row), criteria=criteria), narrow_rubric(rubric, criteria))
        for row, criteria in made
        if criteria
    ]


def narrow_rubric(rubric: Rubric, criteria: Sequence[str]) -> Rubric:
    """The rubric with these criteria alone."""
    return rubric.model_copy(
        update={
            "elements": tuple(element for element in rubric.elements if element.name in criteria),
            "workflows": tuple(workflow for workflow in rubric.workflows if workflow.name in criteria),
            "paths": tuple(path for path in rubric.paths if path.startswith(tuple(criteria))),
        }
    )


def _list_criteria(row: WebMutation, rubric: Rubric) -> tuple[str, ...]:
    """The criteria that are about a mutation; none where the rubric does not ask for what it spoils."""
    workflows = [workflow.name for workflow in rubric.workflows if set(workflow.about) & set(row.about)]
    elements = [element.name for element in rubric.elements] if "control" in row.about else []
    return (*workflows, *elements, *row.criteria) if workflows or not row.about else ()


def _spoil_command(row: WebMutation) -> str:
    edits = json.dumps([edit.model_dump() for edit in row.edits])
    return f"python3 -c {shlex.quote(SPOIL.read_text('utf-8'))} {shlex.quote(edits)} {NOTHING_TO_SPOIL}"
