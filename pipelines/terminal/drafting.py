"""The stage `draft`: runs what an answer suggests in a box, and makes cases of what is observed.

A suggestion is run in a folder as the question shows it and in two folders like it, one of them hidden from solvers.
What it reads and is not shown is invented, round by round, as its complaints tell. A draft is kept when its effect is
there, is the same each time, differs with the input, and is missed by every solution that leaves a step out.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from crucible.datafile import read_words
from crucible.domains.terminal.comparing import Case, Demand, are_equal
from crucible.domains.terminal.scenes import Entry, Scene
from crucible.domains.terminal.trials import Outcome, Trial, run_trials
from crucible.errors import Rejected
from crucible.mining import MiningContext
from crucible.sandbox import Env, Recipe, Sandbox
from pipelines.terminal.demands import check_shown_result, derive_demands, has_effect, has_same_effect
from pipelines.terminal.examples import Shown, read_shown
from pipelines.terminal.invent import TOKEN, Variation, vary_scene
from pipelines.terminal.model import Draft, Selected, Suggestion
from pipelines.terminal.partials import partial_scripts
from pipelines.terminal.placeholders import use_shown_name
from pipelines.terminal.selecting import check_commands
from pipelines.terminal.shell import read_script
from pipelines.terminal.workspace import add_missing, first_scene, kept_tokens, written_names

log = logging.getLogger(__name__)

ROUNDS = 4
"""How often what a command misses is added."""
VARIATIONS = 3
"""How many pairs of further scenes are tried until every step is tested."""
SECONDS = 5.0
"""How long a suggestion may take: what takes longer would wait for something."""
KEPT_DRAFTS = 2
MOST_ALTERNATIVES = 4
SETUP_WORDS = frozenset(
    {"dev", "zero", "null", "bin", "sh", "bash", "env", "in", "do", "done", "for", "n", "c", "p", "usr", "python3"}
)
"""Words of commands that make files: with others they would make none."""
MODE = re.compile(r"chmod\s+(?:-R\s+)?(\d+)")  # matches: chmod 644
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
    recipe = Recipe(packages=(*shared, *(package for package in packages if package not in shared)))
    return Env(recipe=recipe, workdir=WORKDIR, leaves="layer")


async def draft_suggestion(selected: Selected, suggestion: Suggestion, box: Sandbox) -> Draft:
    """The draft of one suggestion."""
    shown = read_shown(selected.thread.body, written_names(suggestion.text))
    script = use_shown_name(suggestion.text, shown.files)
    suggestion = suggestion.model_copy(update={"text": script})
    made = await _make_files(shown.setup, box)
    scene, rounds = await find_first_scene(script, shown, made, box)
    kept = kept_tokens(script, scene)
    for variation in range(VARIATIONS):
        seeds = (2 * variation + 1, 2 * variation + 2)
        scenes = [scene, *[await _vary(scene, shown.setup, made, kept, seed, box) for seed in seeds]]
        try:
            return await _try_scenes(selected, suggestion, shown, scenes, rounds, box)
        except StepNotTested as fault:
            last = fault
    raise last


async def _make_files(setup: str, box: Sandbox) -> dict[str, Entry]:
    """What the question's own commands make, to try things on."""
    if not setup:
        return {}
    check_commands(setup)
    [outcome] = await _run_scripts(box, [(setup, Scene())])
    if outcome.done.code != 0:
        raise Rejected("setup_fails", outcome.done.err[-300:])
    if any(path.startswith(".git/") for path in outcome.effect.entries):
        raise Rejected("repository", "what a repository holds is not compared")
    return outcome.effect.entries


async def _vary(
    scene: Scene, setup: str, made: Mapping[str, Entry], kept: frozenset[str], seed: int, box: Sandbox
) -> Scene:
    """A further scene: what the question's commands make is made anew, by commands with other words."""
    others = vary_scene(
        scene.model_copy(update={"entries": {p: e for p, e in scene.entries.items() if p not in made}}), kept, seed
    )
    if not setup:
        return others
    names = {call.name for call in read_script(setup).calls}
    fixed = frozenset(TOKEN.findall(" ".join(names) + " ".join(MODE.findall(setup))))
    words = Variation(kept | fixed | SETUP_WORDS, seed).vary_words(setup)
    try:
        anew = await _make_files(words, box)
    except Rejected:
        anew = dict(made)
    return Scene(entries=others.entries | anew)


class StepNotTested(Rejected):
    """A solution with a step left out has the same effect in every scene."""

    def __init__(self, partial: str) -> None:
        super().__init__("step_not_tested", partial)


async def find_first_scene(script: str, shown: Shown, made: Mapping[str, Entry], box: Sandbox) -> tuple[Scene, int]:
    """A folder in which the script runs, and how often something had to be added to it."""
    scene = first_scene(script, shown, made)
    for number in range(ROUNDS):
        [outcome] = await _run_scripts(box, [(script, scene)])
        if outcome.done.stopped:
            raise Rejected("does_not_end", f"{outcome.done.stopped}: {script[:200]}")
        wider = add_missing(scene, script, outcome.done.err, shown)
        if wider is None:
            if outcome.done.code != 0:
                raise Rejected("answer_fails", f"code {outcome.done.code}: {outcome.done.err[-300:]}")
            return scene, number
        scene = wider
    raise Rejected("answer_fails", f"it misses more than can be added: {outcome.done.err[-300:]}")


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
    demands = derive_demands(script, cases)
    for case, outcome in zip(cases, again, strict=True):
        if not are_equal(case, outcome.effect, demands):
            raise Rejected("not_repeatable", script[:200])
    if any(has_same_effect(cases[-1], case) for case in cases[:-1]):
        raise Rejected("same_for_every_input", script[:200])
    check_shown_result(shown, cases[0])
    partials = partial_scripts(script)
    if untested := await _find_equal(partials, cases, demands, box):
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
        if outcome.done.code != 0 or outcome.done.stopped:
            raise Rejected("answer_fails", f"with another input: {outcome.done.err[-300:]}")
    return outcomes[: len(scenes)], outcomes[len(scenes) :]


async def _find_equal(
    scripts: Sequence[str], cases: Sequence[Case], demands: tuple[Demand, ...], box: Sandbox
) -> list[str]:
    """Those of the scripts that have the expected effect in every case; who fails in one is not run in the next."""
    equal = list(scripts)
    for case in cases:
        outcomes = await _run_scripts(box, [(script, case.scene) for script in equal])
        pairs = zip(equal, outcomes, strict=True)
        equal = [script for script, outcome in pairs if are_equal(case, outcome.effect, demands)]
    return equal


async def _run_scripts(box: Sandbox, runs: Sequence[tuple[str, Scene]]) -> list[Outcome]:
    """Run scripts that are given by their text. Each is written to a file once; never through the shell's own input."""
    if not runs:
        return []
    paths: dict[str, str] = {}
    for script, _ in runs:
        if script not in paths:
            paths[script] = f"/tmp/scripts/{len(paths)}.sh"
            await box.write(paths[script], script.encode(errors="surrogateescape"))
    return await run_trials(box, [Trial(paths[script], scene, " &" in script) for script, scene in runs], SECONDS)
