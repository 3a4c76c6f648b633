"""What tags say: whether a question is this pipeline's material, and its category."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path


@cache
def categories_by_tag() -> Mapping[str, str]:
    """The category of each tag; of a tag under two, the first."""
    table = tomllib.loads(Path(__file__).with_name("tags.toml").read_text("utf-8"))
    by_tag: dict[str, str] = {}
    for category, tags in table["categories"].items():
        for tag in tags:
            by_tag.setdefault(tag, category)
    return by_tag


def is_material(tags: Iterable[str]) -> bool:
    """Whether one of the tags is about work in a terminal."""
    return any(tag in categories_by_tag() for tag in tags)


def category_of(tags: Iterable[str]) -> str:
    """The most particular category that the tags speak for; empty: none."""
    order = list(dict.fromkeys(categories_by_tag().values()))
    known = {categories_by_tag()[tag] for tag in tags if tag in categories_by_tag()}
    return min(known, key=order.index, default="")
