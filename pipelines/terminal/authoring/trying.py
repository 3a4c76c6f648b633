"""Tries a task that a model wrote in a box, as an executed answer is tried, and holds it against what was expected."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from crucible.domains.terminal.comparing import Case, Demand, normalise_text, say_the_same
from crucible.domains.terminal.scenes import Effect, Entry, Scene, with_parents
from crucible.errors import Rejected
from crucible.mining import MiningContext
from crucible.sandbox import Sandbox
from pipelines.terminal.authoring.problems import Flawed, Problem
from pipelines.terminal.authoring.reading import find_problems, find_untold, plain_solution, unlinked_demands
from pipelines.terminal.authoring.records import SHOWN_FOLDERS, AuthoredFolder, AuthoredTask, Expected
from pipelines.terminal.drafting.environment import make_env
from pipelines.terminal.drafting.executing import try_scenes
from pipelines.terminal.drafting.relevance import check_relevance
from pipelines.terminal.model import Draft, Selected, Suggestion
from pipelines.terminal.posts.examples import Shown
from pipelines.terminal.scenes.repositories import TICK
from pipelines.terminal.scenes.starts import SETUP_SECONDS, look_at_repositories, run_scripts
from pipelines.terminal.selection.checking import check_commands
from pipelines.terminal.statements.instruction import LEVELS


async def try_authored(task: AuthoredTask, selected: Selected, rounds: int, context: MiningContext) -> Draft:
    """The draft of a written task; Flawed, with all that can be told at once, when it does not hold."""
    if problems := list(find_problems(task)):
        raise Flawed(problems)
    script = plain_solution(task)
    packages = tuple(dict.fromkeys((*check_commands(script), *task.packages)))
    suggestion = Suggestion(answer=selected.thread.accepted, text=script, packages=packages)
    written = {"writer": "model", "goal": task.goal, "links": task.links, "shows_input": True, "shows_result": True}
    async with context.world.open(make_env(packages)) as box:
        try:
            scenes = await look_at_repositories([await _make_scene(folder, box) for folder in task.folders], box)
            draft = await try_scenes(selected, suggestion, Shown({}, ""), scenes, rounds, box)
        except Rejected as fault:
            raise Flawed.of(fault) from None
        draft, problems = await _tie_to_question(draft.model_copy(update=written), box)
    cases = tuple(case.model_copy(update={"hidden": n >= SHOWN_FOLDERS}) for n, case in enumerate(draft.cases))
    draft = draft.model_copy(update={"cases": cases})
    problems += [*unlinked_demands(draft, task.links), *compare_expectations(task, draft)]
    if problems := [*problems, *find_untold(draft, LEVELS[-1:])]:
        raise Flawed(problems)
    return draft


async def _tie_to_question(draft: Draft, box: Sandbox) -> tuple[Draft, list[Problem]]:
    """The draft with what ties it to its question, and what is wrong where it asks for something else."""
    try:
        return await check_relevance(draft, box), []
    except Rejected as fault:
        return draft, [Problem(reason=fault.reason, detail=fault.detail)]


async def _make_scene(folder: AuthoredFolder, box: Sandbox) -> Scene:
    """The folder as a scene, once its set-up was run in it."""
    scene = Scene(entries=folder.entries)
    if not folder.setup.strip():
        return scene
    [outcome] = await run_scripts(box, [(TICK + folder.setup, scene)], SETUP_SECONDS)
    if not outcome.done.ok:
        raise Rejected("setup_fails", outcome.done.stopped or outcome.done.err[-300:])
    return Scene(entries=outcome.effect.entries)


def compare_expectations(task: AuthoredTask, draft: Draft) -> Iterator[Problem]:
    """Where the solution does not do what the model expects in a folder, does more, or is expected to do nothing."""
    for number, (folder, case) in enumerate(zip(task.folders, draft.cases, strict=True), start=1):
        idle = Effect(code=0, entries=with_parents(case.scene.entries))
        if not list(_differences(folder.expected, idle, draft)) and not case.expected.changed_facts(case.scene):
            yield Problem(reason="vacuous_test", detail=f"folder {number}: all that is expected is so from the start")
        for difference in _differences(folder.expected, case.expected, draft):
            yield Problem(reason="expected_differs", detail=f"folder {number}: {difference}")
        for path in _untold_changes(folder.expected, case, draft.demands):
            yield Problem(reason="unexpected_change", detail=f"folder {number}: {path}")


def _differences(expected: Expected, effect: Effect, draft: Draft) -> Iterator[str]:
    """How an effect differs from what is expected, as strictly as the draft's demands compare."""
    any_order = any(demand.any_order for demand in draft.demands)
    if normalise_text(expected.output, any_order) != normalise_text(effect.out, any_order):
        yield f"expected to be printed {expected.output[:200]!r}, but {effect.out[:200]!r} was"
    for file in expected.files:
        entry = effect.entries.get(file.path)
        if entry is None:
            yield f"{file.path} should be there and is not"
            continue
        if file.text is not None and not _holds(entry, file.path, file.text, draft.demands):
            yield f"{file.path} should hold {file.text[:200]!r} and holds {entry.text[:200]!r}"
        if file.mode is not None and int(file.mode, 8) != entry.mode:
            yield f"{file.path} should have the mode {file.mode} and has {entry.mode:o}"
    for path in expected.gone:
        if path in effect.entries:
            yield f"{path} should be gone and is there"


def _holds(entry: Entry, path: str, text: str, demands: Sequence[Demand]) -> bool:
    """Whether a file has the text, or says the same where that is what counts."""
    if any(demand.by_meaning for demand in demands) and say_the_same(path, entry, Entry(text=text)):
        return True
    any_order = any(demand.any_order for demand in demands)
    return normalise_text(text, any_order) == normalise_text(entry.text, any_order)


def _untold_changes(expected: Expected, case: Case, demands: Sequence[Demand]) -> Iterator[str]:
    """Paths that the solution changes and that are not among what is expected; a folder is told by what lies in it."""
    told = {*(file.path for file in expected.files), *expected.gone}
    ignored = {path for demand in demands for path in demand.any_content}
    for path, entry in case.expected.changed_entries(case.scene).items():
        if path not in told | ignored and not any(other.startswith(f"{path}/") for other in told):
            yield f"{path} is {'gone' if entry is None else 'new or changed'}"
