"""The nouns: tasks, trajectories, verdicts, rejections, selections. The shapes on disk are these."""

from __future__ import annotations

import json
from functools import cached_property
from typing import Literal

from pydantic import Field

from crucible.record import Json, Record, digest
from crucible.sandbox import Env, Left

Outcome = Literal["pass", "fail", "error"]
"""`error` means could not decide; it never counts as `fail`."""

Ended = Literal["submitted", "silent", "steps", "tokens", "seconds", "money", "exhausted"]
"""Why an attempt stopped. `silent`: the teacher stopped calling tools. `exhausted`: it used up its box.
A broken box or endpoint is not in this list: such an attempt is no trajectory, it is tried again."""


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


class ToolSpec(Record):
    """A tool as the teacher sees it. `does` is the tool part behind the name."""

    name: str
    does: str
    description: str
    parameters: dict[str, Json]
    """JSON Schema of the arguments."""


class ToolCall(Record):
    """A call as the teacher wrote it; `arguments` is its exact JSON text, malformed or not."""

    id: str
    name: str
    arguments: str = "{}"

    def mapping(self) -> dict[str, Json]:
        """The arguments as a mapping; ValueError when they are not one."""
        value = json.loads(self.arguments or "{}")
        if not isinstance(value, dict):
            raise ValueError(f"arguments must be a JSON object, not {type(value).__name__}")
        return value


class Observation(Record):
    """What came back from one tool call."""

    call_id: str
    """The call it answers; empty when the harness itself speaks, as a user would."""
    content: str
    images: tuple[str, ...] = ()
    """Pictures that came with it: digests of blobs."""


class Usage(Record):
    """What an answer cost."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    cost_usd: float = 0.0

    def __add__(self, other: Usage) -> Usage:
        return Usage(**{name: getattr(self, name) + getattr(other, name) for name in type(self).model_fields})


class Tokens(Record):
    """What the engine saw and sampled, where the endpoint tells; never made by tokenising again."""

    resumed: int = 0
    """How many tokens the prompt has in common with the beginning of all that the step before saw and sampled."""
    prompt_ids: tuple[int, ...] = ()
    """The rest of the prompt: each step stores what is new."""
    completion_ids: tuple[int, ...] = ()
    logprobs: tuple[float, ...] = ()


class Step(Record):
    """Think, act, observe: one answer of the teacher and what its calls returned."""

    thinking: str = ""
    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    observations: tuple[Observation, ...] = ()
    usage: Usage = Usage()
    tokens: Tokens = Tokens()
    model: str = ""
    """The model and its version, as the endpoint names who answered."""
    finish: str = ""
    """Why the endpoint stopped writing: `stop`, `tool_calls`, `length`."""
    seconds: float = 0.0


class Agent(Record):
    """Who attempts: enough to do it again."""

    harness: str = "loop"
    """The agent part that drives the attempt."""
    scaffold: str
    tools: tuple[str, ...] = ()
    """Tools that it has besides those of the scaffold."""
    teacher: str
    options: dict[str, Json] = Field(default_factory=dict)
    """Model, sampling parameters, script: whatever the teacher takes."""
    seed: int = 0
    session: str = ""
    """Attempts of one group or one conversation share a session."""

    def attempt_id(self, task_id: str) -> str:
        """The id of this agent's attempt at a task: the same attempt twice is one row."""
        return f"{task_id}-{self.teacher.rpartition(':')[2]}-{digest(self, task_id)[:10]}"


class Trajectory(Record):
    """One attempt, whole. Its defaults, and those of its steps, all mean nothing at all, and stay so."""

    terse = True

    task_id: str
    agent: Agent
    system: str
    prompt: str
    images: tuple[str, ...] = ()
    """Pictures shown with the prompt: digests of blobs."""
    tools: tuple[ToolSpec, ...] = ()
    form: Literal["native", "text"] = "native"
    """`text`: the calls of a step are fenced blocks within its `text`, and observations come back as user turns."""
    steps: tuple[Step, ...] = ()
    artifacts: dict[str, str] = Field(default_factory=dict)
    """Digests of blobs by name: `diff`, a git patch of the workdir, or `layer` or `files`, archives."""
    left: Left = "unknown"
    ended: Ended
    detail: str = ""
    usage: Usage = Usage()
    seconds: float = 0.0

    @cached_property
    def id(self) -> str:
        return self.agent.attempt_id(self.task_id)

    @cached_property
    def digest(self) -> str:
        """The hash of what was said and done, without clocks: what a verdict is about."""
        timeless = [step.model_dump(mode="json", exclude={"seconds"}) for step in self.steps]
        said = (self.system, self.prompt, list(self.images), timeless)
        return digest(self.task_id, self.agent, *said, self.artifacts, self.left, self.ended)


class Criterion(Record):
    """One binary question with its evidence."""

    name: str
    passed: bool
    evidence: str
    layer: str = ""
    gate: bool = False
    """Failing it rejects at once."""
    share: float = Field(default=1.0, ge=0, le=1)
    """How far it is met, where that is a matter of degree: a met criterion may be worth less than the whole."""
    weight: float = Field(default=1.0, ge=0)
    """How much it counts beside the others."""
    attachments: dict[str, str] = Field(default_factory=dict)
    """Digests of blobs by name: a log, a screenshot."""


class Verdict(Record):
    """What one verifier found about one trajectory."""

    trajectory_id: str
    trajectory_digest: str
    verifier: str
    version: int
    params_hash: str
    services_hash: str = ""
    """The hash of `services`; empty when there were none."""
    services: dict[str, str] = Field(default_factory=dict)
    """The services that were at hand, by name: who they are, and their settings."""
    outcome: Outcome
    score: float = Field(ge=0, le=1)
    least: float = Field(default=1.0, ge=0, le=1)
    """The least score that passed."""
    criteria: tuple[Criterion, ...] = ()
    detail: str = ""
    """Why, in one line."""
    usage: Usage = Usage()
    """What the models cost that were asked."""
    seconds: float = 0.0


class Rejection(Record):
    """One drop of one item, with its reason. The funnel counts these."""

    item: str
    stage: str
    reason: str
    detail: str = ""


class Choice(Record):
    """Whether a selection kept one attempt, and why."""

    trajectory_id: str
    kept: bool
    score: float
    length: int
    """Characters the teacher wrote: thinking, text and arguments."""
    reason: str


class Selection(Record):
    """Which attempts at a task were kept, by which policy, out of which."""

    task_id: str
    policy: str
    keep: int
    where: str = ""
    """The filter that attempts had to meet."""
    choices: tuple[Choice, ...]

    @property
    def kept(self) -> bool:
        """Whether it keeps anything: an attempt is handed the selection that keeps it, and no other."""
        return any(choice.kept for choice in self.choices)

    def has_kept(self, trajectory_id: str) -> bool:
        """Whether the selection keeps this attempt."""
        return any(choice.kept and choice.trajectory_id == trajectory_id for choice in self.choices)
