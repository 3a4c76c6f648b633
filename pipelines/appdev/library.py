"""The library that comes with the pipeline, or one that the user keeps in a folder of the same shape."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from pipelines.appdev.model import AppFeature
from pipelines.queries.library import Library, read_features, read_library

HERE = Path(__file__).parent
OWN = HERE / "library"


@cache
def load_features() -> dict[str, AppFeature]:
    """The features that queries can ask for, by name."""
    return {feature.name: feature for feature in read_features(HERE / "features", AppFeature)}


@cache
def load_library(folder: Path = OWN) -> Library:
    """A library with the features of this pipeline."""
    return read_library(folder, load_features().values())
