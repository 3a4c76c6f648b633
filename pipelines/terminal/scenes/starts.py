"""The folders that a suggestion is run in: one as the question shows it, in which the commands miss nothing, and others
like it. What they miss is invented, round by round, as their complaints tell."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from crucible.domains.terminal.comparing import Case, Demand, are_equal
from crucible.domains.terminal.scenes import Scene
from crucible.domains.terminal.services import ServiceNotStarted
from crucible.domains.terminal.trials import Outcome, Trial, run_trials
from crucible.errors import BoxExhausted, Rejected, SandboxError
from crucible.sandbox import Sandbox
from pipelines.terminal.posts.examples import Shown
from pipelines.terminal.scenes.running import add_running
from pipelines.terminal.scenes.services import add_asked, add_service
from pipelines.terminal.scenes.setups import Setup, choose_setup, widen_setup
from pipelines.terminal.scenes.varying import vary_scene
from pipelines.terminal.scenes.workspace import (
    add_bystanders,
    add_missing,
    drop_folders,
    first_scene,
    goes_through_folders,
)
from pipelines.terminal.selection.checking import check_commands

ROUNDS = 4
"""How often what a command misses is added."""
SCRIPTS = "/tmp/scripts"
"""Where scripts lie in the box."""
SECONDS = 5.0
"""How long a suggestion may take: what takes longer would wait for something."""
SETUP_SECONDS = 60.0
"""How long a set-up may take: many small commands, on a machine that may be busy."""
COLUMNS = re.compile(r"\bFIELDWIDTHS\b|\bcut\s+(?:\S+\s+)*?-[cb]|\bcolrm\b|\bunpack\b|-\w*k\s*\d+\.\d")
"""Commands that take what stands in certain columns."""
SORTED_INPUT = re.compile(r"\b(?:join|comm|look)\s")
"""Commands that want their input sorted."""
COMPLAINT = re.compile(r"no such table|unable to open database|: syntax error|: command not found")
# matches: Error: in prepare, no such table: users


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


async def find_start(script: str, shown: Shown, box: Sandbox) -> Start:
    """A folder in which the script runs; what it misses is added to the folder, or to the set-up that makes it."""
    setup = choose_setup(script, shown)
    made = await _make_scene(setup.write_commands(script, frozenset(), 0), box)
    scene = first_scene(script, shown, made.entries)
    for number in range(ROUNDS):
        scene = add_running(add_asked(add_service(scene, script, 0), script), script, shown)
        [outcome] = await run_scripts(box, [(script, scene)])
        if outcome.done.stopped:
            raise Rejected("does_not_end", f"{outcome.done.stopped}: {script[:200]}")
        if wider_setup := widen_setup(setup, outcome.done.err, script):
            setup = wider_setup
            made = await _make_scene(setup.write_commands(script, frozenset(), 0), box)
            scene = first_scene(script, shown, made.entries)
            continue
        said = outcome.done.err if outcome.done.code == 0 else f"{outcome.done.err}\n{outcome.done.out}"
        wider = add_missing(scene, script, said, shown) or (drop_folders(scene, said) if outcome.done.code else None)
        if wider is None:
            if has_failed(outcome):
                raise Rejected("answer_fails", f"code {outcome.done.code}: {outcome.done.err[-300:]}")
            scene = add_bystanders(scene)
            if scene.started:
                return Start(await _with_traces(scene, box), setup, made, number)
            return Start(add_asked(scene, script), setup, made, number)
        scene = wider
    raise Rejected("answer_fails", f"it misses more than can be added: {outcome.done.err[-300:]}")


async def _with_traces(scene: Scene, box: Sandbox) -> Scene:
    """The scene with the files that its service makes when it is started: the number of its process, a log."""
    [outcome] = await run_scripts(box, [("true", scene)])
    return scene.model_copy(update={"entries": {**outcome.effect.entries, **scene.entries}})


async def _make_scene(setup: str, box: Sandbox) -> Scene:
    """What the commands of a set-up make."""
    if not setup:
        return Scene()
    check_commands(setup, any_size=True)
    [outcome] = await run_scripts(box, [(setup, Scene())], SETUP_SECONDS)
    if not outcome.done.ok:
        raise Rejected("setup_fails", outcome.done.stopped or outcome.done.err[-300:])
    return Scene(entries=outcome.effect.entries, repositories=outcome.effect.repositories)


async def vary_start(start: Start, script: str, kept: frozenset[str], seed: int, box: Sandbox) -> Scene:
    """A further scene: what the set-up makes is made anew, by commands with other words."""
    others = vary_scene(
        start.own_scene,
        kept,
        seed,
        more_files=seed if goes_through_folders(script) else 0,
        same_length=COLUMNS.search(script) is not None,
    )
    if SORTED_INPUT.search(script):
        others = keep_sorted(start.own_scene, others)
    try:
        anew = await _make_scene(start.setup.write_commands(script, kept, seed), box)
    except Rejected:
        anew = start.made
    others = others.model_copy(update={"entries": others.entries | anew.entries})
    if start.scene.started:
        return others.model_copy(update={"started": start.scene.started, "asked": start.scene.asked})
    return add_asked(add_service(others, script, seed), script)


def keep_sorted(scene: Scene, other: Scene) -> Scene:
    """The other scene with its files sorted where those of the scene are, but for a heading."""
    entries = dict(other.entries)
    for before, path in zip(scene.entries.values(), other.entries, strict=False):
        lines, varied = before.text.splitlines(keepends=True), entries[path].text.splitlines(keepends=True)
        head = next((size for size in (0, 1) if lines[size:] == sorted(lines[size:])), None)
        if head is not None and len(lines) > head + 1:
            entries[path] = entries[path].model_copy(update={"text": "".join([*varied[:head], *sorted(varied[head:])])})
    return other.model_copy(update={"entries": entries})


async def look_at_repositories(scenes: Sequence[Scene], box: Sandbox) -> list[Scene]:
    """The scenes with what their repositories hold once all of their files are there."""
    if not any(".git" in scene.entries for scene in scenes):
        return list(scenes)
    outcomes = await run_scripts(box, [("true", scene) for scene in scenes])
    return [
        scene.model_copy(update={"repositories": outcome.effect.repositories})
        for scene, outcome in zip(scenes, outcomes, strict=True)
    ]


def has_failed(outcome: Outcome) -> bool:
    """Whether a script did not do its work. A code of 1 beside output and no complaint is an answer: `diff` says so
    that files differ."""
    done = outcome.done
    if COMPLAINT.search(done.err):  # the code of a command within `<( )` is lost
        return True
    return bool(done.stopped) or done.code > 1 or (done.code != 0 and (bool(done.err) or not done.out.strip()))


async def run_scripts(box: Sandbox, runs: Sequence[tuple[str, Scene]], seconds: float = SECONDS) -> list[Outcome]:
    """Run scripts that are given by their text. Each is written to a file once; never through the shell's own input."""
    if not runs:
        return []
    paths = {script: f"{SCRIPTS}/{n}.sh" for n, script in enumerate(dict.fromkeys(script for script, _ in runs))}
    await _write_scripts(box, paths)
    trials = [Trial(paths[script], scene, " &" in script) for script, scene in runs]
    try:
        return await run_trials(box, trials, seconds)
    except BoxExhausted as spent:
        raise Rejected("leaves_too_much", str(spent)) from None
    except ServiceNotStarted as fault:
        raise Rejected("service_does_not_start", str(fault)) from None


async def _write_scripts(box: Sandbox, paths: Mapping[str, str]) -> None:
    """Write scripts to their paths, all by one command."""
    contents = [(path, b64encode(script.encode(errors="surrogateescape")).decode()) for script, path in paths.items()]
    lay = "".join(f" && echo {content} | base64 -d > {path}" for path, content in contents)
    done = await box.exec(f"rm -rf {SCRIPTS} && mkdir {SCRIPTS}{lay}", timeout=60)
    if not done.ok:
        raise SandboxError(f"scripts cannot be written: {done.err[-300:]}")


async def find_equal(
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
