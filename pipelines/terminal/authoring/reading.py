"""What can be told of a written task without running it: its sentences, its packages, what its goal gives away."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from crucible.domains.terminal.comparing import ScriptParams
from crucible.errors import Rejected
from pipelines.terminal.authoring.problems import Problem
from pipelines.terminal.authoring.records import AuthoredTask
from pipelines.terminal.commands.shell import packages_by_command, read_script, without_comments
from pipelines.terminal.drafting.demands import LEAVES_ALONE
from pipelines.terminal.drafting.environment import WORKDIR
from pipelines.terminal.model import Draft, Link
from pipelines.terminal.selection.checking import check_commands
from pipelines.terminal.statements.complete import check_complete
from pipelines.terminal.statements.instruction import write_instruction

ADDRESS = re.compile(r"\b(?:https?|ftp|ssh)://\S+")  # matches: https://example.org/a
SAFETY = re.compile(r"^\s*set\s+[-+][\w ]+$", re.MULTILINE)  # matches: set -euo pipefail
HARD_CODED_CHARS = 4
"""A shorter line of a result may stand in a solution by chance."""
TOLD_LINE_CHARS = 12
"""A shorter line of the solution may stand in a goal by chance."""


def plain_solution(task: AuthoredTask) -> str:
    """The solution without comments and `set -e`: without a fault they do nothing, and each step must do something."""
    lines = SAFETY.sub("", without_comments(task.solution)).splitlines()
    return "\n".join(line for line in lines if line.strip())


def known_packages() -> list[str]:
    """The packages that a written task may ask for."""
    return sorted(set(packages_by_command().values()) - {"base"})


def find_problems(task: AuthoredTask) -> Iterator[Problem]:
    """All that is wrong with a task as it is written."""
    for package in task.packages:
        if package not in known_packages():
            yield Problem(reason="unknown_package", detail=package)
    if match := ADDRESS.search(task.goal):
        yield Problem(reason="needs_network", detail=f"the goal names {match[0]}")
    yield from unlinked_sentences(task.goal, task.links)
    yield from told_solution(task.goal, plain_solution(task))
    yield from hard_coded_lines(task)
    for script, any_size in ((plain_solution(task), False), *((folder.setup, True) for folder in task.folders)):
        if script.strip():
            yield from _forbidden_commands(script, any_size)


def _forbidden_commands(script: str, any_size: bool) -> Iterator[Problem]:
    try:
        check_commands(script, any_size)
    except Rejected as fault:
        yield Problem(reason=fault.reason, detail=fault.detail)


def unlinked_sentences(goal: str, links: Sequence[Link]) -> Iterator[Problem]:
    """Sentences that a link names and the goal does not hold."""
    text = _one_line(goal)
    for link in links:
        if _one_line(link.sentence) not in text:
            yield Problem(reason="unlinked_assertion", detail=f"the goal does not say: {link.sentence}")


def unlinked_demands(draft: Draft, links: Sequence[Link]) -> Iterator[Problem]:
    """What the solution does although no sentence of the goal asks for it. What it leaves alone needs none."""
    asked = {link.about for link in links}
    commits = any(case.expected.changed_facts(case.scene) for case in draft.cases)
    for demand in draft.demands:
        leaves_alone = demand.sentence == LEAVES_ALONE or (demand.about == "repository" and not commits)
        if demand.about not in asked and not leaves_alone:
            yield Problem(reason="unlinked_assertion", detail=f"no link is about the {demand.about}")


def find_untold(draft: Draft, levels: Sequence[int]) -> Iterator[Problem]:
    """What is asserted and left open by the instruction of a level."""
    params = ScriptParams(demands=draft.demands, cases=draft.cases)
    for level in levels:
        try:
            check_complete(draft, write_instruction(draft, params, level, WORKDIR, False))
        except Rejected as fault:
            yield Problem(reason=fault.reason, detail=fault.detail)


def told_solution(goal: str, solution: str) -> Iterator[Problem]:
    """What a goal gives away: a line of the solution, or a command of it that is written as code."""
    text = _one_line(goal)
    for line in map(_one_line, solution.splitlines()):
        if len(line) >= TOLD_LINE_CHARS and line in text:
            yield Problem(reason="tells_solution", detail=line)
    for name in dict.fromkeys(call.name for call in read_script(solution).calls):
        if re.search(rf"`{re.escape(name)}(?:\s+-[^`]*)?`", goal):
            yield Problem(reason="tells_solution", detail=f"it names `{name}`")


def hard_coded_lines(task: AuthoredTask) -> Iterator[Problem]:
    """Results of a single folder that stand in the solution: it knows them instead of working them out."""
    for number, folder in enumerate(task.folders):
        others = task.folders[:number] + task.folders[number + 1 :]
        own = folder.expected.lines.difference(*(other.expected.lines for other in others))
        for line in sorted(own):
            if len(line) >= HARD_CODED_CHARS and line in task.solution and line not in task.goal:
                yield Problem(reason="hard_coded", detail=f"folder {number + 1}: {line}")


def _one_line(text: str) -> str:
    return " ".join(text.split())
