"""Runs a plan's tools over files and keeps the trace; runs a trace again, from the files alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pyxirr import InvalidPaymentsError

from crucible.record import Json
from pipelines.cowork.finance.model import Call, Input, Origin, Trace
from pipelines.cowork.finance.plans import Plan, Step
from pipelines.cowork.finance.tables import Table, Unreadable
from pipelines.cowork.finance.tools import list_tools


class Underivable(Exception):
    """The answer does not follow: something that a call needs is not there, or a tool has no result."""


def run_plan(plan: Plan, roles: Mapping[str, str], tables: Mapping[str, Table], given: dict[str, Json]) -> Trace:
    """Call the tools in their order. Underivable where one cannot be called; tables are by role."""
    calls: list[Call] = []
    for step in plan.steps:
        inputs = {name: _find_input(ref, roles, tables, given) for name, ref in step.inputs.items()}
        calls.append(_call(step, inputs, {roles[role]: table for role, table in tables.items()}, given, calls))
    return Trace(given=given, calls=tuple(calls))


def _call(
    step: Step, inputs: dict[str, Input], files: Mapping[str, Table], given: Mapping[str, Json], earlier: Sequence[Call]
) -> Call:
    outputs = {call.id: call.output for call in earlier}
    values = {name: resolve(each, files, given, outputs) for name, each in inputs.items()}
    told = {name: each.model_copy(update={"value": values[name]}) for name, each in inputs.items()}
    return Call(id=step.id, tool=step.tool, inputs=told, output=use_tool(step.tool, values))


def _find_input(
    ref: str | list[str], roles: Mapping[str, str], tables: Mapping[str, Table], given: Mapping[str, Json]
) -> Input:
    """The origins that a reference of a plan means."""
    refs = ref if isinstance(ref, list) else [ref]
    origins = [origin for each in refs for origin in _find_origins(each, roles, tables, given)]
    listed = isinstance(ref, list) or ".." in ref or "*" in ref
    return Input(origins=tuple(origins), listed=listed, value=None)


def _find_origins(
    ref: str, roles: Mapping[str, str], tables: Mapping[str, Table], given: Mapping[str, Json]
) -> list[Origin]:
    if ref.startswith("="):
        return [Origin(kind="call", name=ref[1:])]
    if ref.startswith("$"):
        return [Origin(kind="question", name=ref[1:])]
    role, _, place = ref.partition(":")
    place = place.format(**{name: str(value) for name, value in given.items()})
    try:
        places = _list_places(tables[role], place)
    except Unreadable as missing:
        raise Underivable(f"{roles[role]}: {missing}") from None
    return [Origin(kind="file", name=roles[role], place=each) for each in places]


def _list_places(table: Table, place: str) -> list[str]:
    """The places that `row@column` means, or a path of a JSON file; `*` at its end stands for a list."""
    row, at, column = place.partition("@")
    if not at:
        found = [path for path in table.values if path == place or _is_item(path, place)]
        if not found:
            raise Unreadable(f"it has no {place}")
        return found
    rows = _choose(row, list(table.rows))
    columns = _choose(column, [*table.columns, ""]) if column else [""]
    if len(rows) > 1:  # a series: what was not quoted is left out
        places = [f"{table.rows[label]}:{name}" for label in rows for name in columns]
        return [each for each in places if each in table.values]
    return [table.find_place(rows[0], name) for name in columns]


def _is_item(path: str, place: str) -> bool:
    """Whether a path is that of an item of a list: `flows.*` means `flows.0`, and `*.amount` of each."""
    parts, wanted = path.split("."), place.split(".")
    return len(parts) == len(wanted) and all(a == b or b == "*" for a, b in zip(parts, wanted, strict=True))


def _choose(wanted: str, labels: list[str]) -> list[str]:
    """The labels from one to another, all, or one."""
    if wanted == "*":
        return [label for label in labels if label]
    first, dots, last = wanted.partition("..")
    if not dots:
        return [wanted]
    if first not in labels or last not in labels:
        raise Unreadable(f"it does not have '{first}' and '{last}'")
    return labels[labels.index(first) : labels.index(last) + 1]


def resolve(each: Input, files: Mapping[str, Table], given: Mapping[str, Json], outputs: Mapping[str, Json]) -> Any:
    """The value of an input, from where it came from. Underivable where that is not there."""
    values = []
    for origin in each.origins:
        try:
            values.append(_read_origin(origin, files, given, outputs))
        except KeyError:
            raise Underivable(f"there is no {origin}") from None
    return values if each.listed else values[0]


def _read_origin(
    origin: Origin, files: Mapping[str, Table], given: Mapping[str, Json], outputs: Mapping[str, Json]
) -> Json:
    if origin.kind == "file":
        return files[origin.name].values[origin.place]
    return outputs[origin.name] if origin.kind == "call" else given[origin.name]


def use_tool(name: str, values: Mapping[str, Any]) -> Any:
    """What the tool gives. Underivable where it gives no number."""
    try:
        output = list_tools()[name](**values)
    except (ArithmeticError, LookupError, TypeError, ValueError, InvalidPaymentsError) as fault:
        raise Underivable(f"{name}: {fault}") from None
    if any(isinstance(each, complex) or each != each for each in (output if isinstance(output, list) else [output])):
        raise Underivable(f"{name} comes to no number")
    return output


def replay(trace: Trace, files: Mapping[str, Table], altered: Mapping[str, float] | None = None) -> Any:
    """What the trace's last call comes to, calculated from the files and what the question says alone. The outputs of
    `altered` calls are multiplied by a factor."""
    outputs: dict[str, Any] = {}
    for call in trace.calls:
        values = {name: resolve(each, files, trace.given, outputs) for name, each in call.inputs.items()}
        output, factor = use_tool(call.tool, values), (altered or {}).get(call.id, 1)
        outputs[call.id] = [each * factor for each in output] if isinstance(output, list) else output * factor
    return outputs[trace.calls[-1].id]
