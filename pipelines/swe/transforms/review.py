"""Review tasks: the change with a known defect put into one of its own lines; the agent must name it."""

from __future__ import annotations

import json
import re

from crucible.domains.code.check_params import Defect, ReviewParams
from crucible.domains.code.patches import changes
from crucible.errors import Rejected
from crucible.mining import MiningContext
from crucible.model import Reference, Task
from pipelines.swe.instructions import fill_template
from pipelines.swe.model import Built
from pipelines.swe.paths import sort_of
from pipelines.swe.rewards.drafting import make_check, make_draft
from pipelines.swe.rewards.measure import apply_or_reject
from pipelines.swe.transforms.faults import Fault, find_noticed_fault, run_or_reject
from pipelines.swe.transforms.limits import load_limits

WORD = re.compile(r"[A-Za-z_]\w+")
# matches: total  _cache2


async def ask_for_review(built: Built, context: MiningContext) -> Task:
    """The task of finding the defect in a change."""
    added = {
        change.path: {number for number, _ in change.added}
        for change in changes(built.candidate.pull.patch)
        if change.added and sort_of(change.path) == "source"
    }
    if sum(map(len, added.values())) < load_limits().review_lines:
        raise Rejected("too_guessable", f"the change adds fewer than {load_limits().review_lines} lines")
    fault = await find_noticed_fault(built, context, f"{built.task.id} review", added)
    diff = await _faulty_diff(built, context, fault)
    defect = _defect(fault)
    params = ReviewParams(defects=(defect,))
    template = fill_template("review", built.candidate, count="1", file=params.file, diff=diff.strip())
    finding = {"path": defect.path, "line": defect.first, "what": defect.what}
    reference = Reference(files={params.file: json.dumps([finding])})
    instruction = template.replace("{statement}", built.statement.text, 1)
    task = make_draft(built.candidate, instruction, (make_check("review", params),), reference)
    return task.model_copy(update={"kind": "review"})


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
    """Where the fault is, and which names its lines hold, as they are and as they should be."""
    [change] = changes(fault.patch)
    lines = [number for number, _ in change.added] or [number for number, _ in change.removed]
    code = " ".join(line for _, line in (*change.added, *change.removed))
    words = tuple(sorted({word for word in WORD.findall(code) if len(word) > 1}))
    was, now = ("; ".join(line.strip() for _, line in part) for part in (change.removed, change.added))
    what = f"{fault.mutant.operator}: it says `{now}` and should say `{was}`"
    return Defect(path=change.path, first=min(lines), last=max(lines), what=what, words=words)
