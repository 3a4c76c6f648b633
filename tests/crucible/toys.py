"""A toy task in a real box, and verifiers of every temper, for tests of the spine."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator

from crucible.asking import Judge, ask
from crucible.errors import SandboxError, Undecided
from crucible.judging.fresh_boxes import FreshBoxes
from crucible.judging.steadiness import MISSED
from crucible.mining import BlobStore
from crucible.model import Agent, Check, Criterion, Reference, Task, Trajectory
from crucible.parts import verifier
from crucible.proving import NOTHING_TO_SPOIL, Mutation, Settled
from crucible.record import Json, Record
from crucible.sandbox import Env, Recipe, Sandbox

TEST = "assert open('state').read().strip() == 'fixed'"
COMMIT = (
    f'chown root . && git init -q . && echo broken > state && mkdir tests && echo "{TEST}" > tests/test_state.py && '
    "git add -A && git -c user.name=x -c user.email=x@x commit -qm base && rm -rf .git/logs && chown -R agent ."
)
ENV = Env(recipe=Recipe(packages=("ca-certificates", "git", "python3", "python3-venv"), commands=(COMMIT,)))
FIX = """diff --git a/state b/state
--- a/state
+++ b/state
@@ -1 +1 @@
-broken
+fixed
"""


def task(*verifiers: str, patch: str = FIX, **params: Json) -> Task:
    """Mend the file `state`."""
    checks = tuple(Check(verifier=name, params=params) for name in verifiers)
    return Task(
        domain="toy", kind="mend", instruction="Mend state.", env=ENV, checks=checks, reference=Reference(patch=patch)
    )


def trajectory(of: Task, **fields: object) -> Trajectory:
    """An attempt that did nothing."""
    agent = Agent(scaffold="native", teacher="nop")
    return Trajectory(**{"task_id": of.id, "agent": agent, "system": "", "prompt": "", "ended": "submitted"} | fields)


class StateParams(Record):
    """What the file must say."""

    want: str = "fixed"


@verifier("toy.state", layer="function", gate=True)
async def state(task: Task, trajectory: Trajectory, box: Sandbox, *, params: StateParams) -> AsyncIterator[Criterion]:
    """The file says what it must."""
    got = (await box.read("state")).decode().strip()
    yield Criterion(name="state is right", passed=got == params.want, evidence=got)


def spoil_state(params: StateParams) -> list[Mutation]:
    """Ways of spoiling the file, one of which does not apply and one of which nobody looks for."""
    return [
        Mutation(name="other word", command="echo other > state", criteria=("state is",)),
        Mutation(name="nothing to spoil", command=f"exit {NOTHING_TO_SPOIL}"),
        Mutation(name="another file", command="echo other > tests/test_state.py"),
        Mutation(name="other criterion", command="echo other > state", criteria=("state is beautiful",)),
    ]


@verifier("toy.spoilt", layer="function", mutants=spoil_state)
async def spoilt(task: Task, trajectory: Trajectory, box: Sandbox, *, params: StateParams) -> AsyncIterator[Criterion]:
    """The file says what it must, which good work that was spoilt does not."""
    got = (await box.read("state")).decode().strip()
    yield Criterion(name="state is right", passed=got == params.want, evidence=got)


@verifier("toy.gullible", layer="function")
async def gullible(task: Task, trajectory: Trajectory, box: Sandbox) -> AsyncIterator[Criterion]:
    """Believes the attempt's own tests."""
    done = await box.exec("python3 tests/test_state.py")
    yield Criterion(name="the tests are content", passed=done.ok, evidence=done.err)


@verifier("toy.cheap", layer="function", cost="milliseconds")
async def cheap(task: Task, trajectory: Trajectory, box: Sandbox) -> AsyncIterator[Criterion]:
    """Passes at once."""
    yield Criterion(name="cheap", passed=True, evidence="looked")


@verifier("toy.half", layer="function")
async def half(task: Task, trajectory: Trajectory, box: Sandbox) -> AsyncIterator[Criterion]:
    """One of two."""
    yield Criterion(name="one", passed=True, evidence="yes")
    yield Criterion(name="two", passed=False, evidence="no")


@verifier("toy.dear", layer="execution", cost="minutes")
async def dear(task: Task, trajectory: Trajectory, box: Sandbox) -> AsyncIterator[Criterion]:
    """Takes long, and looks at what comes first."""
    yield Criterion(name="it starts", passed=True, evidence="looked")


@verifier("toy.serve", layer="interaction", shares="box")
async def serve(task: Task, trajectory: Trajectory, box: Sandbox) -> AsyncIterator[Criterion]:
    """Leaves something in its box for whoever shares it."""
    await box.exec("touch /tmp/served")
    yield Criterion(name="it is served", passed=True, evidence="served")


class Sight(Record):
    """What a judge saw."""

    evidence: str


@verifier("toy.visit", layer="visual", shares="box", wants=("judge",))
async def visit(
    task: Task, trajectory: Trajectory, box: Sandbox, *, judge: Judge | None = None
) -> AsyncIterator[Criterion]:
    """Sees what was left, and asks a judge where there is one."""
    found = (await box.exec("test -e /tmp/served")).ok
    seen = await ask(judge, "Is it there?", (), Sight) if judge else Sight(evidence="looked")
    yield Criterion(name="it is there", passed=found, evidence=seen.evidence, weight=3)
    yield Criterion(name="it is pretty", passed=False, evidence="no")


