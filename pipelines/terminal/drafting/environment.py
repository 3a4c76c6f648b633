"""The box that commands are run in: one image for nearly all tasks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from crucible.datafile import read_words
from crucible.sandbox import Env, Recipe

HERE = Path(__file__).parent
WORKDIR = "/workspace"


def make_env(packages: Sequence[str]) -> Env:
    """The environment of a task: one image for nearly all, what an attempt leaves anywhere in it is kept."""
    shared = read_words(HERE / "boxes.toml", "packages")
    files = {"/etc/gitconfig": (HERE / "gitconfig").read_text("utf-8")}
    own = (package for package in packages if package not in shared)
    recipe = Recipe(packages=(*shared, *own), files=files)
    return Env(recipe=recipe, workdir=WORKDIR, leaves="layer")
