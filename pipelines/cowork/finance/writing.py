"""The stage `write` for finance: a proven trace as tasks, answered in a file or worked out in a workbook."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from crucible.collecting import Dropped
from crucible.documents import Office
from crucible.domains.finance.answers import AnswerParams
from crucible.domains.office.sheets.params import SheetParams
from crucible.domains.office.world import work_env
from crucible.errors import Rejected
from crucible.mining import MiningContext
from crucible.model import Check, Difficulty, Provenance, Reference, Task
from crucible.record import Record
from pipelines.cowork.finance.model import Trail
from pipelines.cowork.finance.questions import name_tables, read_tables, tolerance_of
from pipelines.cowork.finance.working import ANSWER, CELL, INPUTS, build_workbooks, choose_changes, has_formulas
from pipelines.cowork.settings import CoworkSettings

LEVELS = ("exact", "plain")
"""From the most to the least help."""
ANSWER_FILE = "answer.json"
WORKBOOK = "working.xlsx"


async def write_questions(trail: Trail, context: MiningContext) -> Sequence[Record]:
    """The question in both ways of asking, and once more with the working judged, where formulas can do it."""
    tasks: list[Record] = [make_answer_task(trail, level) for level in range(len(LEVELS))]
    if has_formulas(trail.trace):
        try:
            tasks.append(await make_working_task(trail, context))
        except Rejected as fault:
            tasks.append(Dropped(record=trail, reason=fault.reason, detail=fault.detail))
    return tasks


async def make_working_task(trail: Trail, context: MiningContext) -> Task:
    """The question as a workbook to be completed by formulas. Rejected where formulas and tools disagree."""
    office: Office = await context.services.get("office")
    files = name_tables(trail.dataset, read_tables(trail.dataset, context))
    given, gold = build_workbooks(trail, files)
    changes = await choose_changes(office, gold, trail, files, context.section(CoworkSettings).changed_inputs)
    given_blob, gold_blob = context.blobs.put(given), context.blobs.put(gold)
    env = work_env({**trail.dataset.files, WORKBOOK: given_blob}, (WORKBOOK,))
    params = SheetParams(
        path=WORKBOOK, gold=gold_blob, given=given_blob, sheets=(INPUTS, ANSWER), answers=(CELL,), changes=changes
    )
    return Task(
        domain="cowork",
        kind="finance-working",
        instruction=write_instruction(trail, "plain", "working", WORKBOOK, env.workdir),
        env=env,
        checks=(Check(verifier="sheet", params=params.model_dump(mode="json")),),
        reference=Reference(blobs={WORKBOOK: gold_blob}),
        provenance=provenance_of(trail),
        difficulty=Difficulty(hint_level=1),
        labels=_label_task(trail),
    )


def make_answer_task(trail: Trail, level: int) -> Task:
    env = work_env(trail.dataset.files, (ANSWER_FILE,))
    params = AnswerParams(path=ANSWER_FILE, value=trail.value, unit=trail.unit, tolerance=tolerance_of(trail.decimals))
    rounded = round(trail.value, trail.decimals)
    return Task(
        domain="cowork",
        kind="finance-answer",
        instruction=write_instruction(trail, LEVELS[level], "answer", ANSWER_FILE, env.workdir),
        env=env,
        checks=(Check(verifier="answer", params=params.model_dump(mode="json")),),
        reference=Reference(files={ANSWER_FILE: json.dumps({"value": rounded, "unit": trail.unit})}),
        provenance=provenance_of(trail),
        difficulty=Difficulty(hint_level=level),
        labels=_label_task(trail),
    )


def _label_task(trail: Trail) -> dict[str, str]:
    return {"plan": trail.plan, "calls": str(len(trail.trace.calls)), "files": str(len(trail.trace.files))}


def write_instruction(trail: Trail, level: str, form: str, path: str, workdir: str) -> str:
    """The question, what is taken for granted, and where the answer goes, by the form of the answer."""
    decimals = trail.decimals
    return read_texts()[form].format(
        files=", ".join(trail.dataset.files),
        workdir=workdir,
        question=trail.questions[level],
        conventions="".join(f"{convention}\n" for convention in trail.conventions),
        path=path,
        places="whole numbers" if not decimals else f"{decimals} decimal place{'s' if decimals > 1 else ''}",
        unit=trail.unit,
    )


@cache
def read_texts() -> dict[str, str]:
    """What instructions are made of (`texts.toml`)."""
    return tomllib.loads(Path(__file__).with_name("texts.toml").read_text(encoding="utf-8"))


def provenance_of(trail: Trail) -> Provenance:
    name = f"finance-files:{trail.dataset.name}#{trail.plan}"
    return Provenance(source=name, licence=trail.dataset.licence, author=trail.dataset.author)
