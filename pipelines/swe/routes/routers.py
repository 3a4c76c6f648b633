"""Routers for pull requests by rules: commit types, labels, words of title and statement, shape of the change."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from crucible.datafile import row, rows
from crucible.mining import Route
from crucible.parts import router
from crucible.record import Record
from pipelines.swe.model import PullRequest
from pipelines.swe.routes import shapes

HERE = Path(__file__).parent

ISSUE_REFERENCE = re.compile(
    r"\b(?:fix(?:e[sd])?|close[sd]?|resolve[sd]?)(?: issue)?[ :]*(?:[\w./-]*#\d+|https?://\S+)"
)
"""Of whatever kind an issue is, a change to it is said to fix it."""
QUOTED_WORD = re.compile(r"(?<!\w)(['\"`])[^'\"`]+\1(?!\w)")
"""A word that is talked about, not said."""
IDLE_FIX = re.compile(
    r"\ban? fixed\b|\bfix(?:e[sd]|ing)?(?: (?:a|all|some|few|minor|more|the|broken))* "
    r"(?:\w*lint\w*|clippy|typos?|warnings?|spelling|indentation|formatting|(?:java|go)?docs?|links?)\b|\blint fixes\b"
)
"""Nothing that a test could notice."""
LATER, FARTHEST = 0.001, 20
"""What a word of the title loses with each word before it: of two that are as sure, the first says what it is about."""
COMMIT_TYPE = re.compile(r"([a-z]+)(\([^)]*\))?!?: ")


class Signs(Record):
    """One route of `routes.toml`: what gives it away."""

    kind: str
    commit: tuple[str, ...]
    label: tuple[str, ...]
    word: tuple[str, ...]
    phrase: tuple[str, ...]


class Weights(Record):
    """How much each sign counts."""

    commit: float
    label: float
    word: float
    phrase: float
    model: float
    least: float


@router("bugfix")
def bugfix(item: PullRequest) -> Route | None:
    """Something was wrong and is put right."""
    return _strongest("bugfix", item)


@router("feature")
def feature(item: PullRequest) -> Route | None:
    """Something is there that was not there before."""
    return _strongest("feature", item)


@router("performance")
def performance(item: PullRequest) -> Route | None:
    """The same, faster."""
    return _strongest("performance", item)


@router("refactoring")
def refactoring(item: PullRequest) -> Route | None:
    """The same, better arranged."""
    return _strongest("refactoring", item)


@router("test")
def test(item: PullRequest) -> Route | None:
    """Tests for what is there."""
    return _strongest("test", item)


@router("other")
def other(item: PullRequest) -> Route | None:
    """Documentation, dependencies, releases: whatever is none of the others."""
    return _strongest("other", item)


def _strongest(kind: str, item: PullRequest) -> Route | None:
    found = sorted(_matching_signs(_signs()[kind], item), reverse=True)
    if not found:
        return None
    return Route(kind=kind, confidence=found[0][0], why="; ".join(why for _, why in found))


def _matching_signs(signs: Signs, pull: PullRequest) -> Iterator[tuple[float, str]]:
    weights = load_weights()
    title = pull.title.lower()
    typed = COMMIT_TYPE.match(title)
    if typed and typed[1] in signs.commit:
        yield weights.commit, f"commit type '{typed[1]}'"
    for label in pull.labels:
        if label.lower() in signs.label:
            yield weights.label, f"label '{label}'"
    for place, word in enumerate(re.findall(r"[a-z]+", _without_idle_words(title))):
        if word in signs.word:
            yield weights.word - LATER * min(place, FARTHEST), f"title says '{word}'"
    statement = " ".join(pull.statement.lower().split())
    for phrase in signs.phrase:
        if phrase in statement:
            yield weights.phrase, f"the statement says '{phrase}'"
    yield from ((weight, why) for kind, weight, why in shapes.shape_signs(pull) if kind == signs.kind)


def _without_idle_words(title: str) -> str:
    """The title without words that say nothing of its kind."""
    return IDLE_FIX.sub("", QUOTED_WORD.sub("", ISSUE_REFERENCE.sub("", title)))


def is_claimed_by_author(route: Route) -> bool:
    """Whether its author says so, by a title, a label or a commit's type. The shape of a change claims nothing."""
    return route.confidence >= load_weights().word - LATER * FARTHEST


@cache
def load_weights() -> Weights:
    """The weights, read once."""
    return row(HERE / "routes.toml", "weights", Weights)


@cache
def _signs() -> dict[str, Signs]:
    return {signs.kind: signs for signs in rows(HERE / "routes.toml", "routes", Signs)}
