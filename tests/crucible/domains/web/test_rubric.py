"""A rubric is data that an expert writes: what cannot be meant is refused."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from crucible.domains.web.rubric import Rubric, Step


@pytest.mark.parametrize("step", [{}, {"do": "click", "expect": "text"}])
def test_a_step_does_one_thing_or_expects_one(step: dict[str, str]) -> None:
    with pytest.raises(ValidationError, match="either does something or expects something"):
        Step.model_validate(step)


@pytest.mark.parametrize(("surface", "step"), [("window", {"do": "click"}), ("page", {"expect": "picture"})])
def test_a_rubric_asks_only_for_what_can_be_told_of_its_surface(surface: str, step: dict[str, str]) -> None:
    with pytest.raises(ValidationError, match="a program with a window"):
        Rubric.model_validate({"surface": surface, "workflows": [{"name": "it works", "steps": [step]}]})


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
