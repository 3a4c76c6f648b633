"""The rubric of a query: its features bring their parts, so that all that is judged is asked for."""

from __future__ import annotations

from collections.abc import Iterable

from crucible.domains.web.rubric import Rubric, Surface
from pipelines.appdev.model import AppFeature

API = "api"
"""The tag of a feature that is used by requests, and has no page."""


def compose_rubric(features: Iterable[AppFeature]) -> Rubric:
    """The parts that these features bring, as one rubric."""
    features = list(features)
    keeps = any(feature.keeps for feature in features)
    return Rubric(
        surface=find_surface(features),
        elements=tuple(element for feature in features for element in feature.elements),
        workflows=tuple(
            workflow for feature in features for workflow in (*feature.workflows, *(feature.kept if keeps else ()))
        ),
        paths=tuple(path for feature in features for path in feature.paths),
    )


def find_surface(features: Iterable[AppFeature]) -> Surface:
    """How an application with these features is used."""
    return "api" if all(API in feature.tags for feature in features) else "page"
