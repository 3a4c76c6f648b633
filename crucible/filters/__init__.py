"""Filter expressions over a judged attempt: read, checked against the records' fields, and made a function.

    task.kind == "bugfix" and reward >= 0.9 and len(trajectory.steps) < 40
    any(v.verifier == "suite" and v.score == 1 for v in verdicts)
    trajectory.agent.options["model"].startswith("qwen") and not trajectory.detail
    task.proof.twins >= 1 and proof.plan == "reference" and calibration.pass_rate < 0.8 and selection.keeps_any

A small part of Python, and none of its power: names, fields, constants, comparisons, and/or/not, `in`, `[key]`,
len, any and all over a list, startswith, endswith and lower. All else is refused before anything runs.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Set

from crucible.errors import SettingsError
from crucible.exporting import Judged, TaskFacts
from crucible.facts import Calibration, Comparison, Draw
from crucible.filters.compiler import Compiler, Values
from crucible.filters.kinds import NUMBER, Kind
from crucible.model import Selection, Task, Trajectory, Verdict
from crucible.proving import Proof

NAMES = {
    "task": Kind("record", model=Task),
    "trajectory": Kind("record", model=Trajectory),
    "verdicts": Kind("list", of=Kind("record", model=Verdict)),
    "selection": Kind("record", model=Selection),
    "reward": NUMBER,
    "proof": Kind("record", model=Proof),
    "calibration": Kind("record", model=Calibration),
    "comparisons": Kind("list", of=Kind("record", model=Comparison)),
    "draw": Kind("record", model=Draw),
}
TASK_NAMES = ("task", "proof", "calibration", "comparisons", "draw")
"""Those that a task has whether or not anybody attempted it."""
LONGEST = 10_000

Filter = Callable[[Judged], bool]
TaskFilter = Callable[[Task, TaskFacts], bool]


class TaskFactNames(ast.NodeTransformer):
    """Writes `proof` for `task.proof`, and so on: what is known of a task may be asked for as a field of it."""

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        is_fact = isinstance(node.value, ast.Name) and node.value.id == "task" and node.attr in TASK_NAMES[1:]
        return ast.Name(node.attr, ast.Load()) if is_fact else node


def parse_filter(expression: str) -> Filter:
    """The filter an expression says; SettingsError when it makes no sense. An empty one lets everything through."""
    holds, used = _compile(expression, NAMES)
    return lambda judged: holds({name: getattr(judged, name) for name in used})


def parse_task_filter(expression: str) -> TaskFilter:
    """The same for an expression over a task that nobody needs to have attempted: its names are `TASK_NAMES`."""
    holds, used = _compile(expression, {name: NAMES[name] for name in TASK_NAMES})
    facts_used = used - {"task"}
    return lambda task, facts: holds({"task": task} | {name: getattr(facts, name) for name in facts_used})


def _compile(expression: str, names: Mapping[str, Kind]) -> tuple[Callable[[Values], bool], Set[str]]:
    """What an expression says of the values under these names, and which of the names it uses."""
    if not expression.strip():
        return lambda values: True, frozenset()
    if len(expression) > LONGEST:
        raise SettingsError(f"--where: longer than {LONGEST} characters")
    try:
        tree = TaskFactNames().visit(ast.parse(expression.strip(), mode="eval"))
        _, meaning = Compiler(names).compile(tree.body)
    except (SyntaxError, ValueError) as wrong:
        raise SettingsError(f"--where: {getattr(wrong, 'msg', wrong)} in: {expression}", EXAMPLE) from None
    except (RecursionError, MemoryError):
        raise SettingsError("--where: nested too deeply", EXAMPLE) from None
    used = names.keys() & {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return lambda values: bool(meaning(values)), used


EXAMPLE = "for example: task.kind == 'bugfix' and reward >= 0.9"
