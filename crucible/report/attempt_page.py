"""One trajectory as its page shows it: steps, verdicts with their evidence and attachments, what is left, the task."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pydantic import ValidationError

from crucible.judging.judges import Identify, identify_nobody, required_judges
from crucible.mining import BlobStore
from crucible.model import Step, Task, ToolCall, Trajectory, Verdict
from crucible.proving import NOUN as PROOF
from crucible.proving import Proof
from crucible.report.attachments import PICTURES, Attachment, PictureViews, view_attachment
from crucible.report.clip import Clipped, Clipper
from crucible.report.remains import list_lines, read_remains
from crucible.report.rows import agent_variant, task_title
from crucible.report.standing import Standing, find_standing
from crucible.reward import EVEN, Weights
from crucible.store.ledger import Ledger
from crucible.store.lookup import latest_item, trajectory_verdicts

STEPS = 400
"""Steps of one page; the middle of a longer attempt is left out."""
REMAINS = 120_000


@dataclass(frozen=True)
class CallView:
    """A tool call with what came back."""

    name: str
    arguments: tuple[tuple[str, Clipped], ...]
    """By name; under an empty name when what the teacher wrote is not a JSON object."""
    answers: tuple[Clipped, ...]


@dataclass(frozen=True)
class TurnView:
    """One step of an attempt, as its page shows it."""

    number: int
    thinking: Clipped
    text: Clipped
    calls: tuple[CallView, ...]
    said: tuple[Clipped, ...]
    """What the harness itself said."""
    pictures: tuple[Attachment, ...]
    """Pictures that came with its observations."""
    seconds: float
    tokens: int


@dataclass(frozen=True)
class CriterionView:
    """One criterion of a verdict, as the page shows it."""

    name: str
    layer: str
    passed: bool
    gate: bool
    weight: float
    evidence: Clipped


@dataclass(frozen=True)
class VerdictView:
    """One verdict, as the page shows it."""

    verdict: Verdict
    detail: Clipped
    asked: tuple[CriterionView, ...]
    attachments: tuple[Attachment, ...]
    stale: bool
    """It no longer counts."""


@dataclass(frozen=True)
class AttemptPage:
    """Everything that the page of one attempt tells."""

    trajectory: Trajectory
    outcome: str
    reward: float
    title: str
    why: Clipped
    variant: str
    task: Task | None
    statement: Clipped
    pictures: tuple[Attachment, ...]
    """Pictures that belong to what was asked."""
    system: Clipped
    turns: tuple[TurnView, ...]
    left_out: int
    """Steps between the first ones and the last ones shown."""
    judged: tuple[VerdictView, ...]
    remains: tuple[tuple[str, str], ...]
    """Lines of what it left, with their kinds."""
    reference: tuple[tuple[str, Clipped], ...]
    proof: Proof | None
    """Why the task is held to be sound."""


def load_attempt_page(
    ledger: Ledger, id: str, identify: Identify = identify_nobody, layers: Weights = EVEN
) -> AttemptPage | None:
    """The trajectory with this id; ValidationError when its record cannot be read."""
    item = ledger.get("trajectory", id)
    return make_attempt_page(ledger, item.record(Trajectory), identify, layers) if item else None


def make_attempt_page(
    ledger: Ledger, trajectory: Trajectory, identify: Identify = identify_nobody, layers: Weights = EVEN
) -> AttemptPage:
    clip = Clipper()
    task = _load_task(ledger, trajectory.task_id)
    judges = required_judges(task, identify) if task else ()
    stands = find_standing(trajectory_verdicts(ledger, trajectory.id), trajectory.digest, judges, layers)
    why = clip(stands.why, 600)
    pictures = PictureViews(ledger.blobs)
    judged = tuple(_verdict_views(ledger.blobs, stands, clip))
    remains = clip(read_remains(ledger.blobs, trajectory.artifacts), REMAINS)
    return AttemptPage(
        trajectory=trajectory,
        outcome=stands.outcome,
        reward=stands.reward,
        title=(task_title(task) if task else "") or trajectory.id,
        why=why,
        variant=agent_variant(trajectory.agent),
        task=task,
        statement=clip(trajectory.prompt),
        pictures=pictures.view(trajectory.images),
        system=clip(trajectory.system),
        judged=judged,
        remains=tuple(list_lines(remains)),
        reference=tuple(_reference_views(task, clip)) if task else (),
        proof=_load_proof(ledger, trajectory.task_id),
        turns=tuple(_turn_views(trajectory.steps, clip, pictures)),
        left_out=max(0, len(trajectory.steps) - STEPS),
    )


def _load_task(ledger: Ledger, id: str) -> Task | None:
    item = ledger.get("task", id)
    try:
        return item.record(Task) if item else None
    except ValidationError:
        return None


def _load_proof(ledger: Ledger, task_id: str) -> Proof | None:
    item = latest_item(ledger, PROOF, task_id)
    try:
        return item.record(Proof) if item else None
    except ValidationError:
        return None


def _turn_views(steps: Sequence[Step], clip: Clipper, pictures: PictureViews) -> Iterator[TurnView]:
    for number, step in enumerate(steps, 1):
        if STEPS // 2 < number <= len(steps) - STEPS // 2:
            continue
        call_ids = {call.id for call in step.calls}
        yield TurnView(
            number=number,
            thinking=clip(step.thinking),
            text=clip(step.text),
            calls=tuple(_call_view(call, step, clip) for call in step.calls),
            said=tuple(
                clip(observation.content) for observation in step.observations if observation.call_id not in call_ids
            ),
            pictures=pictures.view([digest for seen in step.observations for digest in seen.images]),
            seconds=step.seconds,
            tokens=step.usage.completion_tokens,
        )


def _call_view(call: ToolCall, step: Step, clip: Clipper) -> CallView:
    answers = tuple(clip(observation.content) for observation in step.observations if observation.call_id == call.id)
    return CallView(call.name, tuple(_argument_views(call, clip)), answers)


def _argument_views(call: ToolCall, clip: Clipper) -> Iterator[tuple[str, Clipped]]:
    """Texts as they are, with their line breaks; anything else as JSON."""
    try:
        for name, value in call.mapping().items():
            yield name, clip(value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False))
    except (ValueError, RecursionError):
        yield "", clip(call.arguments)


def _verdict_views(blobs: BlobStore, stands: Standing, clip: Clipper) -> Iterator[VerdictView]:
    """What did not pass stands first, of verdicts and in each of them: texts and pictures have a limit for the page."""
    pictures = PICTURES
    counting = sorted(stands.counting, key=lambda verdict: verdict.outcome == "pass")
    for verdict in (*counting, *stands.stale):
        criteria = sorted(verdict.criteria, key=lambda criterion: criterion.passed)
        asked = tuple(CriterionView(c.name, c.layer, c.passed, c.gate, c.weight, clip(c.evidence)) for c in criteria)
        names: dict[str, str] = {}
        for name, digest in [pair for criterion in criteria for pair in criterion.attachments.items()]:
            names.setdefault(digest, name)  # what several share stands with the first of them
        attachments = []
        for name, digest in _number_names([(name, digest) for digest, name in names.items()]):
            attachments.append(view_attachment(blobs, name, digest, clip, pictures > 0))
            pictures -= bool(attachments[-1].picture)
        yield VerdictView(verdict, clip(verdict.detail), asked, tuple(attachments), verdict in stands.stale)


def _number_names(named: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """What several share a name is told apart by numbers: `log 1`, `log 2`."""
    totals, seen = Counter(name for name, _ in named), Counter[str]()
    for name, rest in named:
        seen[name] += 1
        yield (f"{name} {seen[name]}" if totals[name] > 1 else name), rest


def _reference_views(task: Task, clip: Clipper) -> Iterator[tuple[str, Clipped]]:
    reference = task.reference
    pairs = [
        ("patch", reference.patch),
        ("script", reference.script),
        ("answer", reference.answer),
        *reference.files.items(),
    ]
    yield from ((name, clip(text)) for name, text in pairs if text)
