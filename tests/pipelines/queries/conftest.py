"""A library as an expert would begin one."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipelines.queries.library import Library, read_library
from pipelines.queries.model import Feature

POOLS = """
[[stacks]]
name = "Loom"
tags = ["build"]
says = "Hand over what `loom build` makes."
[[stacks]]
name = "Slate"
tags = ["static"]
says = "Hand over static files."
[[stacks]]
name = "Quern"
tags = ["build", "retired"]
says = "Hand over a quern."
[[styles]]
name = "Warp"
tags = ["needs-build"]
[[styles]]
name = "plain"
[[places]]
name = "mill"
text = "a mill at the river"
[[places]]
name = "ferry"
text = "a ferry with one boat"
"""
RULES = """
[[rules]]
when = ["needs-build"]
needs = ["build"]
why = "Warp needs a build step"
[[rules]]
when = ["static"]
never = ["build"]
why = "static files have no build step"
"""
METAS = """
[[metas]]
name = "list-page"
domain = "frontend"
texts = ["Make a list for {who} with {stack} and {style}.", "A list, {who}: {stack}, {style}."]
draws = { who = "places", stack = "stacks", style = "styles" }
features = ["list"]
extras = ["search", "sums"]
"""
FEATURES = (
    Feature(name="list", asks=("A button “Add” adds a line.", "A line has a button “Delete”.")),
    Feature(name="search", asks=("A field “Search” narrows the list.",)),
    Feature(name="sums", asks=("The sum of all lines is shown.",)),
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The files of the library."""
    (tmp_path / "metas").mkdir()
    (tmp_path / "library.toml").write_text('author = "An expert"\nlicence = "MIT"\n')
    (tmp_path / "pools.toml").write_text(POOLS)
    (tmp_path / "rules.toml").write_text(RULES)
    (tmp_path / "metas/pages.toml").write_text(METAS)
    return tmp_path


@pytest.fixture
def features() -> tuple[Feature, ...]:
    return FEATURES


@pytest.fixture
def library(folder: Path) -> Library:
    return read_library(folder, FEATURES)
