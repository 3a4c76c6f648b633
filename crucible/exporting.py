"""What an exporter is: a named function from one judged attempt to what a trainer reads.

    @exporter("trl")                                 rows of Parquet shards
    @exporter("atif", shape="jsonl")                 one JSON object per line
    @exporter("harbor", shape="folder", per="task")  files, once for every task
    @exporter("skyrl", per="task", unsolved=True)    also for tasks that nobody solved
    @exporter("trl-dpo", pairs=True)                 what passed, with what failed as its `rival`
    @exporter("prime-rl", rewards=True)              rows that carry rewards: failed attempts may go in (`--judged`)
    @exporter("swe-bench", shape="jsonl", split="test", ...)  rows go to that split; a `File` among them lies beside

Rows are TypedDicts: the annotation `-> Iterator[Row]` is the schema of the shard. An exporter that cannot show
an attempt in its format raises `Rejected`; the manifest counts it. It never sees a secret: what it is handed has
been redacted (`crucible/shards/redaction.py`). It keeps clocks and costs out of its rows: same ledger, same filter,
same bytes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any, NamedTuple, Protocol

import msgspec

from crucible.facts import Calibration, Comparison, Draw
from crucible.model import Outcome, Selection, Task, Trajectory, Verdict
from crucible.proving import Proof
from crucible.reward import Weights, reward

JsonText = Annotated[str, "json"]
"""JSON in a column of a shard: the card declares it, so that Hugging Face `datasets` hands over what it says."""


class LightCall(msgspec.Struct, frozen=True, gc=False):
    """A tool call. The `Light` records hold what was said and done in an attempt, without clocks and costs: they are
    read where making a `Trajectory` of each attempt would take longer than writing it."""

    id: str
    name: str
    arguments: str = "{}"


class LightObservation(msgspec.Struct, frozen=True, gc=False):
    """What a tool call of an attempt came back with."""

    call_id: str
    content: str
    images: tuple[str, ...] = ()


class LightStep(msgspec.Struct, frozen=True, gc=False):
    """One step of an attempt: think, act, observe."""

    thinking: str = ""
    text: str = ""
    calls: tuple[LightCall, ...] = ()
    observations: tuple[LightObservation, ...] = ()


class LightAgent(msgspec.Struct, frozen=True, gc=False):
    """Who made an attempt: harness, scaffold, teacher, its options, seed and session."""

    scaffold: str
    teacher: str
    options: dict[str, Any] = {}
    seed: int = 0
    harness: str = "loop"
    session: str = ""


class LightTrajectory(msgspec.Struct, frozen=True, gc=False):
    """The attempt. A stored trajectory leaves out what is at its default (`Trajectory.terse`)."""

    task_id: str
    agent: LightAgent
    system: str
    prompt: str
    tools: tuple[msgspec.Raw, ...] = ()
    """The JSON of each."""
    form: str = "native"
    images: tuple[str, ...] = ()
    steps: tuple[LightStep, ...] = ()
    artifacts: dict[str, str] = {}
    ended: str = ""


read_light = msgspec.json.Decoder(LightTrajectory).decode
"""The light form of a trajectory, read from its JSON."""


class Ruling(NamedTuple):
    """A verdict without its evidence, and its JSON."""

    verifier: str
    version: int
    params_hash: str
    services_hash: str
    trajectory_digest: str
    outcome: Outcome
    score: float
    body: str

    def verdict(self) -> Verdict:
        """The whole verdict, with its evidence."""
        return Verdict.model_validate_json(self.body)


class TaskFacts(Protocol):
    """What was found out about a task since it was made: items beside it."""

    @property
    def proof(self) -> Proof | None: ...

    @property
    def calibration(self) -> Calibration | None: ...

    @property
    def comparisons(self) -> tuple[Comparison, ...]: ...

    @property
    def draw(self) -> Draw | None: ...


class Scored(NamedTuple):
    """What one judged attempt is worth."""

    trajectory_id: str
    group: str
    """Attempts of one group were made alike: their rewards can be compared."""
    reward: float
    accepted: bool


def group_of(light: LightTrajectory) -> str:
    """The group of an attempt: its task, its teacher, and the session if it was made in one."""
    return "/".join(filter(None, (light.task_id, light.agent.teacher, light.agent.session)))


@dataclass(frozen=True)
class Judged:
    """An attempt that has been judged, under the verifiers as they are now. Most exporters are handed accepted ones
    only: those that passed every check of their task."""

    task_id: str
    trajectory_id: str
    """The ids of the ledger. Records that were washed would compute others. Empty for a task that nobody attempted."""
    task: Task
    body: str
    """The attempt as it is stored."""
    light: LightTrajectory
    """What was said and done in it: quick to read."""
    rulings: tuple[Ruling, ...]
    selection: Selection | None = None
    """The choice it was kept by, if one was made."""
    gates: frozenset[str] = frozenset()
    """Verifiers of the task whose failure stops the rest."""
    weights: Weights = field(default_factory=dict)
    """How much each of its verifiers counts."""
    outcome: Outcome = "pass"
    scored: tuple[Scored, ...] = ()
    """What all judged attempts at its task are worth, where an export asks for it."""
    facts: TaskFacts | None = None
    """What was found out about its task since; looked up when asked for."""
    rival: Judged | None = None
    """In formats of pairs: the attempt that failed at the same task under the same prompt."""
    dropped_sections: tuple[str, ...] = ()
    """The sections of the system prompt it was made under that are left out of what is exported."""

    @classmethod
    def of(cls, task: Task, trajectory: Trajectory, *rulings: Ruling) -> Judged:
        """An accepted attempt as the ledger would hold it, for tests and tools that have only the records."""
        body = trajectory.model_dump_json(exclude_defaults=trajectory.terse)
        return cls(task.id, trajectory.id, task, body, read_light(body), rulings)

    @property
    def proof(self) -> Proof | None:
        """Why its task is held to be sound."""
        return self.facts.proof if self.facts else None

    @property
    def calibration(self) -> Calibration | None:
        """How often its task was solved by the solver of the latest calibration."""
        return self.facts.calibration if self.facts else None

    @property
    def draw(self) -> Draw | None:
        """Whether its task is in the sample that was drawn last."""
        return self.facts.draw if self.facts else None

    @property
    def comparisons(self) -> tuple[Comparison, ...]:
        """What a judge said of it and another attempt at its task."""
        every = self.facts.comparisons if self.facts else ()
        return tuple(one for one in every if self.trajectory_id in (one.first, one.second))

    @property
    def accepted(self) -> bool:
        """Whether it passed every check."""
        return self.outcome == "pass"

    @property
    def group(self) -> str:
        """The group it belongs to (`group_of`)."""
        return group_of(self.light)

    @cached_property
    def trajectory(self) -> Trajectory:
        """The whole attempt as a record: slower to read than `light`."""
        return Trajectory.model_validate_json(self.body)

    @cached_property
    def verdicts(self) -> tuple[Verdict, ...]:
        """The verdicts with their evidence."""
        return tuple(ruling.verdict() for ruling in self.rulings)

    @property
    def reward(self) -> float:
        """What it is worth, from 0 to 1 (`crucible/reward.py`)."""
        return reward(self.rulings, self.gates, self.weights)


class File(NamedTuple):
    """One file of a folder that is exported."""

    path: str
    data: bytes
    executable: bool = False
