"""A rubric is data that an expert writes: what cannot be meant is refused."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from crucible.domains.web.rubric import Rubric, Step, Workflow


@pytest.mark.parametrize("step", [{}, {"do": "click", "expect": "text"}])
def test_a_step_does_one_thing_or_expects_one(step: dict[str, str]) -> None:
    with pytest.raises(ValidationError, match="either does something or expects something"):
        Step.model_validate(step)


@pytest.mark.parametrize(("surface", "step"), [("window", {"do": "click"}), ("page", {"expect": "picture"})])
def test_a_rubric_asks_only_for_what_can_be_told_of_its_surface(surface: str, step: dict[str, str]) -> None:
    with pytest.raises(ValidationError, match="a program with a window"):
        Rubric.model_validate({"surface": surface, "workflows": [{"name": "it works", "steps": [step]}]})


def test_a_step_names_only_values_that_are_drawn_or_kept_before_it() -> None:
    making = {"do": "send", "method": "POST", "path": "/notes", "body": {"title": "{title}", "size": "{+size * 2}"}}
    told = {"expect": "answer", "keep": {"id": "id"}}
    reading = {"do": "send", "path": "/notes/{id}"}
    rubric = {"name": "a note", "values": {"title": "words", "size": "number"}}
    Workflow.model_validate({**rubric, "steps": [making, told, reading]})
    with pytest.raises(ValidationError, match="'a note' names id; its values are size, title"):
        Workflow.model_validate({**rubric, "steps": [making, reading, told]})


@pytest.mark.parametrize(
    ("asked", "home"),
    [
        ({"workflows": [{"name": "one", "start": "/notes", "steps": []}]}, "/notes"),
        ({"workflows": [{"name": "one", "steps": [{"do": "open", "value": "/new"}]}]}, "/new"),
        ({"workflows": [{"name": "one", "start": "/{name}", "steps": []}]}, "/"),
        ({"workflows": [{"name": "one", "start": "/notes", "steps": []}, {"name": "two", "steps": []}]}, "/"),
        ({"workflows": [{"name": "one", "start": "/notes", "steps": []}], "paths": ["/"]}, "/"),
        ({}, "/"),
    ],
)
def test_an_application_is_opened_where_its_workflows_begin_if_nothing_is_asked_of_its_root(
    asked: dict[str, object], home: str
) -> None:
    assert Rubric.model_validate(asked).home == home
