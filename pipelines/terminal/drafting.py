"""The stage `draft`: runs what an answer suggests in a box, and makes cases of what is observed.

A suggestion is run in a folder as the question shows it and in two folders like it, one of them hidden from solvers.
What it reads and is not shown is invented, round by round, as its complaints tell. A draft is kept when its effect is
there, is the same each time, differs with the input, and is missed by every solution that leaves a step out.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from crucible.datafile import read_words
from crucible.domains.terminal.comparing import Case, Demand, are_equal
from crucible.domains.terminal.scenes import Scene
from crucible.domains.terminal.trials import Outcome, Trial, run_trials
from crucible.errors import Rejected
from crucible.mining import MiningContext
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
from pipelines.terminal.selecting import check_commands
from pipelines.terminal.services import add_service, use_local_host
from pipelines.terminal.setups import Setup, choose_setup, widen_setup
from pipelines.terminal.varying import vary_scene
from pipelines.terminal.workspace import add_missing, first_scene, kept_tokens, written_names

log = logging.getLogger(__name__)

ROUNDS = 4
"""How often what a command misses is added."""
VARIATIONS = 3
"""How many pairs of further scenes are tried until every step is tested."""
SECONDS = 5.0
"""How long a suggestion may take: what takes longer would wait for something."""
SETUP_SECONDS = 60.0
"""How long a set-up may take: many small commands, on a machine that may be busy."""
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
        scenes = [start.scene, *[await _vary(start, script, kept, seed, box) for seed in seeds]]
        try:
            return await _try_scenes(
                selected, suggestion, shown, await _look_at_repositories(scenes, box), start.rounds, box
            )
        except StepNotTested as fault:
            last = fault
    raise last


class Start(NamedTuple):
    """A scene in which a suggestion runs, and how it was made."""

    scene: Scene
    setup: Setup
    made: Scene
    """As much of it as the set-up's commands made."""
    rounds: int
    """How often something had to be added."""

    @property
    def own_scene(self) -> Scene:
        """As much of the scene as the set-up's commands did not make."""
        entries = {path: entry for path, entry in self.scene.entries.items() if path not in self.made.entries}
        return self.scene.model_copy(update={"entries": entries})


async def _make_scene(setup: str, box: Sandbox) -> Scene:
    """What the commands of a set-up make."""
    if not setup:
        return Scene()
    check_commands(setup, any_size=True)
    [outcome] = await _run_scripts(box, [(setup, Scene())], SETUP_SECONDS)
    if not outcome.done.ok:
        raise Rejected("setup_fails", outcome.done.stopped or outcome.done.err[-300:])
    return Scene(entries=outcome.effect.entries, repositories=outcome.effect.repositories)


async def _vary(start: Start, script: str, kept: frozenset[str], seed: int, box: Sandbox) -> Scene:
    """A further scene: what the set-up makes is made anew, by commands with other words."""
    others = vary_scene(start.own_scene, kept, seed)
    try:
        anew = await _make_scene(start.setup.write_commands(script, kept, seed), box)
    except Rejected:
        anew = start.made
    return add_service(others.model_copy(update={"entries": others.entries | anew.entries}), script, seed)


async def _look_at_repositories(scenes: Sequence[Scene], box: Sandbox) -> list[Scene]:
    """The scenes with what their repositories hold once all of their files are there."""
    if not any(".git" in scene.entries for scene in scenes):
        return list(scenes)
    outcomes = await _run_scripts(box, [("true", scene) for scene in scenes])
    return [
        scene.model_copy(update={"repositories": outcome.effect.repositories})
        for scene, outcome in zip(scenes, outcomes, strict=True)
    ]


class StepNotTested(Rejected):
    """A solution with a step left out has the same effect in every scene."""

    def __init__(self, partial: str) -> None:
        super().__init__("step_not_tested", partial)


async def find_start(script: str, shown: Shown, box: Sandbox) -> Start:
    """A folder in which the script runs; what it misses is added to the folder, or to the set-up that makes it."""
    setup = choose_setup(script, shown)
    made = await _make_scene(setup.write_commands(script, frozenset(), 0), box)
    scene = first_scene(script, shown, made.entries)
    for number in range(ROUNDS):
        scene = add_service(scene, script, 0)
        [outcome] = await _run_scripts(box, [(script, scene)])
        if outcome.done.stopped:
            raise Rejected("does_not_end", f"{outcome.done.stopped}: {script[:200]}")
        if wider_setup := widen_setup(setup, outcome.done.err):
            setup = wider_setup
            made = await _make_scene(setup.write_commands(script, frozenset(), 0), box)
            scene = first_scene(script, shown, made.entries)
            continue
        said = outcome.done.err if outcome.done.code == 0 else f"{outcome.done.err}\n{outcome.done.out}"
        wider = add_missing(scene, script, said, shown)
        if wider is None:
            if has_failed(outcome):
                raise Rejected("answer_fails", f"code {outcome.done.code}: {outcome.done.err[-300:]}")
            return Start(scene, setup, made, number)
        scene = wider
    raise Rejected("answer_fails", f"it misses more than can be added: {outcome.done.err[-300:]}")


def has_failed(outcome: Outcome) -> bool:
    """Whether a script did not do its work. A code of 1 beside output and no complaint is an answer: `diff` says so
    that files differ."""
    done = outcome.done
    return bool(done.stopped) or done.code > 1 or (done.code != 0 and (bool(done.err) or not done.out.strip()))


async def _try_scenes(
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
    outcomes = await _run_scripts(box, [(script, scene) for scene in (*scenes, *scenes)])
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
        outcomes = await _run_scripts(box, [(script, case.scene) for script in equal])
        pairs = zip(equal, outcomes, strict=True)
        equal = [
            script for script, outcome in pairs if not outcome.done.stopped and are_equal(case, outcome.effect, demands)
        ]
    return equal


async def _run_scripts(box: Sandbox, runs: Sequence[tuple[str, Scene]], seconds: float = SECONDS) -> list[Outcome]:
    """Run scripts that are given by their text. Each is written to a file once; never through the shell's own input."""
    if not runs:
        return []
    paths: dict[str, str] = {}
    for script, _ in runs:
        if script not in paths:
            paths[script] = f"/tmp/scripts/{len(paths)}.sh"
            await box.write(paths[script], script.encode(errors="surrogateescape"))
    return await run_trials(box, [Trial(paths[script], scene, " &" in script) for script, scene in runs], seconds)
