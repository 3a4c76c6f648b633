"""What an attempt leaves is what is judged: a machine's layer, files of any bytes, and the lack of them."""

from __future__ import annotations

import hashlib
import random
from collections.abc import AsyncIterator

import pytest

from crucible.judging.cascade import Judging, judge
from crucible.judging.soundness import Play, prove
from crucible.model import Agent, Check, Criterion, Reference, Task, Trajectory, Verdict
from crucible.parts import verifier
from crucible.record import Record
from crucible.sandbox import Env, LaidFile, Limits, Recipe, Sandbox, World
from crucible.store.blobs import Blobs

USUAL = ("ca-certificates", "git", "python3", "python3-venv")
MACHINE = Env(recipe=Recipe(packages=USUAL, user="root"), leaves="layer", limits=Limits(remains_mb=8))
OFFICE = Env(recipe=Recipe(packages=USUAL), leaves="files", outputs=("out/*.bin",))
SOLUTION = """
echo port=80 > /etc/app.conf && chmod 600 /etc/app.conf
mkdir -p /opt/app/empty && ln -s /etc/app.conf /opt/app/conf
rm /etc/issue && chmod 700 /etc/skel
"""
LYING_SHELL = """#!/bin/bash
case "$*" in *port*) echo port=80;; *) echo yes;; esac; exit 0
"""


@verifier("toy.machine", layer="function")
async def machine(task: Task, trajectory: Trajectory, box: Sandbox) -> AsyncIterator[Criterion]:
    """The machine is set up, as the engine and the grader's own tools see it."""
    done = await box.exec("grep -x port=80 /etc/app.conf; test ! -e /etc/issue && echo gone", trusted=True)
    yield Criterion(name="configured", passed=done.out == "port=80\ngone\n", evidence=done.out + done.err, gate=True)
    conf, link, skel = [await box.stat(path) for path in ("/etc/app.conf", "/opt/app/conf", "/etc/skel")]
    yield Criterion(name="private", passed=(conf.mode, conf.uid, skel.mode) == (0o600, 0, 0o700), evidence=str(conf))
    yield Criterion(name="linked", passed=(link.kind, link.target) == ("link", "/etc/app.conf"), evidence=str(link))
    kind = (await box.stat("/opt/app/empty")).kind
    yield Criterion(name="the empty folder is there", passed=kind == "folder", evidence=kind)


class BytesParams(Record):
    """What the output must be."""

    sha256: str


@verifier("toy.bytes", layer="function")
async def deliverable(
    task: Task, trajectory: Trajectory, box: Sandbox, *, params: BytesParams
) -> AsyncIterator[Criterion]:
    """The deliverable is what it should be."""
    data = await box.read("out/result.bin", limit=1 << 26)
    same = hashlib.sha256(data).hexdigest() == params.sha256
    yield Criterion(name="the deliverable is right", passed=same, evidence=f"{len(data)} bytes")


def machine_task(script: str = SOLUTION, env: Env = MACHINE) -> Task:
    checks = (Check(verifier=f"{__name__}:machine"),)
    return Task(
        domain="toy", kind="machine", instruction="x", env=env, checks=checks, reference=Reference(script=script)
    )


async def play_and_judge(task: Task, play: Play, world: World, blobs: Blobs) -> tuple[Trajectory, Verdict]:
    """What the task's reference leaves, and the verdict on it."""
    trajectory = await play(task, Agent(scaffold="native", teacher="oracle"))
    [verdict] = [verdict async for verdict in judge(task, trajectory, Judging(world, blobs))]
    return trajectory, verdict


async def test_a_task_under_etc_and_opt_is_proven_and_graded_from_the_layer(
    play: Play, world: World, blobs: Blobs
) -> None:
    proven = await prove(machine_task(), play, Judging(world, blobs), repeats=1, probes=False)
    assert {(one.player, one.outcomes) for one in proven.proof.players} == {("oracle", ("pass",)), ("nop", ("fail",))}


@pytest.mark.parametrize(
    ("script", "outcome"),
    [
        (f"{SOLUTION}\ncp /bin/true /bin/sh\ncp /bin/true /bin/bash\nchmod 0 /usr/bin/grep", "pass"),
        (f"cat > /tmp/lie <<'END'\n{LYING_SHELL}END\nchmod 755 /tmp/lie; mkdir -p /opt/app/empty; rm -f /etc/skel/.b*\n"
         "ln -s /etc/app.conf /opt/app/conf; : > /etc/app.conf; mv /tmp/lie /bin/sh", "fail"),
        ("echo 'root:x:7:7::/:/bin/false' > /etc/passwd; rm -rf /workspace /opt; ln -s /etc /workspace", "fail"),
    ],
    ids=["an honest attempt without a shell", "a shell that lies", "no root and no workdir"],
)  # fmt: skip
async def test_an_attempt_that_replaced_the_shell_is_graded_by_the_graders_tools(
    script: str, outcome: str, play: Play, world: World, blobs: Blobs
) -> None:
    trajectory, verdict = await play_and_judge(machine_task(script), play, world, blobs)
    assert trajectory.left == "changed"
    assert verdict.outcome == outcome, verdict.detail


async def test_an_attempt_that_left_too_much_fails_and_the_record_says_why(
    play: Play, world: World, blobs: Blobs
) -> None:
    task = machine_task(f"{SOLUTION}\nhead -c 9000000 /dev/zero > /opt/large")
    trajectory, verdict = await play_and_judge(task, play, world, blobs)
    assert (trajectory.left, trajectory.artifacts) == ("too_large", {})
    assert verdict.outcome == "fail"
    assert "more than 8 MB" in verdict.criteria[0].evidence


async def test_thirty_megabytes_of_any_bytes_are_delivered_and_judged(play: Play, world: World, blobs: Blobs) -> None:
    data = random.Random(1).randbytes(30_000_000)
    digest, source = blobs.put(data), blobs.put(b"PK\3\4 a workbook")
    task = Task(
        domain="toy",
        kind="office",
        instruction="x",
        env=OFFICE.model_copy(update={"files": {"in/book.xlsx": LaidFile(blob=source)}}),
        checks=(Check(verifier=f"{__name__}:deliverable", params={"sha256": digest}),),
        reference=Reference(blobs={"out/result.bin": digest}, script="cmp in/book.xlsx in/book.xlsx && touch ignored"),
    )
    trajectory, verdict = await play_and_judge(task, play, world, blobs)
    assert trajectory.left == "changed"
    assert verdict.outcome == "pass", verdict.detail
    idle = await play(task, Agent(scaffold="native", teacher="nop"))
    [missing] = [verdict async for verdict in judge(task, idle, Judging(world, blobs))]
    assert (idle.left, missing.outcome) == ("absent", "fail")
    assert "out/*.bin" in missing.criteria[0].evidence


async def test_an_output_that_was_laid_and_deleted_is_not_there_when_it_is_judged(
    play: Play, world: World, blobs: Blobs
) -> None:
    laid = {"out/result.bin": LaidFile(blob=blobs.put(b"old")), "out/other.bin": LaidFile(blob=blobs.put(b"kept"))}
    env = OFFICE.model_copy(update={"files": laid})
    task = machine_task("rm out/result.bin", env)
    trajectory = await play(task, Agent(scaffold="native", teacher="oracle"))
    idle = await play(task, Agent(scaffold="native", teacher="nop"))
    assert (trajectory.left, idle.left) == ("changed", "unchanged")
    async with world.open(env, phase="grading", remains=blobs.get(trajectory.artifacts["files"])) as box:
        assert (await box.exec("ls out")).out == "other.bin\n"
