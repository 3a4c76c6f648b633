"""Routers for pull requests by rules: commit types, labels, words of title and statement, shape of the change."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from crucible.datafile import read_row, read_rows
from crucible.mining import Route
from crucible.parts import router
from crucible.record import Record
from pipelines.swe.model import PullRequest
from pipelines.swe.routes import shapes

TABLE = Path(__file__).with_name("routes.toml")

ISSUE_REFERENCE = re.compile(
    r"\b(?:fix(?:e[sd])?|close[sd]?|resolve[sd]?)(?: issue)?[ :]*(?:[\w./-]*#\d+|https?://\S+)"
)
# matches: fixes #12  closes issue owner/name#12  resolve https://example.org/12
"""Of whatever kind an issue is, a change to it is said to fix it."""
QUOTED_WORD = re.compile(r"(?<!\w)(['\"`])[^'\"`]+\1(?!\w)")
# matches: 'broken'  `fix`
"""A word that is talked about, not said."""
IDLE_FIX = re.compile(
    r"\ban? fixed\b|\bfix(?:e[sd]|ing)?(?: (?:a|all|some|few|minor|more|the|broken))* "
    r"(?:\w*lint\w*|clippy|typos?|warnings?|spelling|indentation|formatting|(?:java|go)?docs?|links?)\b|\blint fixes\b"
)
# matches: a fixed  fix some typos  fixes clippy warnings  lint fixes
"""A fix of nothing that a test could notice."""
WEIGHT_PER_PLACE = 0.001
"""What a word of the title loses with each word before it: of two that are as sure, the first says what it is about."""
LAST_PLACE = 20
"""Words further on lose no more than the one at this place."""
COMMIT_TYPE = re.compile(r"([a-z]+)(\([^)]*\))?!?: ")  # matches the start of: fix(query)!: ranges of years


class Signs(Record):
    """One route of `routes.toml`: the signs by which it is recognised."""

    kind: str
    commit: tuple[str, ...]
    label: tuple[str, ...]
    word: tuple[str, ...]
    phrase: tuple[str, ...]


class Weights(Record):
    """The table `weights` of `routes.toml`: how much each kind of sign counts."""

    commit: float
    label: float
    word: float
    phrase: float
    model: float
    least: float


@router("bugfix", pipeline="swe")
def bugfix(item: PullRequest) -> Route | None:
    """Something was wrong and is put right."""
    return _strongest("bugfix", item)


@router("feature", pipeline="swe")
def feature(item: PullRequest) -> Route | None:
    """Something is there that was not there before."""
    return _strongest("feature", item)


@router("performance", pipeline="swe")
def performance(item: PullRequest) -> Route | None:
    """The same, faster."""
    return _strongest("performance", item)


@router("refactoring", pipeline="swe")
def refactoring(item: PullRequest) -> Route | None:
    """The same, better arranged."""
    return _strongest("refactoring", item)


@router("test", pipeline="swe")
def test(item: PullRequest) -> Route | None:
    """Tests for what is there."""
    return _strongest("test", item)


@router("other", pipeline="swe")
def other(item: PullRequest) -> Route | None:
    """Documentation, dependencies, releases: whatever is none of the others."""
    return _strongest("other", item)


def _strongest(kind: str, item: PullRequest) -> Route | None:
    signs = sorted(_matching_signs(_signs()[kind], item), reverse=True)
    if not signs:
        return None
    return Route(kind=kind, confidence=signs[0][0], why="; ".join(why for _, why in signs))


def _matching_signs(signs: Signs, pull: PullRequest) -> Iterator[tuple[float, str]]:
    """The signs of a route that a pull request shows, each with its weight and in words."""
    weights = load_weights()
    title = pull.title.lower()
    commit_type = COMMIT_TYPE.match(title)
    if commit_type and commit_type[1] in signs.commit:
        yield weights.commit, f"commit type '{commit_type[1]}'"
    for label in pull.labels:
        if label.lower() in signs.label:
            yield weights.label, f"label '{label}'"
    for place, word in enumerate(re.findall(r"[a-z]+", _without_idle_words(title))):
        if word in signs.word:
            yield weights.word - WEIGHT_PER_PLACE * min(place, LAST_PLACE), f"title says '{word}'"
    statement = " ".join(pull.statement.lower().split())
    for phrase in signs.phrase:
        if phrase in statement:
            yield weights.phrase, f"the statement says '{phrase}'"
    yield from ((weight, why) for kind, weight, why in shapes.shape_signs(pull) if kind == signs.kind)


def _without_idle_words(title: str) -> str:
    """The title without words that say nothing of its kind."""
    return IDLE_FIX.sub("", QUOTED_WORD.sub("", ISSUE_REFERENCE.sub("", title)))


def is_claimed_by_author(route: Route) -> bool:
    """Whether the author says that the change is of this kind, by a title, a label or a commit's type. The shape of a
    change claims nothing."""
    return route.confidence >= load_weights().word - WEIGHT_PER_PLACE * LAST_PLACE


@cache
def load_weights() -> Weights:
    """The weights of `routes.toml`."""
    return read_row(TABLE, "weights", Weights)


@cache
def _signs() -> dict[str, Signs]:
    return {signs.kind: signs for signs in read_rows(TABLE, "routes", Signs)}
