"""The tables of what tasks are made from, and of how well their checks notice spoilt work."""

from __future__ import annotations

from pathlib import Path

from crucible.judging.yields import ITEM
from crucible.model import Task
from crucible.proving import NOUN, Mutant, Proof, Settled
from crucible.record import Record
from crucible.report import write_report
from crucible.report.origins import read_origins
from crucible.running.run import open_run
from crucible.settings import Settings
from crucible.store.item import Item


class Raw(Record):
    id: str


TASK = Task(domain="appdev", kind="frontend", instruction="x", labels={ITEM: "appdev-task-page-1"})
PROOF = Proof(
    task_id=TASK.id,
    plan="rubric",
    version=1,
    key="k",
    repeats=1,
    players=(),
    mutants=2,
    mutation_score=0.5,
    settled=(
        Settled(
            mutants=(
                Mutant(name="buttons-hidden", verifier="app.interaction", caught_by="it adds"),
                Mutant(name="text-invisible", verifier="app.visual"),
            )
        ),
    ),
)


def test_the_report_shows_meta_queries_and_mutation_scores(tmp_path: Path) -> None:
    with open_run(Settings(home=tmp_path)) as run:
        run.ledger.put(
            [Item.of("raw", Raw(id=f"appdev-{name}-1"), pipeline="appdev") for name in ("task-page", "shop")]
        )
        run.ledger.put([Item.of("task", TASK, pipeline="appdev")])
        run.ledger.put([Item.of(NOUN, PROOF, id=f"{TASK.id}-proof", pipeline="appdev", parent=TASK.id)])
        origins = read_origins(run.ledger)
        page = write_report(run, tmp_path / "report").read_text()
    assert [(row.group, row.drawn, row.tasks) for row in origins.groups] == [
        ("appdev-shop", 1, 0),
        ("appdev-task-page", 1, 1),
    ]
    assert [(row.mutants, row.score, row.missed) for row in origins.adequacy] == [(2, 0.5, "text-invisible")]
    assert "appdev-task-page" in page
    assert "text-invisible" in page
