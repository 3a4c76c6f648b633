"""The stage `write` for modelling: a model to be completed, judged by its figures and by whether it ties."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from crucible.domains.office.sheets.params import SheetParams
from crucible.domains.office.sheets.ties import TiesParams
from crucible.domains.office.world import work_env
from crucible.mining import MiningContext
from crucible.model import Check, Difficulty, Provenance, Reference, Task
from pipelines.cowork.modelling.model import FinancialModel, read_template

LEVELS = ("exact", "plain")
"""With the cells named, and without."""


async def write_models(model: FinancialModel, context: MiningContext) -> Sequence[Task]:
    """One task for each way of asking."""
    return [make_model_task(model, level) for level in range(len(LEVELS))]


def make_model_task(model: FinancialModel, level: int) -> Task:
    path = f"{model.case.name}.xlsx"
    env = work_env({path: model.given}, (path,))
    sheet = SheetParams(
        path=path,
        gold=model.gold,
        given=model.given,
        sheets=model.sheets,
        answers=model.answers,
        changes=model.changes,
    )
    ties = TiesParams(path=path, ties=model.ties, changes=model.changes)
    return Task(
        domain="cowork",
        kind=f"model-{model.case.template}",
        instruction=write_instruction(model, LEVELS[level], path, env.workdir),
        env=env,
        checks=(
            Check(verifier="ties", params=ties.model_dump(mode="json")),
            Check(verifier="sheet", params=sheet.model_dump(mode="json")),
        ),
        reference=Reference(blobs={path: model.gold}),
        provenance=Provenance(
            source=f"model-cases:{model.case.name}", licence=model.case.licence, author=model.case.author
        ),
        difficulty=Difficulty(hint_level=level),
        labels={"template": model.case.template, "cells": str(len(model.answers)), "ties": str(len(model.ties))},
    )


def write_instruction(model: FinancialModel, level: str, path: str, workdir: str) -> str:
    """What is to be completed, line by line; the exact way names the cells."""
    rules = [f"- {area}: {rule}" if level == "exact" else f"- {rule}" for area, rule in model.rules.items()]
    return read_texts()[level].format(
        path=path,
        workdir=workdir,
        title=model.case.title,
        kind=read_template(model.case.template).title,
        rules="\n".join(rules),
    )


@cache
def read_texts() -> dict[str, str]:
    """What instructions are made of (`texts.toml`)."""
    return tomllib.loads(Path(__file__).with_name("texts.toml").read_text(encoding="utf-8"))
