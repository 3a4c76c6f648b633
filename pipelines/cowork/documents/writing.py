"""The stage `write` for documents: a document as tasks, judged by labels wherever the tables stand."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from crucible.domains.office.sheets.labelled import TableParams
from crucible.domains.office.world import work_env
from crucible.mining import MiningContext
from crucible.model import Check, Difficulty, Provenance, Reference, Task
from pipelines.cowork.documents.model import Reconstruction

LEVELS = ("exact", "plain")
WORKBOOK = "tables.xlsx"


async def write_reconstructions(work: Reconstruction, context: MiningContext) -> Sequence[Task]:
    """One task for each way of asking."""
    return [make_task(work, level) for level in range(len(LEVELS))]


def make_task(work: Reconstruction, level: int) -> Task:
    shown = f"{work.document.name}.{work.form}"
    env = work_env({shown: work.shown}, (WORKBOOK,))
    params = TableParams(path=WORKBOOK, tables=work.tables)
    return Task(
        domain="cowork",
        kind=f"rebuild-{work.form}",
        instruction=write_instruction(work, LEVELS[level], shown, env.workdir),
        env=env,
        checks=(Check(verifier="table", params=params.model_dump(mode="json")),),
        reference=Reference(blobs={WORKBOOK: work.gold}),
        provenance=Provenance(
            source=f"html-documents:{work.document.name}#{work.form}",
            licence=work.document.licence,
            author=work.document.author,
        ),
        difficulty=Difficulty(hint_level=level),
        labels={"form": work.form, "tables": str(len(work.tables))},
    )


def write_instruction(work: Reconstruction, level: str, shown: str, workdir: str) -> str:
    """What is to be rebuilt, and what makes it right."""
    texts = read_texts()
    count = len(work.tables)
    return texts[level].format(
        shown=shown,
        workdir=workdir,
        path=WORKBOOK,
        count="one table" if count == 1 else f"{count} tables",
        titles=", ".join(f"'{table.title}'" for table in work.tables),
        them="it" if count == 1 else "them",
        totals=texts["with_totals" if any(table.totals for table in work.tables) else "without_totals"],
    )


@cache
def read_texts() -> dict[str, str]:
    """What instructions are made of (`texts.toml`)."""
    return tomllib.loads(Path(__file__).with_name("texts.toml").read_text(encoding="utf-8"))
