"""What acting means to the spine: the protocols of teachers and agents, and the scaffold between them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, Protocol

from pydantic import Field, SecretStr

from crucible.model import Agent, Step, Task, Tokens, ToolCall, ToolSpec, Trajectory, Usage
from crucible.record import Json, Record
from crucible.sandbox import Sandbox
from crucible.serving import Services


class Scaffold(Record):
    """How a teacher is spoken to: prompts, tool names and the form of its calls. Data, not code."""

    name: str
    system: str
    prompt: str
    """The first user message; `{instruction}` and `{workdir}` are filled in."""
    tools: tuple[ToolSpec, ...]
    form: Literal["native", "text"] = "native"
    """`native`: the endpoint's tool calls. `text`: calls are fenced blocks in the answer."""
    observation: str = "{output}"
    """How a command's result is shown: `{code}`, `{output}`, `{seconds}`."""
    sections: dict[str, str] = Field(default_factory=dict)
    """Parts of the system prompt that an export may leave out, by name."""


class Stops(Record):
    """When an attempt ends whether or not the teacher is done."""

    steps: int = 40
    """The most answers of the teacher."""
    tokens: int = 400_000
    """The most tokens, prompts and answers together."""
    seconds: float = 1200.0
    """How long it may take."""
    money_usd: float = 5.0
    """What it may cost; only counted where prices are set."""


class Ask(Record):
    """All a teacher gets to see for its next answer."""

    system: str
    prompt: str
    images: tuple[str, ...] = ()
    """Pictures that belong to the prompt: digests of blobs."""
    pictures: dict[str, bytes] = Field(default_factory=dict, exclude=True, repr=False)
    """The bytes of every picture of the prompt and the steps, by digest: a teacher has no store to read."""
    steps: tuple[Step, ...] = ()
    tools: tuple[ToolSpec, ...] = ()
    form: Literal["native", "text"] = "native"
    seed: int = 0
    options: dict[str, Json] = Field(default_factory=dict)


def list_pictures(ask: Ask) -> tuple[str, ...]:
    """The digests of all pictures of a question: those of the prompt, then those of the steps."""
    observations = (observation for step in ask.steps for observation in step.observations)
    return (*ask.images, *(digest for observation in observations for digest in observation.images))


def with_pictures(ask: Ask, read: Callable[[str], bytes]) -> Ask:
    """The question with the bytes of its pictures, each read by its digest."""
    digests = list_pictures(ask)
    return ask.model_copy(update={"pictures": {digest: read(digest) for digest in digests}}) if digests else ask


class Reply(Record):
    """One answer of a teacher: what it thought, said and called, and what that cost."""

    thinking: str = ""
    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    usage: Usage = Usage()
    tokens: Tokens = Tokens()
    model: str = ""
    finish: str = ""


class Teacher(Protocol):
    """Answers. Keeps no state between answers: what it needs is in the question, so a run can resume.

    The task is there for the teachers that play a part (oracle, scripted); one that stands for a
    model must look at nothing but the question.
    """

    async def reply(self, task: Task, ask: Ask) -> Reply:
        """The next answer. TeacherError when there is none to be had."""


def reference_file(blob: str) -> str:
    """Where a file of the reference lies for a teacher that plays it to copy: where nothing is kept of an attempt."""
    return f"/tmp/.crucible/reference/{blob}"


class Attempt(Protocol):
    """The agent loop: let a teacher attempt a task in a box. Its tools use the services; `blobs` is one of them."""

    async def __call__(
        self, task: Task, box: Sandbox, agent: Agent, teacher: Teacher, *, stops: Stops = ..., services: Services = ...
    ) -> tuple[Trajectory, Mapping[str, bytes]]:
        """The trajectory, and its artifacts' bytes by digest, for the caller to keep."""


class PlannedAttempt(Record):
    """An attempt that waits to be made: who attempts which task."""

    task_id: str
    agent: Agent

    @property
    def id(self) -> str:
        return self.agent.attempt_id(self.task_id)


class EndpointSettings(Record):
    """Where a model answers, and what it costs there: of a teacher, or of a judge."""

    base_url: str = ""
    """An OpenAI-compatible endpoint, up to and including its version: `https://host/v1`."""
    api_key: SecretStr = SecretStr("")
    """What the endpoint knows us by; never shown, logged or stored."""
    model: str = ""
    """The model's name, as the endpoint knows it."""
    temperature: float | None = None
    """Not sent unless set: the endpoint's own default is usually the right one."""
    price_in: float = Field(default=0.0, ge=0)
    """USD per million prompt tokens."""
    price_out: float = Field(default=0.0, ge=0)
    """USD per million completion tokens."""


class TeacherSettings(EndpointSettings):
    """What a run says of its teacher: where the model answers, how it is asked, what it may cost."""

    max_tokens: int = Field(default=8192, gt=0)
    """The longest answer."""
    concurrency: int = Field(default=8, gt=0)
    """The most requests in flight; fewer when the endpoint slows down."""
    timeout_seconds: float = Field(default=300.0, gt=0)
    """How long one request may take, the whole answer included."""
    retries: int = Field(default=4, ge=0)
    """How often a question is asked again that met a fault which may pass."""
    budget_usd: float = Field(default=20.0, ge=0)
    """What a run may spend on teachers and judges together, or a night with all its chunks and new starts; only counted
    where prices are set."""


class TeacherRun(Protocol):
    """The part of the run's settings that a teacher looks at."""

    @property
    def teacher(self) -> TeacherSettings: ...


def tool_schema(tool: ToolSpec) -> dict[str, Json]:
    """The tool as the model is told of it: the endpoint's shape, without our own `x-` annotations."""
    parameters = {**tool.parameters}
    properties = parameters.get("properties")
    if isinstance(properties, dict):
        parameters["properties"] = {name: _without_annotations(schema) for name, schema in properties.items()}
    function: dict[str, Json] = {"name": tool.name, "description": tool.description, "parameters": parameters}
    return {"type": "function", "function": function}


def _without_annotations(schema: Json) -> Json:
    if not isinstance(schema, dict):
        return schema
    return {key: value for key, value in schema.items() if not key.startswith("x-")}


class Cheat(Protocol):
    """Which tasks a cheat knows how to cheat in: those of these kinds, domains and test frameworks, all when empty; but
    for those that are judged by verifiers which it cannot fool, and by no other."""

    @property
    def kinds(self) -> tuple[str, ...]: ...
    @property
    def domains(self) -> tuple[str, ...]: ...
    @property
    def harmless_to(self) -> tuple[str, ...]: ...
    @property
    def runners(self) -> tuple[str, ...]: ...


def knows_task(cheat: Cheat, task: Task) -> bool:
    """Whether a cheat is worth a try at a task. A verifier that nobody has named may be fooled by it, and all test
    frameworks count where none is named."""
    runners = {suite.get("runner") for check in task.checks if isinstance(suite := check.params.get("suite"), dict)}
    verifiers = {check.verifier for check in task.checks}
    return (
        (not cheat.kinds or task.kind in cheat.kinds)
        and (not cheat.domains or task.domain in cheat.domains)
        and (not verifiers or not verifiers <= set(cheat.harmless_to))
        and (not cheat.runners or not runners or bool(runners & set(cheat.runners)))
    )
