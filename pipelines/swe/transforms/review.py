"""Review tasks: the change with a known defect put into one of its own lines; the agent must name it, and show it by an
input."""

from __future__ import annotations

import ast
import json
import shlex
from collections.abc import Iterator
from functools import partial

from crucible.domains.code.check_params import Defect, ReviewedTrees, ReviewParams
from crucible.domains.code.definitions import parse_python
from crucible.domains.code.failing_input import explain_failure
from crucible.domains.code.overlay import whole_files, write_command
from crucible.domains.code.patches import changes
from crucible.domains.code.suite import find_runner
from crucible.domains.code.syntax_trees import node_text, parse_tree, walk_nodes
from crucible.errors import Rejected
from crucible.mining import MiningContext
from crucible.model import Reference, Task
from pipelines.swe.instructions import fill_template
from pipelines.swe.model import Built
from pipelines.swe.paths import sort_of
from pipelines.swe.rewards.drafting import make_check, make_draft
from pipelines.swe.rewards.measure import apply_or_reject
from pipelines.swe.transforms.controls import Wanted, find_noticed_mutants, find_rewrite, list_old_tests, rewrite_fault
from pipelines.swe.transforms.faults import Fault, Places, find_noticed_fault, open_merged, run_or_reject
from pipelines.swe.transforms.limits import load_limits

REPORT = "/tmp/review/report"
"""Where the reference's own run of the tests writes its report."""
LEAST_OTHERS = 2
"""Other faults that a finding's input is run over: by one alone good inputs would be refused."""
RIGHT_OUTPUT = "passes"
"""What the reference's input prints over right code."""


async def ask_for_review(built: Built, context: MiningContext) -> Task:
    """The task of finding the defect in a change."""
    added = {
        change.path: {number for number, _ in change.added}
        for change in changes(built.candidate.pull.patch)
        if change.added and sort_of(change.path) == "source"
    }
    if sum(map(len, added.values())) < load_limits().review_lines:
        raise Rejected("too_guessable", f"the change adds fewer than {load_limits().review_lines} lines")
    # A fault that the repository's own tests notice would be shown by running them, wherever the finding points.
    fault = await find_noticed_fault(built, context, f"{built.task.id} review", added, list_old_tests(built))
    params = ReviewParams(
        defects=(_defect(fault),),
        trees=await _reviewed_trees(built, context, fault, added),
        names=tuple(sorted(set(_list_names(fault.mutant.path, fault.mutant.text)))),
    )
    return await _draft_task(built, context, fault, params)


async def _draft_task(built: Built, context: MiningContext, fault: Fault, params: ReviewParams) -> Task:
    """The task, with the finding that is right: the change's own tests as its input."""
    [defect] = params.defects
    script = _write_script(built, fault)
    open_box = partial(context.world.open, built.candidate.env)
    if why := await explain_failure(open_box, params.trees, script, RIGHT_OUTPUT):
        raise Rejected("no_failing_input", why)
    finding = {"path": defect.path, "line": defect.first, "problem": defect.what}
    reference = Reference(files={params.file: json.dumps([{**finding, "input": script, "expected": RIGHT_OUTPUT}])})
    template = fill_template("review", built.candidate, count="1", file=params.file, diff=params.trees.faulty.strip())
    instruction = template.replace("{statement}", built.statement.text, 1)
    task = make_draft(built.candidate, instruction, (make_check("review", params),), reference)
    return task.model_copy(update={"kind": "review"})


async def _reviewed_trees(built: Built, context: MiningContext, fault: Fault, places: Places) -> ReviewedTrees:
    """The change with the defect and without it, each also in other words, and with other faults in its lines
    (`places`) that the tests which the defect breaks notice, too."""
    faulty = await _faulty_diff(built, context, fault)
    async with open_merged(built, context) as box:
        rewrite = await find_rewrite(box, built, {fault.mutant.path: fault.mutant.text})
        faulty_rewrite = await rewrite_fault(box, built, fault.mutant, rewrite.depth)
        wanted = Wanted(seed=f"{built.task.id} others", by=fault.broken, only=places, besides=fault.mutant.text)
        others = await find_noticed_mutants(box, built, wanted)
    if len(others) < LEAST_OTHERS:
        raise Rejected("no_fault_found", f"the defect's tests notice {len(others)} other faults in the change")
    suite = built.candidate.suite
    return ReviewedTrees(
        faulty=faulty,
        right=built.candidate.pull.patch,
        faulty_rewrite=faulty_rewrite,
        right_rewrite=rewrite.patch,
        others=others,
        build=suite.build,
        timeout=suite.timeout,
    )


def _write_script(built: Built, fault: Fault) -> str:
    """A script that lays the change's own tests and says whether those pass that the defect breaks."""
    files = whole_files(built.tests.tests, built.tests.data)
    if built.tests.inline or not files:
        raise Rejected("no_failing_input", "the change's tests are not in files of their own")
    suite = built.candidate.suite
    runner = find_runner(suite.runner)
    command = runner.command(suite, REPORT, runner.paths(fault.broken))
    run = f"mkdir -p {REPORT}.d; sh -c {shlex.quote(command)}"
    return f"{write_command(files)}\n( {run} ) >/dev/null 2>&1 && echo {RIGHT_OUTPUT} || echo fails"


async def _faulty_diff(built: Built, context: MiningContext, fault: Fault) -> str:
    """The change with the defect in it, as a patch over the base. The tests stay hidden: they would find it."""
    async with context.world.open(built.candidate.env) as box:
        await apply_or_reject(box, built.candidate.pull.patch)
        await box.write(fault.mutant.path, fault.mutant.text.encode())
        await run_or_reject(box, "git add -A")
        diff = await run_or_reject(box, "git diff --cached --no-color --no-ext-diff HEAD")
    if diff.count("\n") > load_limits().review_longest:
        raise Rejected("too_long_to_review", f"more than {load_limits().review_longest} lines of patch")
    return diff


def _defect(fault: Fault) -> Defect:
    """Where the fault is, and what it is."""
    [change] = changes(fault.patch)
    lines = [number for number, _ in change.added] or [number for number, _ in change.removed]
    was, now = ("; ".join(line.strip() for _, line in part) for part in (change.removed, change.added))
    what = f"{fault.mutant.operator}: it says `{now}` and should say `{was}`"
    return Defect(path=change.path, first=min(lines), last=max(lines), what=what)


def _list_names(path: str, text: str) -> Iterator[str]:
    """The names in a file's code, without those in comments and texts."""
    if path.endswith(".py"):
        for node in ast.walk(parse_python(text)):
            yield from (name for name in (getattr(node, key, None) for key in ("id", "attr", "arg", "name")) if name)
    elif (root := parse_tree(path, text)) is not None:
        yield from (node_text(node) for node in walk_nodes(root) if "identifier" in node.type and not node.children)
