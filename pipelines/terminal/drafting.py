"""The stage `draft`: runs what an answer suggests in a box, and makes cases of what is observed.

A suggestion is run in a folder as the question shows it and in two folders like it, one of them hidden from solvers.
What it reads and is not shown is invented, round by round, as its complaints tell. A draft is kept when its effect is
there, is the same each time, differs with the input, and is missed by every solution that leaves a step out.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path

from crucible.datafile import read_words
from crucible.domains.terminal.comparing import Case, Demand, are_equal
from crucible.domains.terminal.scenes import Scene
from crucible.domains.terminal.trials import Outcome
from crucible.errors import Rejected
from crucible.mining import MiningContext
from crucible.record import digest
from crucible.sandbox import Env, Recipe, Sandbox
from pipelines.terminal.constants import lift_constants
from pipelines.terminal.demands import (
    allow_unstable_files,
    check_shown_result,
    derive_demands,
    has_effect,
    has_same_effect,
)
from pipelines.terminal.examples import Shown, read_shown
from pipelines.terminal.model import Draft, Selected, Suggestion
from pipelines.terminal.partials import partial_scripts
from pipelines.terminal.placeholders import use_shown_name
from pipelines.terminal.services import use_local_host
from pipelines.terminal.starts import find_start, has_failed, look_at_repositories, run_scripts, vary_start
from pipelines.terminal.workspace import kept_tokens, written_names

log = logging.getLogger(__name__)

VARIATIONS = 3
"""How many pairs of further scenes are tried until every step is tested."""
KEPT_DRAFTS = 2
MOST_ALTERNATIVES = 4
WITHOUT_INPUT = frozenset({"same_for_every_input", "no_effect", "step_not_tested"})
"""Faults of commands that have their input in themselves."""
DOES_NOTHING = "true"
"""A solution that must fail, as every partial one."""
WORKDIR = "/workspace"


async def draft_tasks(selected: Selected, context: MiningContext) -> Sequence[Draft]:
    """The best drafts of a thread; Rejected with the reason of the first suggestion when there is none."""
    drafts: list[Draft] = []
    faults: list[Rejected] = []
    for suggestion in selected.own_suggestions:
        async with context.world.open(make_env(suggestion.packages)) as box:
            try:
                drafts.append(await draft_suggestion(selected, suggestion, box))
            except Rejected as fault:
                log.debug("%s: %s", selected.id, fault)
                faults.append(fault)
    if not drafts:
        raise faults[0]
    return sorted(drafts, key=lambda draft: -draft.grade.total)[:KEPT_DRAFTS]


def make_env(packages: Sequence[str]) -> Env:
    """The environment of a task: one image for nearly all, what an attempt leaves anywhere in it is kept."""
    shared = read_words(Path(__file__).with_name("boxes.toml"), "packages")
    git = Path(__file__).with_name("gitconfig").read_text("utf-8")
    recipe = Recipe(
        packages=(*shared, *(package for package in packages if package not in shared)),
        files={"/etc/gitconfig": git},
    )
    return Env(recipe=recipe, workdir=WORKDIR, leaves="layer")


async def draft_suggestion(selected: Selected, suggestion: Suggestion, box: Sandbox) -> Draft:
    """The draft of one suggestion; one that does the same everywhere is tried once more with its values as an input."""
    shown = read_shown(use_local_host(selected.thread.body), written_names(suggestion.text))
    suggestion = suggestion.model_copy(update={"text": use_shown_name(suggestion.text, shown.files)})
    try:
        return await _draft_in_scenes(selected, suggestion, shown, box)
    except Rejected as fault:
        lifted = lift_constants(suggestion.text) if fault.reason in WITHOUT_INPUT else None
        if lifted is None:
            raise
    suggestion = suggestion.model_copy(update={"text": lifted.script})
    shown = Shown(files=lifted.files, expected="")
    draft = await _draft_in_scenes(selected, suggestion, shown, box)
    return draft.model_copy(update={"inputs": lifted.sentences})


async def _draft_in_scenes(selected: Selected, suggestion: Suggestion, shown: Shown, box: Sandbox) -> Draft:
    """The draft of commands in a folder as it is shown, and in others like it."""
    script = suggestion.text
    start = await find_start(script, shown, box)
    kept = kept_tokens(script, start.own_scene)
    for variation in range(VARIATIONS):
        seeds = (2 * variation + 1, 2 * variation + 2)
        scenes = [start.scene, *[await vary_start(start, script, kept, seed, box) for seed in seeds]]
        if len({digest(scene) for scene in scenes}) < len(scenes):
            last = Rejected("same_for_every_input", "no other folder of the kind could be made")
            continue
        try:
            return await try_scenes(
                selected, suggestion, shown, await look_at_repositories(scenes, box), start.rounds, box
            )
        except StepNotTested as fault:
            last = fault
    raise last


class StepNotTested(Rejected):
    """A solution with a step left out has the same effect in every scene."""

    def __init__(self, partial: str) -> None:
        super().__init__("step_not_tested", partial)


async def try_scenes(
    selected: Selected, suggestion: Suggestion, shown: Shown, scenes: Sequence[Scene], rounds: int, box: Sandbox
) -> Draft:
    """A draft with these scenes: run twice, held against partial solutions and other answers."""
    script = suggestion.text
    first, again = await _run_twice(script, scenes, box)
    cases = tuple(
        Case(scene=scene, expected=outcome.effect, hidden=number == len(scenes) - 1)
        for number, (scene, outcome) in enumerate(zip(scenes, first, strict=True))
    )
    if not all(has_effect(case) for case in cases):
        raise Rejected("no_effect", script[:200])
    demands = allow_unstable_files(derive_demands(script, cases), cases, [outcome.effect for outcome in again])
    for case, outcome in zip(cases, again, strict=True):
        if not are_equal(case, outcome.effect, demands):
            raise Rejected("not_repeatable", script[:200])
    if any(has_same_effect(cases[-1], case, demands) for case in cases[:-1]):
        raise Rejected("same_for_every_input", script[:200])
    check_shown_result(shown, cases[0])
    partials = partial_scripts(script)
    if untested := await _find_equal([DOES_NOTHING, *partials], cases, demands, box):
        raise StepNotTested(untested[0])
    others = [use_shown_name(other.text, shown.files) for other in selected.suggestions]
    others = [other for other in others if other != script][:MOST_ALTERNATIVES]
    agreeing = await _find_equal(others, cases, demands, box)
    return Draft(
        selected=selected,
        suggestion=suggestion,
        cases=cases,
        demands=demands,
        repair_rounds=rounds,
        partials=len(partials),
        alternatives=tuple(agreeing),
        shows_input=bool(shown.files),
        shows_result=bool(shown.expected),
    )


async def _run_twice(script: str, scenes: Sequence[Scene], box: Sandbox) -> tuple[list[Outcome], list[Outcome]]:
    outcomes = await run_scripts(box, [(script, scene) for scene in (*scenes, *scenes)])
    for outcome in outcomes:
        if has_failed(outcome):
            raise Rejected("answer_fails", f"with another input: {outcome.done.err[-300:]}")
    return outcomes[: len(scenes)], outcomes[len(scenes) :]


async def _find_equal(
    scripts: Sequence[str], cases: Sequence[Case], demands: tuple[Demand, ...], box: Sandbox
) -> list[str]:
    """Those of the scripts that end and have the expected effect in every case; who fails in one is not run in the
    next."""
    equal = list(scripts)
    for case in cases:
        outcomes = await run_scripts(box, [(script, case.scene) for script in equal])
        pairs = zip(equal, outcomes, strict=True)
        equal = [
            script for script, outcome in pairs if not outcome.done.stopped and are_equal(case, outcome.effect, demands)
        ]
    return equal