@verifier("toy.alone", layer="visual")
async def alone(task: Task, trajectory: Trajectory, box: Sandbox) -> AsyncIterator[Criterion]:
    """Has a box of its own."""
    found = (await box.exec("test -e /tmp/served")).ok
    yield Criterion(name="it is fresh", passed=not found, evidence="looked")


@verifier("toy.written", layer="rubric")
async def written(task: Task, trajectory: Trajectory, box: Sandbox) -> AsyncIterator[Criterion]:
    """There is a report, and it is whole."""
    found = await box.exec("cat out.txt")
    yield Criterion(name="the report is whole", passed=found.out.endswith("report\n"), evidence=found.out)


@verifier("toy.rows", layer="rubric")
async def rows(task: Task, trajectory: Trajectory, box: Sandbox) -> AsyncIterator[Criterion]:
    """There is a workbook of four rows; nobody can tell of one that does not open."""
    sheet = "zipfile.ZipFile('out.xlsx').read('xl/worksheets/sheet1.xml')"
    found = await box.exec(f"""test ! -e out.xlsx || python3 -c "import zipfile; print({sheet}.count(b'<row '))" """)
    if not found.ok:
        raise Undecided(found.err)
    yield Criterion(name="it has four rows", passed=found.out == "4\n", evidence=found.out or "there is none")


@verifier("toy.exists", layer="rubric")
async def exists(task: Task, trajectory: Trajectory, box: Sandbox) -> AsyncIterator[Criterion]:
    """There is a file, whatever it says."""
    yield Criterion(name="there is a report", passed=(await box.exec("test -e out.txt")).ok, evidence="looked")


@verifier("toy.mute", layer="function")
async def mute(task: Task, trajectory: Trajectory, box: Sandbox) -> AsyncIterator[Criterion]:
    """Asks nothing."""
    return
    yield


@verifier("toy.doubting", layer="function")
async def doubting(task: Task, trajectory: Trajectory, box: Sandbox) -> AsyncIterator[Criterion]:
    """Cannot tell."""
    yield Criterion(name="first", passed=True, evidence="so far")
    raise Undecided("the report is torn")


@verifier("toy.broken-box", layer="function")
async def broken_box(task: Task, trajectory: Trajectory, box: Sandbox) -> AsyncIterator[Criterion]:
    """Its box breaks."""
    raise SandboxError("gone")
    yield


_turns = itertools.count()


@verifier("toy.fickle", layer="function")
async def fickle(task: Task, trajectory: Trajectory, box: Sandbox) -> AsyncIterator[Criterion]:
    """Changes its mind every time."""
    yield Criterion(name="mood", passed=next(_turns) % 2 == 0, evidence="a coin")


def turn(*, heads: bool) -> None:
    """Let the coin fall this way next."""
    while (next(_turns) % 2 == 0) == heads:
        pass


class TurnsParams(Record):
    """Tests, each named for what it does."""

    pass_to_pass: tuple[str, ...] = ()


@verifier("toy.turns", layer="function", needs=("blobs",), may_lose="pass_to_pass")
async def turns(
    task: Task, trajectory: Trajectory, box: Sandbox, *, params: TurnsParams, blobs: BlobStore
) -> AsyncIterator[Criterion]:
    """Of the tests that must keep passing, those called `coin` fail every other time and `never` each time."""
    yield Criterion(name="state is right", passed=b"fixed" in await box.read("state"), evidence="read", gate=True)
    heads = next(_turns) % 2 == 0
    lost = [test for test in params.pass_to_pass if test.startswith("never") or (heads and test.startswith("coin"))]
    listed = {MISSED: blobs.put("\n".join(lost).encode())} if lost else {}
    yield Criterion(name="what passed still passes", passed=not lost, evidence=str(lost), attachments=listed)


class SettledParams(Record):
    """A word that the proof finds out."""

    found: str = ""
    twins: tuple[str, ...] = ()


async def settle_state(params: SettledParams, boxes: FreshBoxes) -> Settled:
    """Finds what the good work left, in a box of its own, and that the base has something else."""
    async with boxes.open_attempt() as box, boxes.open_base() as base:
        state, before = await box.read("state"), await base.read("state")
    assert state != before
    return Settled(params={"found": state.decode().strip(), "twins": ["one", "two"]}, twins=2)


@verifier("toy.settled", layer="function", settle=settle_state, needs=("boxes",))
async def settled(
    task: Task, trajectory: Trajectory, box: Sandbox, *, params: SettledParams, boxes: FreshBoxes
) -> AsyncIterator[Criterion]:
    """The state is what the proof found, once it has found something, in this box and in another."""
    async with boxes.open_attempt() as other:
        assert await other.read("state") == await box.read("state")
    want = params.found or "fixed"
    yield Criterion(name="state is right", passed=want.encode() in await box.read("state"), evidence=want, gate=True)
