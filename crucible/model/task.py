"""Something to do: a task, the checks that judge it, and where it came from."""

from __future__ import annotations

from functools import cached_property

from pydantic import Field

from crucible.record import Json, Record, digest
from crucible.sandbox import Env


class Check(Record):
    """One verifier by name, with its parameters."""

    verifier: str
    params: dict[str, Json] = Field(default_factory=dict)
    least: float = Field(default=1.0, ge=0, le=1)
    """The least score that is accepted; a failed gate is never."""


class Reference(Record):
    """How the oracle solves the task. Never visible to an agent."""

    patch: str = ""
    """A git patch over the workdir."""
    script: str = ""
    """A shell script."""
    files: dict[str, str] = Field(default_factory=dict)
    """Text files to write, by path."""
    blobs: dict[str, str] = Field(default_factory=dict)
    """Files of any bytes to put in place, by path: digests of blobs."""
    answer: str = ""


class Provenance(Record):
    """Where a task came from."""

    source: str = ""
    """Which source, and which item of it: `git:shelf#12`."""
    licence: str = ""
    author: str = ""
    """Whom the licence asks to name."""
    url: str = ""
    commit: str = ""
    created: str = ""
    parent: str = ""
    """The task this one was made from, if any."""
    transform: str = ""
    held_against: tuple[str, ...] = ()
    """The lists of benchmark instances that it is not on, each with the start of its content's hash."""

    @property
    def origin(self) -> str:
        """What tasks with something in common came from: a repository; else the item itself."""
        return self.source.partition("#")[0] if self.source.startswith("git:") else self.source


class Difficulty(Record):
    """What making a task told of how hard it is; what solvers tell is a calibration, an item of its own."""

    repair_rounds: int = 0
    hint_level: int = 0


class Task(Record):
    """Something to do in an environment, with the checks that judge it."""

    domain: str
    kind: str
    """The route: bugfix, feature, ..."""
    instruction: str
    images: tuple[str, ...] = ()
    """Pictures that belong to the instruction: digests of blobs."""
    env: Env = Env()
    checks: tuple[Check, ...] = ()
    drafted: str = ""
    """The hash of the checks as drafted, once the proof has taken an unsteady entry from them."""
    proven_by: str = "reference"
    """The plan of its proof: `reference`, or `rubric` for a task that has none."""
    reference: Reference = Reference()
    provenance: Provenance = Provenance()
    difficulty: Difficulty = Difficulty()
    labels: dict[str, str] = Field(default_factory=dict)
    """What its pipeline says of it, for filters and sampling: category, complexity."""

    @cached_property
    def id(self) -> str:
        """Derived from the problem, its checks as drafted and its solution; pruning a flaky test keeps it."""
        checks = self.drafted or self.checks_hash
        parts = (self.domain, self.kind, self.instruction, list(self.images), self.env, checks, self.reference)
        return f"{self.domain}-{self.kind}-{digest(*parts)[:12]}"

    @property
    def checks_hash(self) -> str:
        """The hash of the checks as they are now."""
        return digest(*self.checks)
