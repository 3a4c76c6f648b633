"""Ledgers to look at: a plain one of any size, and one in which everything that can be said is an attack."""

from __future__ import annotations

import json
from collections.abc import Iterator

from crucible import parts
from crucible.judging.judges import params_hash
from crucible.model import (
    Agent,
    Check,
    Criterion,
    Observation,
    Provenance,
    Reference,
    Step,
    Task,
    ToolCall,
    Trajectory,
    Verdict,
)
from crucible.running.run import Run
from crucible.store.item import Item

DIFF = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n"
ATTACK = (
    "</script><script>window.pwned=1</script><img src=x onerror='window.pwned=2'><svg onload=window.pwned=3>"
    "</pre></style>{{ 7*7 }}<iframe src='javascript:window.pwned=4'></iframe><a href=\"javascript:alert(1)\">x</a>"
    "<form action=http://evil.example><meta http-equiv=refresh content='0;url=http://evil.example'>\"'`-->]]>"
    "\x1b]0;title\x07\x1b[2J\x00\u202egnp.exe\u2028\r\b"
)


def task(n: int = 0, **fields: object) -> Task:
    plain = {
        "domain": "toy",
        "kind": "mend",
        "instruction": f"<problem>\nMend thing number {n}\n</problem>",
        "checks": (Check(verifier="suite"),),
        "reference": Reference(patch=DIFF),
        "provenance": Provenance(source=f"git:toy#{n}", licence="MIT"),
    }
    return Task.model_validate(plain | fields)


def trajectory(of: Task, seed: int = 0, **fields: object) -> Trajectory:
    plain = {
        "task_id": of.id,
        "agent": Agent(scaffold="native", teacher="scripted", seed=seed),
        "system": "Be careful.",
        "prompt": of.instruction,
        "steps": (
            Step(
                thinking="Where is it?",
                text="I look.",
                calls=(ToolCall(id="1", name="shell", arguments='{"command": "ls"}'),),
                observations=(Observation(call_id="1", content="thing\n"),),
                seconds=0.5,
            ),
        ),
        "ended": "submitted",
    }
    return Trajectory.model_validate(plain | fields)


def verdict(on: Trajectory, passed: bool = True, **fields: object) -> Verdict:
    criterion = Criterion(name="the thing is mended", passed=passed, evidence="seen")
    plain = {
        "trajectory_id": on.id,
        "trajectory_digest": on.digest,
        "verifier": "suite",
        "version": parts.find("verifier", "suite").version,
        "params_hash": params_hash(Check(verifier="suite")),
        "outcome": "pass" if passed else "fail",
        "score": float(passed),
        "criteria": (criterion,),
        "detail": "" if passed else "the thing is not mended",
    }
    return Verdict.model_validate(plain | fields)


def keep(run: Run, of: Task, attempts: list[Trajectory], pipeline: str = "toy") -> None:
    run.ledger.put([Item.of("task", of, pipeline=pipeline)])
    run.ledger.put([Item.of("trajectory", one, pipeline=pipeline, parent=one.id) for one in attempts], "verify")


def drop(run: Run, ids: list[str], reason: str, detail: str, stage: str = "toy.filter", pipeline: str = "toy") -> None:
    body = json.dumps({"title": "raw \ud800 thing"})
    run.ledger.put([Item(noun="raw", id=id, body=body, pipeline=pipeline) for id in ids], stage)
    for claim in run.ledger.claim(stage, len(ids)):
        run.ledger.drop(claim, reason, detail)


def fill(run: Run, n: int) -> None:
    """So many attempts at ten tasks, one in three refused, every seventh by another teacher, and five drops."""
    tasks = [task(i) for i in range(10)]
    run.ledger.put([Item.of("task", one, pipeline="toy") for one in tasks])
    made = [trajectory(tasks[i % 10], i, agent=_agent(i)) for i in range(n)]
    run.ledger.put([Item.of("trajectory", one, pipeline="toy", parent=one.id) for one in made], "verify")
    for i, one in enumerate(made):
        run.ledger.keep_verdict(verdict(one, passed=i % 3 != 0))
    drop(run, ["raw#1", "raw#2", "raw#3"], "no_tests", "no test file is added or changed")
    drop(run, ["raw#4", "raw#5"], "bot_author", "by a robot")


def _agent(i: int) -> Agent:
    if i % 7 == 0:
        return Agent(scaffold="native", teacher="openai", options={"model": "some-model"}, seed=i)
    return Agent(scaffold="native", teacher="scripted", options={"script": "attempts/right.toml"}, seed=i)


def hostile(run: Run) -> Trajectory:
    """One attempt in which every text is an attack, at a task of the same kind, with drops to match."""
    of = Task(
        domain="../../toy<b>",
        kind=ATTACK,
        instruction=ATTACK,
        reference=Reference(patch=ATTACK, script=ATTACK, files={ATTACK: ATTACK}, answer=ATTACK),
        provenance=Provenance(source=ATTACK, licence=ATTACK, url="javascript:alert(1)", commit=ATTACK),
    )
    blob = run.blobs.put(ATTACK.encode())
    made = Trajectory(
        task_id=of.id,
        agent=Agent(scaffold=ATTACK, teacher=ATTACK, options={"model": ATTACK}),
        system=ATTACK,
        prompt=ATTACK,
        steps=tuple(_steps()),
        artifacts={"diff": blob},
        ended="submitted",
        detail=ATTACK,
    )
    drawing = run.blobs.put(b"<svg xmlns='http://www.w3.org/2000/svg' onload='window.pwned=5'/>")
    attached = {ATTACK: drawing, "log": blob}
    criterion = Criterion(name=ATTACK, passed=False, evidence=ATTACK, layer=ATTACK, attachments=attached)
    keep(run, of, [made], pipeline=ATTACK)
    run.ledger.keep_verdict(verdict(made, False, verifier=ATTACK, criteria=(criterion,), detail=ATTACK))
    drop(run, [ATTACK, "a/../b", "\N{PILE OF POO}"], ATTACK, ATTACK, stage=ATTACK, pipeline=ATTACK)
    return made


def _steps() -> Iterator[Step]:
    for arguments in ("not JSON " + ATTACK, json.dumps({ATTACK: ATTACK, "lone": "\ud800"}), "[" * 100_000):
        call = ToolCall(id="1", name=ATTACK, arguments=arguments)
        heard = (Observation(call_id="1", content=ATTACK), Observation(call_id="", content=ATTACK))
        yield Step(thinking=ATTACK, text=ATTACK, calls=(call,), observations=heard)
