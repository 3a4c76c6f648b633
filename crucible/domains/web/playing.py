"""Plays the workflows of a rubric in an application that runs, and tells what was done, expected and seen.

    async with window.open_page() as page:
        playing = await play_workflow(page, deployed.url, workflow, values)

Values are drawn for each playing, from a seed that an application's author cannot know: the hash of the whole attempt,
which changes with every byte of it. So the same work is always judged by the same values, and none can be prepared for.
Every playing begins in a context of its own, without cookies or storage; what a server keeps, it keeps. The page is
left as the last step left it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from urllib.parse import urljoin

from crucible.browsing import Action, Doing, Exchange, Expecting, Outcome, Page, Pictures, Target, Window
from crucible.domains.web.answers import find_mismatch, keep_values
from crucible.domains.web.rubric import Element, Step, Workflow
from crucible.domains.web.together import run_together
from crucible.domains.web.values import draw_values, fill_json, fill_text
from crucible.domains.web.writings import write_variants
from crucible.errors import PageFailed
from crucible.record import Json, digest

TIMES = 2
"""How often each workflow is played, with other values each time."""


@dataclass(frozen=True)
class PlayedStep:
    """One step of a workflow as it was played."""

    step: Step
    said: str
    """What was done or expected, in words, values filled in."""
    outcome: Outcome


@dataclass
class Playing:
    """One playing of a workflow."""

    workflow: Workflow
    values: dict[str, str]
    steps: list[PlayedStep] = field(default_factory=list)
    fault: str = ""
    """Why it failed, in one line; empty where it did not."""
    lost: bool = False
    """The page hung or went away: a further playing would as well."""
    errors: tuple[str, ...] = ()
    """What the page of a playing that failed complained about."""
    exchanges: tuple[Exchange, ...] = ()
    """The requests it made."""
    before: bytes = b""
    """A picture before the first thing that was done, as JPEG; empty where none was taken."""
    after: bytes = b""
    box_before: tuple[float, ...] = ()
    """Where the element that was used first stands in the picture: left, top, width, height."""
    box_after: tuple[float, ...] = ()

    @property
    def passed(self) -> bool:
        return not self.fault


AtEnd = Callable[[Page], Awaitable[None]]
"""Looks at a page as a workflow left it."""


async def play_repeatedly(
    window: Window, url: str, workflow: Workflow, seed: str, *, at_once: bool = False, at_end: AtEnd | None = None
) -> list[Playing]:
    """Play the workflow in fresh pages, with other values each time, until it fails: one after the other, or all at
    once, in cleared pages too, where no page can see what is done in another; what clicks change, and which buttons
    they bring, is then watched in the last one only, for what fails is tried again alone. `at_end` is shown the page of
    the last playing, if that went well."""

    async def play_round(number: int) -> Playing:
        values = draw_round(workflow, seed, number)
        async with window.open_page(used=at_once) as page:
            playing = await play_workflow(
                page,
                url,
                workflow,
                values,
                pictures="fault" if number else "all",
                watch=not at_once or number > 0,
                lists=at_once and number == TIMES - 1,
            )
            if at_end and playing.passed and number == TIMES - 1:
                await at_end(page)
            return playing

    playings = await run_together(map(play_round, range(TIMES))) if at_once else []
    while not at_once and len(playings) < TIMES and all(playing.passed for playing in playings):
        playings.append(await play_round(len(playings)))
    failed = next((number for number, playing in enumerate(playings) if not playing.passed), TIMES)
    return playings[: failed + 1]


def draw_round(workflow: Workflow, seed: str, number: int | str) -> dict[str, str]:
    """The values of one playing, by its number or what it is for."""
    return draw_values(workflow.values, Random(digest(seed, workflow.name, number)))


async def play_workflow(
    page: Page,
    url: str,
    workflow: Workflow,
    values: Mapping[str, str],
    *,
    pictures: Pictures = "none",
    watch: bool = True,
    lists: bool = False,
) -> Playing:
    """Play the workflow once, from its first address, up to the first step that fails; `watch`: it is told what clicks
    changed, `lists`: which buttons they brought."""
    playing = Playing(workflow, dict(values))
    try:
        for batch in _list_batches(workflow):
            if playing.passed:
                await _play_batch(page, url, playing, batch, pictures, watch, lists)
        if not playing.passed:
            playing.errors, playing.exchanges = await page.errors(), await page.exchanges()
    except PageFailed as lost:
        playing.fault, playing.lost = f"the page is lost: {lost.line()[:300]}", True
    return playing


def _list_batches(workflow: Workflow) -> list[list[Step]]:
    """The steps, cut after each request, whose answer may give values to what follows, and around what is expected of
    an answer. What only sends requests opens no page."""
    batches: list[list[Step]] = [[Step(do="open", value=workflow.start)] if _uses_page(workflow) else []]
    for step in workflow.steps:
        if step.expect == "answer":
            batches.append([])
        batches[-1].append(step)
        if step.do == "send" or step.expect == "answer":
            batches.append([])
    return [batch for batch in batches if batch]


def _uses_page(workflow: Workflow) -> bool:
    return any(step.do not in ("send", None) or step.expect not in ("answer", None) for step in workflow.steps)


async def _play_batch(
    page: Page, url: str, playing: Playing, steps: Sequence[Step], pictures: Pictures, watch: bool, lists: bool
) -> None:
    """Play steps in one call, or compare the last answer."""
    if steps[0].expect == "answer":
        _expect_answer(playing, steps[0])
        return
    actions = [make_action(step, url, playing.values, playing.workflow) for step in steps]
    actions = [
        action.model_copy(update={"watch": action.watch and watch, "lists": lists and step.do is not None})
        for action, step in zip(actions, steps, strict=True)
    ]
    outcomes = await page.play(actions, pictures=pictures if steps[-1].do != "send" else "none")
    for step, action, outcome in zip(steps, actions, outcomes, strict=False):
        playing.steps.append(PlayedStep(step, describe_action(action), outcome))
        await _keep_pictures(page, playing, outcome)
        if step.do == "send" and outcome.ok:
            playing.fault = keep_values(step, outcome.answer, playing.values)
        elif not outcome.ok:
            playing.fault = f"{describe_action(action)}: {outcome.why}{_explain_effects(playing.steps)}"


def _expect_answer(playing: Playing, step: Step) -> None:
    """Compare the last answer with what is expected of it."""
    answers = [played.outcome.answer for played in playing.steps if played.outcome.answer is not None]
    wanted = step.model_copy(update={"answer": fill_json(step.answer, playing.values)})
    fault = find_mismatch(wanted, answers[-1]) if answers else "nothing was sent before"
    fault = fault or keep_values(step, answers[-1], playing.values)
    said = f"expect the answer {wanted.answer}" if wanted.answer is not None else "expect an answer"
    playing.steps.append(PlayedStep(step, said, Outcome(ok=not fault, why=fault)))
    playing.fault = f"{said}: {fault}" if fault else ""


async def _keep_pictures(page: Page, playing: Playing, outcome: Outcome) -> None:
    if outcome.before and not playing.before:
        playing.before, playing.box_before = await page.read_picture(outcome.before), outcome.box
    if outcome.after:
        playing.after, playing.box_after = await page.read_picture(outcome.after), outcome.box


def _explain_effects(steps: Sequence[PlayedStep]) -> str:
    """Where what was done last changed nothing at all, that is the fault."""
    clicks = [played for played in steps[:-1] if played.said.startswith(("click", "press"))]
    return f" ({clicks[-1].said} changed nothing)" if clicks and not clicks[-1].outcome.changed else ""


def make_action(step: Step, url: str, values: Mapping[str, str], workflow: Workflow) -> Action:
    """What the browser is asked to do for a step, with the values filled in."""
    value = fill_text(step.value, values)
    if step.do == "open":
        value = make_address(url, value or fill_text(step.path, values))
    if step.do == "send":
        value = make_address(url, fill_text(step.path or step.value, values))
    return Action(
        name=_action_name(step),
        at=make_target(step.at, values),
        value=value,
        texts=write_variants(step.text, values, workflow.values),
        count=step.count,
        method=step.method,
        body=fill_json(step.body, values),
        watch=step.do in ("click", "press"),
    )


def _action_name(step: Step) -> Doing | Expecting:
    if step.do is not None:
        return step.do
    if step.expect is None or step.expect == "answer" or step.expect == "picture":
        raise ValueError(f"nobody can ask a page for '{step.expect}'")
    return step.expect


def make_target(element: Element, values: Mapping[str, str]) -> Target:
    """The element, with the values filled in."""
    names = tuple(fill_text(name, values) for name in element.names)
    return Target(role=element.role, names=names, within=fill_text(element.within, values))


def make_address(url: str, path: str) -> str:
    """The address of a path of the application. One that leads out of it stays what it is, and is not reached."""
    return urljoin(url, path if path.startswith(("#", "?")) else path.lstrip("/")) if "://" not in path else path


def describe_action(action: Action) -> str:
    """An action in words."""
    at = action.at
    names = " or ".join(f"'{name}'" for name in at.names[:3])
    where = " ".join(filter(None, [at.role, names, f"beside '{at.within}'" if at.within else ""]))
    match action.name:
        case "open" | "wait" | "press":
            return f"{action.name} {action.value}" + (f" in {where}" if where else "")
        case "send":
            return f"send {action.method} {action.value}" + (f" {_shorten(action.body)}" if action.body else "")
        case "fill":
            return f"fill {where} with '{action.value}'"
        case "choose":
            return f"choose '{action.value}' in {where}"
        case "click" | "check" | "reload" | "back":
            return f"{action.name} {where}".strip()
        case "count":
            return f"expect {action.count} of {where}"
        case "text" | "no text" | "url":
            return f"expect {action.name} '{action.texts[0]}'"
        case "value":
            return f"expect '{action.texts[0] if action.texts else ''}' in {where}"
        case _:
            return f"expect {action.name} {where}"


def _shorten(body: Json) -> str:
    return str(body)[:200]
