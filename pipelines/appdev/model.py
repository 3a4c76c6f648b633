"""The nouns of the pipeline: features that bring their part of the rubric, and queries on their way to a task."""

from __future__ import annotations

from pydantic import Field

from crucible.domains.web.rubric import ExpectedElement, Workflow
from crucible.record import Record
from pipelines.queries.judging import Finding
from pipelines.queries.model import Feature, Query


class AppFeature(Feature):
    """Something that a query can ask an application for, and how one sees that it is there: a file of `features/`."""

    elements: tuple[ExpectedElement, ...] = ()
    workflows: tuple[Workflow, ...] = ()
    kept: tuple[Workflow, ...] = ()
    """Workflows that count where the query also asks for a feature that `keeps` data."""
    keeps: bool = False
    paths: tuple[str, ...] = ()
    """Addresses that must work when they are opened directly."""


class AppQuery(Record):
    """A query for an application."""

    query: Query
    solution: dict[str, str] = Field(default_factory=dict)
    """The files of an application that its author holds to be good, by path; most queries have none."""
    findings: tuple[Finding, ...] = ()
    """What was found about the query when it was judged."""

    @property
    def id(self) -> str:
        return f"appdev-{self.query.id}"
