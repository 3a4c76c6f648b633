"""What a model answers when it writes a task: a goal, folders with what is expected in each, and a solution."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field

from crucible.domains.terminal.scenes import Entry
from crucible.record import Record
from pipelines.terminal.model import Link

LONGEST_GOAL = 2500
LONGEST_TEXT = 8000
SHOWN_FOLDERS = 2
"""So many folders are the examples that a solver sees; at least one more is hidden."""


def _check_path(path: str) -> str:
    """A path that stays within its folder and outside git's own files."""
    steps = path.split("/")
    if len(path) > 200 or any(step in ("", ".", "..", ".git") or "\0" in step for step in steps):
        raise ValueError(f"{path!r} is not a plain path below the folder")
    return path


Path = Annotated[str, AfterValidator(_check_path)]
Mode = Annotated[str, Field(pattern=r"^[0-7]{3}$")]  # matches: 644
Text = Annotated[str, Field(max_length=LONGEST_TEXT)]


class AuthoredFile(Record):
    """A file of a folder, before the script is run."""

    path: Path
    text: Text
    mode: Mode = "644"


class ExpectedFile(Record):
    """A file that is new or other once the script has run."""

    path: Path
    text: Text | None = None
    """None: it is there, and what it holds is not told (an archive, a link, a folder)."""
    mode: Mode | None = None
    """None: as it comes."""


class Expected(Record):
    """What the script must do in one folder, as told by the model rather than observed."""

    output: Text = ""
    files: tuple[ExpectedFile, ...] = Field(default=(), max_length=20)
    gone: tuple[Path, ...] = Field(default=(), max_length=20)

    @property
    def lines(self) -> set[str]:
        """The lines that are to be printed or written."""
        texts = [self.output, *(file.text or "" for file in self.files)]
        return {line.strip() for text in texts for line in text.splitlines()}


class AuthoredFolder(Record):
    """A folder that the script is run in."""

    files: tuple[AuthoredFile, ...] = Field(default=(), max_length=20)
    setup: Text = ""
    """Commands run in the folder once its files are there: links, archives, a git repository."""
    expected: Expected

    @property
    def entries(self) -> dict[str, Entry]:
        """The files as entries of a scene."""
        return {file.path: Entry(text=file.text, mode=int(file.mode, 8)) for file in self.files}


class AuthoredTask(Record):
    """A task as a model writes it."""

    goal: str = Field(min_length=40, max_length=LONGEST_GOAL)
    links: tuple[Link, ...] = Field(min_length=1, max_length=12)
    """Which sentence of the goal asks for what the test asserts."""
    packages: tuple[str, ...] = Field(default=(), max_length=8)
    folders: tuple[AuthoredFolder, ...] = Field(min_length=SHOWN_FOLDERS + 1, max_length=6)
    solution: str = Field(min_length=1, max_length=LONGEST_TEXT)
