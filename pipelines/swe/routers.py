"""Routers for pull requests: rules first (conventional commits, labels, words of the title, shape of the change)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from crucible.datafile import row, rows
from crucible.mining import Raw, Route
from crucible.parts import router
from crucible.record import Record
from pipelines.swe.model import PullRequest

HERE = Path(__file__).parent

CONVENTIONAL = re.compile(r"([a-z]+)(\([^)]*\))?!?: ")


class Signs(Record):
    """One route of `routes.toml`: what gives it away."""

    kind: str
    commit: tuple[str, ...]
    label: tuple[str, ...]
    word: tuple[str, ...]


class Weights(Record):
    """How much each sign counts."""

    commit: float
    label: float
    word: float
    shape: float


@router("bugfix")
def bugfix(item: Raw) -> Route | None:
    """Something was wrong and is put right."""
    return _strongest("bugfix", item)


@router("feature")
def feature(item: Raw) -> Route | None:
    """Something is there that was not there before."""
    return _strongest("feature", item)


def _strongest(kind: str, item: Raw) -> Route | None:
    if not isinstance(item, PullRequest):
        return None
    found = sorted(_found(_signs()[kind], item), reverse=True)
    if not found:
        return None
    return Route(kind=kind, confidence=found[0][0], why="; ".join(why for _, why in found))


def _found(signs: Signs, pull: PullRequest) -> Iterator[tuple[float, str]]:
    weights = row(HERE / "routes.toml", "weights", Weights)
    title = pull.title.lower()
    typed = CONVENTIONAL.match(title)
    if typed and typed[1] in signs.commit:
        yield weights.commit, f"commit type '{typed[1]}'"
    for label in pull.labels:
        if label.lower() in signs.label:
            yield weights.label, f"label '{label}'"
    for word in re.findall(r"[a-z]+", title):
        if word in signs.word:
            yield weights.word, f"title says '{word}'"
    if _shape(pull) == signs.kind:
        yield weights.shape, f"shape of a {signs.kind}"


def _shape(pull: PullRequest) -> str:
    """New source files are a sign of a feature; a small change to what was there, of a fix."""
    sources = [file for file in pull.files if file.sort == "source"]
    if any(file.status == "added" for file in sources):
        return "feature"
    return "bugfix" if sum(file.added for file in sources) <= 40 else ""


@cache
def _signs() -> dict[str, Signs]:
    return {signs.kind: signs for signs in rows(HERE / "routes.toml", "routes", Signs)}
