"""What an importer is: how tasks of an outside format are read, and the stages that make drafts of them.

    @importer("harbor")
    def harbor() -> Import: ...

Nothing that is imported is believed: a draft goes through the same proof as one of our own. What cannot be read is
an item all the same, so that its drop is recorded with a reason and the funnel adds up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from crucible.mining import BlobStore, Stage
from crucible.record import Record


@dataclass(frozen=True)
class Place:
    """Where an import comes from."""

    path: Path
    """A file or a folder."""
    repo: Path | None = None
    """A clone, or a folder of clones, for formats that name a repository and do not hold it."""


@dataclass(frozen=True)
class Import:
    """One outside format. `read` yields raw items, each with an id of its content; a bad one is an item too."""

    read: Callable[[Place, BlobStore], Iterator[Record]]
    stages: tuple[Stage, ...]
    """The last one returns what is made."""
    makes: Literal["draft", "attempt"] = "draft"
    """Drafts wait to be proved; attempts at tasks that are there already are made at once."""
    world: str = "docker"
