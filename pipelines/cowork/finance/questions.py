"""The stage `derive` for finance: plans are run over a set of files, and what is proven becomes questions."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from random import Random

from crucible.collecting import Dropped
from crucible.errors import Rejected
from crucible.mining import MiningContext
from crucible.record import Json, Record
from pipelines.cowork.finance.model import Dataset, Trace, Trail
from pipelines.cowork.finance.necessity import require_needed, require_unseen
from pipelines.cowork.finance.plans import Plan, draw_values, list_plans, read_tool_facts, show_values
from pipelines.cowork.finance.tables import RESTATED, SIZES, UNIT, Table, Unreadable, read_table
from pipelines.cowork.finance.tracing import Underivable, run_plan
from pipelines.cowork.settings import CoworkSettings

RESTATED_RULE = "Where a figure was restated, the restated one counts."


class Trial(Record):
    """A plan that was tried over a set of files."""

    dataset: str
    plan: str

    @property
    def id(self) -> str:
        return f"{self.dataset}-{self.plan}"


async def ask_questions(dataset: Dataset, context: MiningContext) -> Sequence[Record]:
    """A question for each plan that fits, or the reason why there is none."""
    options = context.section(CoworkSettings)
    return await asyncio.to_thread(_ask_questions, dataset, context, options)


def _ask_questions(dataset: Dataset, context: MiningContext, options: CoworkSettings) -> list[Record]:
    tables = read_tables(dataset, context)
    fitting = [plan for plan in list_plans() if set(plan.needs) <= tables.keys()]
    if not fitting:
        raise Rejected("no_plan_fits", f"files are there for: {', '.join(tables)}")
    chosen = Random(f"{options.seed} {dataset.id}").sample(fitting, min(options.plans, len(fitting)))
    return [_try_plan(plan, dataset, tables, options.seed) for plan in chosen]


def read_tables(dataset: Dataset, context: MiningContext) -> dict[str, Table]:
    """The files of a set, by role."""
    try:
        return {role: read_table(name, context.blobs.get(dataset.files[name])) for role, name in dataset.roles.items()}
    except Unreadable as fault:
        raise Rejected("unreadable_file", str(fault)) from None


def name_tables(dataset: Dataset, tables: Mapping[str, Table]) -> dict[str, Table]:
    """Tables by the names of their files."""
    return {dataset.roles[role]: table for role, table in tables.items()}


def _try_plan(plan: Plan, dataset: Dataset, tables: Mapping[str, Table], seed: int) -> Record:
    try:
        return ask_question(plan, dataset, tables, seed)
    except (Rejected, Unreadable, Underivable) as fault:
        reason = fault.reason if isinstance(fault, Rejected) else "underivable"
        detail = fault.detail if isinstance(fault, Rejected) else str(fault)
        return Dropped(record=Trial(dataset=dataset.id, plan=plan.name), reason=reason, detail=detail[:300])


def ask_question(plan: Plan, dataset: Dataset, tables: Mapping[str, Table], seed: int = 0) -> Trail:
    """Run the plan with drawn values and prove the trace. Rejected, Underivable or Unreadable where that fails."""
    needed = {role: tables[role] for role in plan.needs}
    given = draw_values(plan, needed, Random(f"{seed} {dataset.id} {plan.name}"))
    trace = run_plan(plan, dataset.roles, needed, given)
    files = name_tables(dataset, tables)
    answer = trace.calls[-1].output
    if not isinstance(answer, int | float):
        raise Rejected("no_single_answer", plan.name)
    if answer <= 0 and not plan.signed:
        raise Rejected("senseless_answer", f"{answer:.6g}")
    require_needed(trace, files, answer)
    value = answer * plan.scale
    require_unseen(files, value, tolerance_of(plan.decimals))
    words = _list_words(dataset, needed) | show_values(plan, given)
    return Trail(
        dataset=dataset,
        plan=plan.name,
        number=seed,
        trace=trace,
        questions={"exact": plan.exact.format(**words), "plain": plan.plain.format(**words)},
        conventions=tuple(_list_conventions(trace, needed)),
        value=value,
        scale=plan.scale,
        unit=plan.unit.format(**words),
        decimals=plan.decimals,
    )


def tolerance_of(decimals: int) -> float:
    """Half of the last place: what rounding may change."""
    return 0.5 * 10.0**-decimals


def _list_words(dataset: Dataset, tables: Mapping[str, Table]) -> dict[str, str]:
    """What every question may name: the title, the currency and its unit, the files by role."""
    size: Json = next((table.values[UNIT] for table in tables.values() if UNIT in table.values), None)
    unit = next((word for word, each in SIZES.items() if each == size), "")
    return {"title": dataset.title, "currency": dataset.currency, "unit": unit, **dataset.roles}


def _list_conventions(trace: Trace, tables: Mapping[str, Table]) -> list[str]:
    """What the tools that were used take for granted, each once."""
    found = [read_tool_facts()[call.tool].get("convention", "") for call in trace.calls]
    if any(row.endswith(RESTATED) for table in tables.values() for row in table.rows):
        found.append(RESTATED_RULE)
    return [convention for convention in dict.fromkeys(found) if convention]
