"""What goes from stage to stage: a set of files, and a trace of tools over them that answers a question."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from crucible.record import Json, Record, digest


class Dataset(Record):
    """Files of one company, portfolio or deal."""

    name: str
    title: str
    """How questions name what the files are about."""
    currency: str
    files: dict[str, str]
    """The digest of each file, by its name in the workspace."""
    roles: dict[str, str]
    """The name of the file in each role that plans speak of: `income`, `prices`."""
    licence: str = ""
    author: str = ""

    @property
    def id(self) -> str:
        return f"finance-{self.name}-{digest(self)[:8]}"


class Origin(Record):
    """Where one value came from."""

    kind: Literal["file", "call", "question"]
    name: str
    """Of the file, of the earlier call, or of what the question says."""
    place: str = ""
    """In a file: `7:2021` is line 7, column 2021; in a JSON file the path, `terms.rate`."""

    def __str__(self) -> str:
        return f"{self.name} {self.place}".strip()


class Input(Record):
    """What a tool was given for one parameter."""

    origins: tuple[Origin, ...]
    """One for a single value; for a list one for each of its values, or one that is a list itself."""
    listed: bool = False
    """Whether the values make a list."""
    value: Json


class Call(Record):
    """One use of a tool."""

    id: str
    tool: str
    inputs: dict[str, Input]
    output: Json


class Trace(Record):
    """Calls in their order, the last of which gives the answer."""

    given: dict[str, Json]
    """What the question says: rates, years, names."""
    calls: tuple[Call, ...] = Field(min_length=1)

    @property
    def files(self) -> tuple[str, ...]:
        """The names of the files that values came from."""
        return tuple(dict.fromkeys(origin.name for origin in self.list_origins("file")))

    def list_origins(self, kind: str) -> tuple[Origin, ...]:
        """Where values of one kind came from, each place once."""
        found = (origin for call in self.calls for given in call.inputs.values() for origin in given.origins)
        return tuple(dict.fromkeys(origin for origin in found if origin.kind == kind))


class Trail(Record):
    """A trace that was proven to be needed whole, and the question that it answers."""

    dataset: Dataset
    plan: str
    number: int
    """The seed that it was drawn by."""
    trace: Trace
    questions: dict[str, str]
    """By level."""
    conventions: tuple[str, ...]
    """What must be said for the question to have one answer."""
    value: float
    """As the tools gave it, in the unit asked for."""
    scale: float
    """By what the last call's output was multiplied to be in that unit."""
    unit: str
    decimals: int
    """To how many places the answer is to be rounded."""

    @property
    def id(self) -> str:
        return f"{self.dataset.id}-{self.plan}-{self.number}"
