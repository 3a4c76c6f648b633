"""What a proof is: a plan names who plays a task and what must come of it, and the record keeps what came of it.

@proof("reference")
def reference(task: Task) -> Iterator[Control]:
    yield Control(player="oracle", want="pass")
    yield Control(player="nop", want="fail")
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from crucible.model import Outcome
from crucible.record import Json, Record

NOUN = "proof"
IDLE = "nop"
"""The player that does nothing."""


class Control(Record):
    """One player of a task, and what every grading of its work must say."""

    player: str
    """A teacher's name."""
    want: Literal["pass", "fail"]
    cheats: bool = False
    """Its work is graded once, and whatever keeps it from passing is good enough."""
    may_idle: bool = False
    """It may find nothing to do; work that is like the idle player's is then not graded again."""


class Played(Record):
    """What came of one player."""

    player: str
    want: Outcome
    outcomes: tuple[Outcome, ...] = ()
    """One for each grading; none when it left nothing but what the idle player leaves."""
    why: str = ""
    """The first verdict that is not a pass, in one line."""


class Mutation(Record):
    """One way of spoiling good work, which a check must notice. A verifier lists them (`mutants=`)."""

    name: str
    command: str
    """A shell command that spoils the work in the workdir; it ends with `NOTHING_TO_SPOIL` where there is nothing of
    its kind."""
    criteria: tuple[str, ...] = ()
    """The criteria that are about it, by how their names begin: one of them must not be met. Any will do when empty."""
    params: dict[str, Json] = Field(default_factory=dict)
    """Parameters that take the place of the check's own: what is not about it need not be looked at."""


NOTHING_TO_SPOIL = 3
"""The exit code of a mutation that does not apply."""


class Mutant(Record):
    """Good work that was spoilt in one way, and whether that was noticed."""

    name: str
    verifier: str
    """Who had to reject it."""
    caught_by: str = ""
    """The criterion about it that was not met; empty where all of them were."""


class Settled(Record):
    """What was found out about one check while its task was proven."""

    params: dict[str, Json] = Field(default_factory=dict)
    """Parameters that take the place of the check's own."""
    twins: int = 0
    """How many alterations of the check's tests the reference fails."""
    why: str = ""
    """Why there are none, where the check could have had some."""
    mutants: tuple[Mutant, ...] = ()
    """How the check did on good work that was spoilt."""


class Proof(Record):
    """Why a task is held to be sound."""

    task_id: str
    plan: str
    version: int
    """Of the plan."""
    key: str
    """The hash of all that the proof depends on; tasks with the same one share it."""
    repeats: int
    players: tuple[Played, ...]
    probes: tuple[str, ...] = ()
    """The cheats that were tried, each with its version."""
    verifiers: dict[str, int] = Field(default_factory=dict)
    """The versions of those who judged."""
    dropped: tuple[str, ...] = ()
    """Entries of the checks that came and went with good work, and left the task."""
    twins: int = 0
    """How many alterations of the task's tests its reference fails: what tells a solution from a forgery."""
    mutants: int = 0
    """In how many ways the authored good work was spoilt."""
    mutation_score: float | None = None
    """The share of them that the criterion about it rejected; None where none was tried."""
    settled: tuple[Settled, ...] = ()
    """What was found out about each of the task's checks, in their order."""
    shared_from: str = ""
    """The task it was proven on, when that is another one."""
