"""Drafts become tasks with a proof beside them; variants share it, or why there is none."""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from crucible.judging.soundness import Proven
from crucible.model import Agent, Check, Criterion, Reference, Task, Trajectory
from crucible.parts import env, verifier
from crucible.proving import Proof
from crucible.report.attempt_page import make_attempt_page
from crucible.report.templates import render_template
from crucible.running.run import Run, open_run
from crucible.sandbox import Env, Sandbox
from crucible.settings import Settings, SoundnessSettings
from crucible.stages import validate
from crucible.store.blobs import Blobs
from crucible.store.item import Item
from crucible.store.lookup import latest_item, list_items
from tests.flows.toy import NoWorld

HERE = "tests.crucible.stages.test_validate"
opened: list[str] = []
"""What the boxes were for that were opened in this process."""


class Counted(NoWorld):
    """A world without machines that counts its boxes."""

    @asynccontextmanager
    async def open(self, env: Env, **how: Any) -> AsyncIterator[Sandbox]:
        opened.append(how.get("phase", "attempting"))
        async with super().open(env, **how) as box:
            yield box


@env("counted")
@asynccontextmanager
async def counted(settings: Settings, blobs: Blobs) -> AsyncIterator[Counted]:
    """No machine."""
    yield Counted()


@verifier("validate.answered", layer="function")
async def answered(task: Task, trajectory: Trajectory, box: Sandbox) -> AsyncIterator[Criterion]:
    """There is an answer."""
    yield Criterion(name="there is an answer", passed="answer" in trajectory.artifacts, evidence="looked")


def draft(instruction: str, answer: str = "x") -> Task:
    check = Check(verifier="validate.answered")
    reference = Reference(answer=answer)
    return Task(
        domain="toy", kind="sum", instruction=instruction, env=Env(name="counted"), checks=(check,), reference=reference
    )


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    opened.clear()
    with open_run(Settings(home=tmp_path, soundness=SoundnessSettings(repeats=2, probes=False))) as made:
        yield made


def put(run: Run, *drafts: Task) -> None:
    run.ledger.put([Item.of("draft", one, pipeline="toy") for one in drafts], "validate")


def proof_of(run: Run, task: Task) -> Proof | None:
    item = latest_item(run.ledger, "proof", task.id)
    return item.record(Proof) if item else None


async def test_a_variant_is_proven_without_opening_a_box(run: Run) -> None:
    first, variant, other = draft("Add."), draft("Add, please."), draft("Add.", answer="y")
    put(run, first)
    assert (await validate(run)).done == 1
    boxes, proof = Counter(opened), proof_of(run, first)
    assert proof is not None
    graded = {played.player: len(played.outcomes) for played in proof.players}
    assert (graded["oracle"], graded["nop"]) == (2, 2)
    assert boxes == {"attempting": len(graded), "grading": 2}, "who leaves nothing is judged without a box"
    put(run, variant)
    assert (await validate(run)).done == 1
    assert Counter(opened) == boxes
    put(run, other)
    await validate(run)
    assert Counter(opened) == boxes + boxes
    proofs = [proof_of(run, task) for task in (first, variant, other)]
    assert [proof and proof.shared_from for proof in proofs] == ["", first.id, ""]
    assert {item.id for item in list_items(run.ledger, "task")} == {first.id, variant.id, other.id}


async def test_variants_that_wait_for_a_proof_do_not_keep_the_next_task_from_being_proven(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    proving, both = [], asyncio.Event()

    async def prove_slowly(run: Run, opened: object, task: Task, options: SoundnessSettings) -> Proven:
        proving.append(task.reference.answer)
        if len(proving) == 2:
            both.set()
        await asyncio.wait_for(both.wait(), 60)
        proof = Proof(task_id=task.id, plan="reference", version=1, key="", repeats=1, players=())
        return Proven(task, proof)

    monkeypatch.setattr(sys.modules["crucible.stages.validate"], "prove_task", prove_slowly)
    put(run, *(draft(f"Add {number}.", answer) for answer in "xy" for number in range(4)))
    assert run.settings.limits.boxes == 2
    assert (await validate(run)).done == 8
    assert sorted(proving) == ["x", "y"]


async def test_what_one_variant_is_rejected_for_all_are(run: Run) -> None:
    first, variant = draft("Add.", answer=""), draft("Add, please.", answer="")
    other = first.model_copy(update={"env": first.env.model_copy(update={"patch": "another place"})})
    put(run, first)
    assert (await validate(run)).dropped == 1
    opened.clear()
    put(run, variant)
    assert (await validate(run)).dropped == 1
    assert not opened, "it is not played itself"
    assert [proof_of(run, task) for task in (first, variant)] == [None, None]
    put(run, other)
    assert (await validate(run)).dropped == 1
    assert opened, "another place is another task"


async def test_the_report_shows_why_a_task_is_sound(run: Run) -> None:
    task = draft("Add.")
    put(run, task)
    await validate(run)
    attempt = Trajectory(
        task_id=task.id, agent=Agent(scaffold="native", teacher="nop"), system="", prompt="", ended="submitted"
    )
    page = render_template("trajectory.html.j2", one=make_attempt_page(run.ledger, attempt), home="")
    assert "Proven by the plan <b>reference</b>" in page
    assert "pass, pass" in page
    assert "fail, fail" in page
