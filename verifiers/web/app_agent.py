"""The verifier `app.agent`: a model uses the application and must show for each criterion that it is met.

what an attempt may try                   what stops it
talk to the judge from its pages          all that a page says is fenced by marks that its author cannot know
have the model believe a message          evidence must be words of the page, and something must have been done
make the model wander                     steps and money are limited; what was not concluded is not met

There is one criterion for each element and workflow of the rubric, whatever the model chooses to conclude.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from functools import reduce
from operator import add
from pathlib import Path

from pydantic import Field, ValidationError

from crucible import parts
from crucible.acting import Ask
from crucible.asking import Judge, reply_once
from crucible.browsing import Browser
from crucible.domains.web.deploying import deploy
from crucible.domains.web.hands import Hands, list_tools, make_tool
from crucible.domains.web.libraries import Packages
from crucible.domains.web.opening import open_window
from crucible.domains.web.rubric import Rubric, Workflow
from crucible.domains.web.rubric import Step as RubricStep
from crucible.errors import PageFailed
from crucible.judging.applications import Applications
from crucible.mining import BlobStore
from crucible.model import Criterion, Observation, Step, Task, ToolCall, Trajectory, Usage
from crucible.record import Record, digest
from crucible.sandbox import Sandbox

PROMPT = Path(__file__).with_name("app_agent.md")
SILENT_TURNS = 2
"""A model that calls no tool so often in a row is done."""


class AgentParams(Record):
    """What the model is to find out, and what it may use up."""

    rubric: Rubric
    steps: int = Field(default=60, gt=0)
    """How many answers the model may give."""
    money_usd: float = Field(default=1.0, gt=0)


class Conclusion(Record):
    """What the model says of one criterion."""

    criterion: int = Field(strict=True)
    """Its number."""
    met: bool = Field(strict=True)
    evidence: str
    """Words of the page that show it, exactly as they stand there."""


class Question(Record):
    """One criterion."""

    name: str
    how: str = ""
    """What a user does, in words."""
    weight: float
    needs_doing: bool
    """Whether it takes more than looking."""


@parts.verifier(
    "app.agent",
    layer="interaction",
    cost="money",
    needs=("applications", "browser", "libraries", "blobs", "judge"),
    shares="box",
)
async def app_agent(
    task: Task,
    trajectory: Trajectory,
    box: Sandbox,
    *,
    params: AgentParams,
    applications: Applications,
    browser: Browser,
    libraries: Packages,
    blobs: BlobStore,
    judge: Judge,
) -> AsyncIterator[Criterion]:
    """A model has used the application and shown what of its rubric is met."""
    deployed = await deploy(applications, params.rubric.surface)
    if deployed.fault:
        yield Criterion(name="the application runs", passed=False, evidence=deployed.fault, gate=True)
        return
    window, _ = await open_window(applications, browser, libraries, deployed)
    token = digest("fence", trajectory.digest)[:12]
    async with window.open_page() as page:
        session = Session(Hands(page, deployed.url, token), judge, blobs, params, list_questions(params.rubric))
        await session.converse(task.instruction)
    record = {"conversation": blobs.put(session.describe().encode())}
    for number, question in enumerate(session.questions):
        yield session.judge_question(number, question, record)


def list_questions(rubric: Rubric) -> list[Question]:
    """One question for each element and workflow."""
    elements = [Question(name=each.name, weight=each.weight, needs_doing=False) for each in rubric.elements]
    workflows = [
        Question(name=each.name, how=describe_workflow(each), weight=each.weight, needs_doing=True)
        for each in rubric.workflows
    ]
    return elements + workflows


def describe_workflow(workflow: Workflow) -> str:
    """The steps of a workflow in words; values in braces are for the model to make up."""
    return "; ".join(describe_step(step) for step in workflow.steps)


def describe_step(step: RubricStep) -> str:
    at = step.at
    where = " ".join(filter(None, [at.role, " or ".join(at.names[:3]), f"beside {at.within}" if at.within else ""]))
    verb = step.do or f"expect {step.expect}"
    return " ".join(filter(None, [verb, where, step.value or step.text or (str(step.count) if step.count else "")]))


@dataclass
class Session:
    """A model's conversation with the application."""

    hands: Hands
    judge: Judge
    blobs: BlobStore
    params: AgentParams
    questions: list[Question]
    conclusions: dict[int, Conclusion] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)
    ended: str = ""
    """Why it ended before every criterion was concluded."""

    async def converse(self, instruction: str) -> None:
        """Go on until all is concluded, the model has no more to say, or a limit is met."""
        ask = self._first_ask(instruction)
        while len(self.conclusions) < len(self.questions) and not self.ended:
            used = reduce(add, (step.usage for step in self.steps), Usage())
            if len(self.steps) >= self.params.steps or used.cost_usd >= self.params.money_usd:
                self.ended = f"the limit of {self.params.steps} steps or {self.params.money_usd:g} USD was met"
                return
            try:
                await self._turn(ask)
            except PageFailed as lost:
                self.ended = f"the page was lost: {lost.line()}"

    def _first_ask(self, instruction: str) -> Ask:
        lines = [f"{number}. {each.name}" + (f" ({each.how})" if each.how else "") for number, each in self._numbered()]
        prompt = "\n".join(
            [f"The application was asked for in these words:\n\n{instruction}\n", "The criteria:", *lines, ""]
        )
        conclude = make_tool(
            "conclude", "Say whether a criterion is met, with words of the page that show it.", Conclusion
        )
        system = PROMPT.read_text().replace("{token}", self.hands.token)
        return Ask(system=system, prompt=prompt, tools=(*list_tools(), conclude))

    def _numbered(self) -> list[tuple[int, Question]]:
        return list(enumerate(self.questions, start=1))

    async def _turn(self, ask: Ask) -> None:
        """One answer of the model, and what its calls came to."""
        reply = await reply_once(self.judge, ask.model_copy(update={"steps": tuple(self.steps)}))
        observations: list[Observation] = []
        calls = tuple(
            call.model_copy(update={"id": call.id or f"call-{place}"}) for place, call in enumerate(reply.calls)
        )
        step = Step(text=reply.text, calls=calls, usage=reply.usage)
        self.steps.append(step)
        for call in calls:
            observations.append(await self._carry_out(call))
        if not calls:
            observations.append(Observation(call_id="", content=f"Not concluded yet: {self._open_numbers()}."))
        self.steps[-1] = step.model_copy(update={"observations": tuple(observations)})
        if len(self.steps) >= SILENT_TURNS and not any(each.calls for each in self.steps[-SILENT_TURNS:]):
            self.ended = "the model had no more to say"

    async def _carry_out(self, call: ToolCall) -> Observation:
        if call.name == "conclude":
            return Observation(call_id=call.id, content=self._conclude(call))
        content, picture = await self.hands.call(call)
        images = (self.blobs.put(picture),) if picture else ()
        return Observation(call_id=call.id, content=content, images=images)

    def _conclude(self, call: ToolCall) -> str:
        """Take a conclusion, unless it cannot be read or has no evidence; returns what the model is told."""
        try:
            said = Conclusion.model_validate(call.mapping())
        except (ValueError, ValidationError) as wrong:
            return f"this cannot be read: {' '.join(str(wrong).split())[:300]}"
        if not 1 <= said.criterion <= len(self.questions):
            return f"there is no criterion {said.criterion}"
        if said.met and not self.hands.was_shown(said.evidence):
            return "the evidence is not a text of the page; quote it word for word, or conclude that it is not met"
        if said.met and self.questions[said.criterion - 1].needs_doing and not self.hands.acted:
            return "nothing was done since the last conclusion; do what the criterion is about first"
        self.conclusions[said.criterion] = said
        self.hands.acted = False
        return f"taken; not concluded yet: {self._open_numbers() or 'none'}"

    def _open_numbers(self) -> str:
        return ", ".join(str(number) for number, _ in self._numbered() if number not in self.conclusions)

    def judge_question(self, number: int, question: Question, attachments: dict[str, str]) -> Criterion:
        """The criterion as the model has shown it; without evidence it is not met."""
        said = self.conclusions.get(number + 1)
        pictures = [image for step in self.steps for each in step.observations for image in each.images]
        shown = {**attachments, **({"screenshot": pictures[-1]} if pictures else {})}
        evidence = said.evidence if said else f"no evidence was given: {self.ended or 'it was not concluded'}"
        met = said is not None and said.met
        return Criterion(
            name=question.name, passed=met, evidence=evidence[:1000], weight=question.weight, attachments=shown
        )

    def describe(self) -> str:
        """The conversation as text."""
        lines: list[str] = []
        for number, step in enumerate(self.steps, start=1):
            lines.append(f"--- {number}: {step.text}")
            lines += [f"{call.name} {call.arguments}" for call in step.calls]
            lines += [observation.content for observation in step.observations]
        return "\n".join(lines)
