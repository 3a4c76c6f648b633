"""The library that comes along: every meta-query leads to queries, and what is judged is asked for."""

from __future__ import annotations

import re
from random import Random

import pytest

from crucible.domains.web.rubric import Workflow
from crucible.domains.web.values import draw_values, fill_json, fill_text
from pipelines.appdev.library import load_features, load_library
from pipelines.appdev.rubrics import compose_rubric
from pipelines.queries.expanding import expand
from pipelines.queries.judging import judge_query

METAS = sorted(load_library().metas)
FEATURES = sorted(load_features())


def test_there_are_meta_queries_for_every_domain() -> None:
    metas = load_library().metas.values()
    assert len(metas) >= 25
    assert {meta.domain for meta in metas} == {"frontend", "backend", "desktop", "mobile-web", "simulation"}


@pytest.mark.parametrize("name", METAS)
async def test_what_a_meta_query_leads_to_is_worth_a_task(name: str) -> None:
    library = load_library()
    for number in range(5):
        query = expand(library.metas[name], library, number)
        assert len(await judge_query(query, library, None, 1.0)) == 10
        rubric = compose_rubric(load_features()[feature] for feature in query.choice.features)
        assert rubric.workflows
        assert len({workflow.name for workflow in rubric.workflows}) == len(rubric.workflows)


@pytest.mark.parametrize("name", FEATURES)
def test_what_a_feature_looks_for_stands_in_its_sentences(name: str) -> None:
    feature = load_features()[name]
    asked = " ".join(feature.asks).casefold()
    if name == "todo-filter":
        asked += " ".join(load_features()["todo"].asks).casefold()
    for workflow in (*feature.workflows, *feature.kept):
        for word in _sought(workflow):
            assert word.casefold() in asked, f"{workflow.name}: {word}"
    for element in feature.elements:
        assert all(word.casefold() in asked for word in element.at.names), element.name


@pytest.mark.parametrize("name", FEATURES)
def test_every_place_in_braces_can_be_filled(name: str) -> None:
    feature = load_features()[name]
    for workflow in (*feature.workflows, *feature.kept):
        values = draw_values(workflow.values, Random(1)) | dict.fromkeys(_kept_names(workflow), "x1")
        for step in workflow.steps:
            texts = (step.value, step.text, step.path, step.at.within, *step.at.names)
            assert not any("{" in fill_text(text, values) for text in texts)
            fill_json(step.body, values)
            fill_json(step.answer, values)


def test_data_must_be_kept_only_where_that_is_asked_for() -> None:
    todo, keeps = load_features()["todo"], load_features()["keeps-data"]
    forgetful, lasting = compose_rubric([todo]), compose_rubric([todo, keeps])
    assert {workflow.name for workflow in lasting.workflows} - {workflow.name for workflow in forgetful.workflows} == {
        "a task is still there after a reload"
    }


def test_an_application_without_a_page_is_used_by_requests() -> None:
    features = load_features()
    assert compose_rubric([features["rest-crud"], features["statistics"]]).surface == "api"
    assert compose_rubric([features["guestbook"]]).surface == "page"


def _sought(workflow: Workflow) -> list[str]:
    """The fixed words that a workflow looks for: names of elements and texts, without drawn values."""
    words = [word for step in workflow.steps for word in (*step.at.names, step.text if step.expect != "url" else "")]
    return [word for word in words if word and not re.search(r"\{|\d", word)]


def _kept_names(workflow: Workflow) -> list[str]:
    return [name for step in workflow.steps for name in step.keep]
