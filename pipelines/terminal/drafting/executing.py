"""The stage `draft`: runs what an answer suggests in a box, and makes cases of what is observed.

A suggestion is run in a folder as the question shows it and in two folders like it, one of them hidden from solvers.
What it reads and is not shown is invented, round by round, as its complaints tell. A draft is kept when its effect is
there, is the same each time, differs with the input, and is missed by every solution that leaves a step out.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import suppress

from crucible.domains.terminal.comparing import Case, are_equal
from crucible.domains.terminal.scenes import Scene
from crucible.domains.terminal.trials import Outcome
from crucible.errors import Rejected
from crucible.mining import MiningContext
from crucible.record import digest
from crucible.sandbox import Sandbox
from pipelines.terminal.commands.options import without_each_option
from pipelines.terminal.commands.partials import partial_scripts
from pipelines.terminal.commands.printed import Printing, fill_empty_loops, print_variables
from pipelines.terminal.commands.schedules import ADDING
from pipelines.terminal.commands.shell import split_statements
from pipelines.terminal.commands.unfed import feed_filter
from pipelines.terminal.drafting.constants import Asked, given_lists, given_values, lift_constants
from pipelines.terminal.drafting.demands import (
    check_shown_result,
    derive_demands,
    gives_answered_output,
    has_content,
    has_effect,
    has_same_effect,
    says_one_thing,
    unstable_files,
)
from pipelines.terminal.drafting.environment import make_env
from pipelines.terminal.drafting.relevance import check_relevance
from pipelines.terminal.model import Draft, Selected, Suggestion, Thread
from pipelines.terminal.posts.bodies import read_blocks
from pipelines.terminal.posts.examples import Shown, read_shown, shows_result
from pipelines.terminal.scenes.conditions import has_condition, turn_condition
from pipelines.terminal.scenes.services import FILE_SERVER
from pipelines.terminal.scenes.starts import (
    find_equal,
    find_start,
    has_failed,
    look_at_repositories,
    run_scripts,
    vary_start,
)
from pipelines.terminal.scenes.workspace import kept_tokens, written_names
from pipelines.terminal.selection.placeholders import (
    DEFAULT_FILE,
    use_asked_arguments,
    use_asker_names,
    use_local_host,
    use_shown_name,
)

log = logging.getLogger(__name__)

VARIATIONS = 3
"""How many pairs of further scenes are tried until every step is tested."""
LEAST_SCENES = 3
SHOWN_SCENES = 2
"""So many scenes are the examples that a solver sees; the others are hidden."""
KEPT_DRAFTS = 2
MOST_ALTERNATIVES = 4
MOST_OTHERS = 3
"""Suggestions of answers that were not accepted that are tried."""
MOST_WAYS = 5
"""Statements of a block that are tried alone."""
WITHOUT_INPUT = frozenset({"same_for_every_input", "no_effect", "step_not_tested"})
"""Faults of commands that have their input in themselves."""
UNFIT = frozenset({"trivial", "asker_has_it"})
"""Faults of the question itself: another block of its answer would ask for something else."""
DOES_NOTHING = "true"
"""A solution that must fail, as every partial one."""


async def draft_tasks(selected: Selected, context: MiningContext) -> Sequence[Draft]:
    """The best drafts of a thread; Rejected with the reason of the first suggestion when there is none. Where the
    accepted answer makes none, and the question shows the result, the first of the others that gives it is taken."""
    drafts: list[Draft] = []
    faults: list[Rejected] = []
    decides = shows_result(selected.thread.body)
    for suggestion in (*selected.own_suggestions, *(selected.other_suggestions[:MOST_OTHERS] if decides else ())):
        is_other = suggestion.answer != selected.thread.accepted
        if drafts and (is_other or not decides):
            break  # another reading of the question could not be told from this one
        async with context.world.open(make_env(suggestion.packages)) as box:
            try:
                draft = await _draft_whole_or_part(selected, suggestion, box)
                if is_other and not draft.shows_result:
                    raise Rejected("not_the_question", f"nobody accepted it: {suggestion.text[:150]}")
                drafts.append(draft)
            except Rejected as fault:
                log.debug("%s: %s", selected.id, fault)
                faults.append(fault)
                if fault.reason in UNFIT and not drafts:
                    raise
    if not drafts:
        raise faults[0] if faults else Rejected("no_commands", "the accepted answer has no commands that can be run")
    return choose_drafts(drafts)


async def _draft_whole_or_part(selected: Selected, suggestion: Suggestion, box: Sandbox) -> Draft:
    """The draft of a block of commands; where it gives another result than the question shows, of the first statement
    in it that alone gives that one: a block may show several ways."""
    try:
        return await draft_suggestion(selected, suggestion, box)
    except Rejected as fault:
        statements = split_statements(suggestion.text)
        if fault.reason != "shown_result_differs" or not 1 < len(statements) <= MOST_WAYS:
            raise
        for statement in statements:
            with suppress(Rejected):
                return await draft_suggestion(selected, _with_text(suggestion, statement), box)
        raise


def choose_drafts(drafts: Sequence[Draft]) -> list[Draft]:
    """The draft of the answer's first block, and the best of those that do something else and have the result that the
    question shows: other blocks answer another reading of the question."""
    first, *others = drafts
    agreeing = [draft for draft in others if "result" in draft.ties and draft.suggestion.text not in first.alternatives]
    return [first, *sorted(agreeing, key=lambda draft: -draft.grade.total)][:KEPT_DRAFTS]


async def draft_suggestion(selected: Selected, suggestion: Suggestion, box: Sandbox) -> Draft:
    """The draft of one suggestion; commands that only set variables are tried once more with these printed."""
    shown = read_shown(use_local_host(selected.thread.body), written_names(suggestion.text))
    if ADDING.search(suggestion.text):  # the lines that a question about cron shows are the wrong ones
        shown = Shown({}, "")
    script, arguments = use_asked_arguments(suggestion.text, _code_of(selected.thread))
    script = feed_filter(use_shown_name(script, shown.files), _input_name(shown))
    printing = fill_empty_loops(script) or Printing(script)
    try:
        draft = await _draft_with_input(selected, suggestion, printing, shown, box)
    except Rejected as fault:
        variables = print_variables(script) if fault.reason == "no_effect" else None
        if variables is None:
            raise
        draft = await _draft_with_input(selected, suggestion, variables, shown, box)
    if not arguments or not draft.suggestion.text.startswith(f"set -- {' '.join(arguments)}\n"):
        return draft
    told = (
        f"Arguments that the question speaks of are {' and '.join(f'`{word}`' for word in arguments)}, in this order."
    )
    return draft.model_copy(update={"inputs": (told, *draft.inputs)})


def _input_name(shown: Shown) -> str:
    """What the file is called that a filter reads although its answer names none."""
    named = [name for name in shown.files if name.strip()]
    return named[0] if len(named) == 1 else DEFAULT_FILE


async def _draft_with_input(
    selected: Selected, suggestion: Suggestion, printing: Printing, shown: Shown, box: Sandbox
) -> Draft:
    """The draft of commands; those that do the same everywhere are tried once more with their values as an input."""
    told = (printing.sentence,) if printing.sentence else ()
    try:
        draft = await _draft_in_scenes(selected, _with_text(suggestion, printing.script), shown, box)
    except Rejected as fault:
        lifted = lift_constants(printing.script, _asked_values(selected)) if fault.reason in WITHOUT_INPUT else None
        if lifted is None:
            raise
        shown = Shown(files=lifted.files, expected=shown.expected if lifted.as_asked else "")
        draft = await _draft_in_scenes(selected, _with_text(suggestion, lifted.script), shown, box)
        told = (*lifted.sentences, *told)
    return draft.model_copy(update={"inputs": told})


def _code_of(thread: Thread) -> str:
    return "\n".join(block.text for block in read_blocks(thread.body) if block.kind == "code")


def _asked_values(selected: Selected) -> Asked:
    """What a question gives: values, lists, and the contents that it shows."""
    code = _code_of(selected.thread)
    files = read_shown(selected.thread.body).files
    text = files.get("", "").strip()
    values = given_values(code) | ({"": text} if text and "\n" not in text else {})
    return Asked(values, given_lists(code), files)


def _with_text(suggestion: Suggestion, text: str) -> Suggestion:
    return suggestion.model_copy(update={"text": text})


async def _draft_in_scenes(selected: Selected, suggestion: Suggestion, shown: Shown, box: Sandbox) -> Draft:
    """The draft of commands in a folder as it is shown, and in others like it."""
    start = await find_start(suggestion.text, shown, box)
    contents = {path: entry.text for path, entry in start.scene.entries.items()}
    script = use_asker_names(suggestion.text, contents, shown.files)
    if script != suggestion.text:
        suggestion = _with_text(suggestion, script)
        start = await find_start(script, shown, box)
    kept = kept_tokens(script, start.own_scene)
    faults: list[Rejected] = []
    for variation in range(VARIATIONS):
        seeds = (2 * variation + 1, 2 * variation + 2)
        scenes = [start.scene, *[await vary_start(start, script, kept, seed, box) for seed in seeds]]
        if has_condition(script) and variation:
            scenes = turn_condition(start.scene, script)
        if len({digest(scene) for scene in scenes}) < max(len(scenes), LEAST_SCENES):
            faults.append(Rejected("same_for_every_input", "no other folder of the kind could be made"))
            continue
        try:
            scenes = await look_at_repositories(scenes, box)
            draft = await try_scenes(selected, suggestion, shown, scenes, start.rounds, box)
            return await check_relevance(draft, box)
        except Rejected as fault:
            if not isinstance(fault, StepNotTested) and not has_condition(script):
                raise
            faults.append(fault)
    raise faults[0]


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
        Case(scene=scene, expected=outcome.effect, hidden=number >= SHOWN_SCENES)
        for number, (scene, outcome) in enumerate(zip(scenes, first, strict=True))
    )
    for case in cases:
        if pattern := next((path for path in case.expected.entries if "*" in path), ""):
            raise Rejected("answer_fails", f"nothing has a name like {pattern}")
    effects = [has_effect(case) for case in cases]
    if not any(effects) or not (all(effects) or has_condition(script)):
        raise Rejected("no_effect", script[:200])
    if cases[0].scene.service and not any(map(has_content, cases)):
        raise Rejected("no_effect", f"nothing was fetched: {script[:150]}")
    serves = bool(cases[0].scene.asked or FILE_SERVER.search(script))
    unstable = unstable_files(cases, [outcome.effect for outcome in again], serves)
    demands = derive_demands(script, cases, unstable)
    for case, outcome in zip(cases, again, strict=True):
        if not are_equal(case, outcome.effect, demands):
            raise Rejected("not_repeatable", script[:200])
    same = [has_same_effect(cases[-1], case, demands) for case in cases[:-1]]
    if all(same) or (any(same) and not has_condition(script)) or says_one_thing(cases):
        raise Rejected("same_for_every_input", script[:200])
    answered = suggestion.output if suggestion.place == 0 else ""
    result_agrees = check_shown_result(shown, cases[0]) or gives_answered_output(shown, answered, cases[0])
    partials = [*partial_scripts(script, ends_service=bool(scenes[0].started)), *without_each_option(script)]
    if untested := await find_equal([DOES_NOTHING, *partials], cases, demands, box):
        raise StepNotTested(untested[0])
    others = [use_shown_name(other.text, shown.files) for other in selected.suggestions]
    others = [other for other in others if other != script][:MOST_ALTERNATIVES]
    agreeing = await find_equal(others, cases, demands, box)
    return Draft(
        selected=selected,
        suggestion=suggestion,
        cases=_show_both(cases) if not all(effects) else cases,
        demands=demands,
        repair_rounds=rounds,
        partials=len(partials),
        alternatives=tuple(agreeing),
        shows_input=bool(shown.files),
        shows_result=result_agrees,
    )


def _show_both(cases: Sequence[Case]) -> tuple[Case, ...]:
    """The cases with one in which something happens and one in which nothing does as the examples."""
    filled, empty = [case for case in cases if has_effect(case)], [case for case in cases if not has_effect(case)]
    ordered = [*filled[:1], *empty[:1], *filled[1:], *empty[1:]]
    return tuple(case.model_copy(update={"hidden": n >= SHOWN_SCENES}) for n, case in enumerate(ordered))


async def _run_twice(script: str, scenes: Sequence[Scene], box: Sandbox) -> tuple[list[Outcome], list[Outcome]]:
    outcomes = await run_scripts(box, [(script, scene) for scene in (*scenes, *scenes)])
    for outcome in outcomes:
        if has_failed(outcome) and not (has_condition(script) and _says_no(outcome)):
            raise Rejected("answer_fails", f"with another input: {outcome.done.err[-300:]}")
    return outcomes[: len(scenes)], outcomes[len(scenes) :]


def _says_no(outcome: Outcome) -> bool:
    """Whether commands only ended with the code that says that something does not hold."""
    return outcome.done.code == 1 and not outcome.done.err and not outcome.done.stopped
