"""Uses an application as its rubric says: a criterion for each element, workflow and address, with evidence.

A page that hangs or is lost fails what was tried in it. After the second one nothing more is tried, for each takes its
whole time; what was not tried is not met.

Where no page can see what is done in another, all is tried at once, as soon as the first has opened its page. What is
not met then is tried again alone, and only that counts: a page that is lost may have taken others along, and one that
opens windows, or keeps the browser busy, slows others down.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import groupby
from random import Random

from crucible.browsing import Action, Listed, Page, Window
from crucible.domains.web.addresses import find_address_fault, find_back_fault
from crucible.domains.web.looks.inspecting import StateLooks
from crucible.domains.web.outlining import outline
from crucible.domains.web.playing import TIMES, Playing, make_action, make_address, make_target, play_repeatedly
from crucible.domains.web.printed import find_telling_line
from crucible.domains.web.rubric import ExpectedElement, Rubric, Step, Workflow
from crucible.domains.web.sweeping import Ending, Sweep, list_candidates, list_late, sweep_buttons
from crucible.domains.web.together import run_together
from crucible.domains.web.unreached import describe_unreached
from crucible.domains.web.values import draw_values
from crucible.errors import PageFailed
from crucible.mining import BlobStore
from crucible.model import Criterion
from crucible.record import digest

MOST_LOST = 2
"""After so many pages that hung or were lost nothing more is tried."""
UNANSWERED = re.compile(r"request: (\S+): net::ERR_(?:EMPTY_RESPONSE|CONNECTION_\w+)$")
"""What a page complains of that asked an application which has ended, or ended then."""
# matches: request: http://localhost:3000/books/1: net::ERR_EMPTY_RESPONSE
ANSWER_CHARS = 300
"""How much of an answer stands in the evidence."""
SWEEP_NAME = "every button does something"
BACK_WEIGHT = SWEEP_WEIGHT = 0.5
"""What is asked of every application counts less than what this one is for."""


@dataclass
class ApplicationUse:
    """One application, used once for all that its rubric asks."""

    window: Window
    url: str
    rubric: Rubric
    seed: str
    """What values are drawn from."""
    blobs: BlobStore
    at_once: bool = False
    """Whether several pages may be used at the same time."""
    lost: list[str] = field(default_factory=list)
    """Why pages were lost."""
    alive: set[str] = field(default_factory=set)
    """The markup of controls that were seen to have an effect."""
    buttons: list[Listed] = field(default_factory=list)
    """Those of the first page, where it was opened to look for elements, and has no fields, which may bring others."""
    last_buttons: dict[str, tuple[Listed, ...]] = field(default_factory=dict)
    """Those that the last page of a workflow that went well shows, by its name."""
    new_buttons: dict[str, list[tuple[int, tuple[Listed, ...]]]] = field(default_factory=dict)
    """Those that came while a workflow that went well was done, by its name, each with how much was done by then."""
    opened: asyncio.Event = field(default_factory=asyncio.Event)
    """Set once the first page was opened, or could not be."""
    unreached: Mapping[str, str] = field(default_factory=dict)
    """Addresses of content networks that are out of reach: why."""
    read_log: Callable[[], Awaitable[str]] | None = None
    """Tells what the application has printed last."""
    looks: StateLooks | None = None
    """Where looks are put that are taken on the way, if somebody is to judge them."""

    @property
    def home(self) -> str:
        """The address at which it is opened."""
        return make_address(self.url, self.rubric.home)

    async def judge(self) -> AsyncIterator[Criterion]:
        """All criteria of the rubric, in its order."""
        trials = list(self._list_trials())
        tried = await self._try_all_ahead(trials) if self.at_once else {}
        alone = replace(self, at_once=False)  # what it finds lost or alive is this one's, too
        for trial in trials:
            for criterion in tried.get(trial) or await trial(alone):
                yield criterion
        if self.rubric.surface == "page":
            yield await self._judge_buttons()

    def _list_trials(self) -> Iterator[Trial]:
        """What is tried in pages of its own, in the order of the rubric."""
        for path, elements in groupby(self.rubric.elements, lambda element: element.path):
            yield partial(ApplicationUse._judge_elements, path=path, elements=tuple(elements))
        for workflow in self.rubric.workflows:
            yield partial(ApplicationUse._judge_workflow, workflow=workflow)
        for path in self.rubric.paths:
            yield partial(ApplicationUse._judge_path, path=path)
        if self.rubric.paths:
            yield ApplicationUse._judge_back

    async def _try_all_ahead(self, trials: Sequence[Trial]) -> dict[Trial, list[Criterion]]:
        """What is met where all are tried at the same time: the others as soon as the first has opened its page, and
        not at all if it has lost it."""
        lost: list[str] = []

        async def try_first(trial: Trial) -> list[Criterion]:
            try:
                return await self._try_ahead(trial, lost)
            finally:
                self.opened.set()

        async def try_other(trial: Trial) -> list[Criterion]:
            await self.opened.wait()
            return [] if lost else await self._try_ahead(trial, [])

        others = sorted(trials[1:], key=_count_steps, reverse=True)
        results = await run_together([*map(try_first, trials[:1]), *map(try_other, others)])
        return dict(zip([*trials[:1], *others], results, strict=True))

    async def _try_ahead(self, trial: Trial, lost: list[str]) -> list[Criterion]:
        """The criteria of a trial beside others; none where one is not met."""
        apart = replace(self, lost=lost, alive=set())
        criteria = await trial(apart)
        if not all(criterion.passed for criterion in criteria):
            return []
        self.alive |= apart.alive
        return criteria

    async def _judge_elements(self, path: str, elements: Sequence[ExpectedElement]) -> list[Criterion]:
        """Whether each of the elements is there once the page has loaded, all in one picture."""
        if len(self.lost) >= MOST_LOST:
            return [self._untried(element.name, element.weight) for element in elements]
        actions = [Action(name="open", value=make_address(self.url, path))]
        actions += [Action(name="element", at=make_target(each.at, {}), optional=True) for each in elements]
        try:
            async with self.window.open_page(used=self.at_once) as page:
                opened, *outcomes = await page.play(actions, pictures="end")
                last = [opened, *outcomes][-1]
                picture = await page.read_picture(last.after) if last.after else b""
                absent = [] if all(outcome.ok for outcome in outcomes) else await page.exchanges()
                if make_address(self.url, path) == self.home:
                    await self._see_first(page)
        except PageFailed as gone:
            self.lost.append(gone.line())
            return [self._unmet(element.name, element.weight, gone.line()) for element in elements]
        boxes = [outcome.box for outcome in outcomes]
        attachments = self._attach({f"{path}: elements": _outline(picture, *boxes)})
        unreached = describe_unreached(absent, self.url, self.unreached)
        if not opened.ok:
            return [self._unmet(element.name, element.weight, opened.why) for element in elements]
        return [
            Criterion(
                name=element.name,
                passed=outcome.ok,
                evidence=outcome.element if outcome.ok else outcome.why + unreached,
                weight=element.weight,
                attachments=attachments,
            )
            for element, outcome in zip(elements, outcomes, strict=True)
        ]

    async def _see_first(self, page: Page) -> None:
        """Note the buttons of the first page as it opens, and look at it for those who judge its looks later."""
        if not self.buttons and not await page.elements("field"):
            self.buttons += await page.elements("button")
        self.opened.set()
        if self.looks and self.at_once:
            await self.looks.take_first(page)

    async def _judge_workflow(self, workflow: Workflow) -> list[Criterion]:
        if len(self.lost) >= MOST_LOST:
            return [self._untried(workflow.name, workflow.weight)]
        playings = await play_repeatedly(
            self.window,
            self.url,
            workflow,
            self.seed,
            at_once=self.at_once,
            at_end=partial(self._see_end, workflow=workflow) if self.rubric.surface == "page" else None,
        )
        first, last = playings[0], playings[-1]
        self.alive |= {played.outcome.element for played in last.steps if played.outcome.changed}
        self.lost += [last.fault] if last.lost else []
        if last.passed:
            came = [played.outcome.buttons for played in last.steps if played.step.do]
            self.new_buttons[workflow.name] = [each for each in list(enumerate(came, start=1))[1:] if each[1]]
        shown = {
            f"{workflow.name}: before": _outline(first.before, first.box_before),
            f"{workflow.name}: after": _outline(last.after, last.box_after) or _outline(first.after, first.box_after),
            f"{workflow.name}: steps": "\n\n".join(map(describe_playing, playings)).encode(),
        }
        unreached = describe_unreached(last.exchanges, self.url, self.unreached)
        played = f"{len(playings)} playings with drawn values, {len(last.steps)} steps each"
        return [
            Criterion(
                name=workflow.name,
                passed=last.passed,
                evidence=last.fault + await self._describe_troubles(last) + unreached or played,
                weight=workflow.weight,
                attachments=self._attach(shown),
            )
        ]

    async def _describe_troubles(self, playing: Playing) -> str:
        """What stands behind a fault: the last exception of the page, and the last request that the application could
        not answer, with what it printed."""
        exceptions = [error for error in playing.errors if error.startswith("exception: ")]
        failed = [f"{each.method} {each.url}: status {each.status}" for each in playing.exchanges if each.status >= 500]
        failed += [f"{gone[1]}: no answer" for error in playing.errors if (gone := UNANSWERED.match(error))]
        printed = [f"it printed: {find_telling_line(await self.read_log())}"] if failed and self.read_log else []
        return "".join(f"; {trouble[:ANSWER_CHARS]}" for trouble in (*exceptions[-1:], *failed[-1:], *printed))

    async def _see_end(self, page: Page, workflow: Workflow) -> None:
        """Note the buttons that a workflow leaves, and look at its last page for those who judge its looks later."""
        with suppress(PageFailed):
            self.last_buttons[workflow.name] = await page.elements("button")
        if self.looks and self.at_once and self.looks.wants(workflow, self.rubric.workflows):
            await self.looks.take(page, workflow=workflow)

    async def _judge_path(self, path: str) -> list[Criterion]:
        name = f"{path} can be opened directly"
        if len(self.lost) >= MOST_LOST:
            return [self._untried(name, 1.0)]
        try:
            fault, picture = await find_address_fault(self.window, self.url, path)
        except PageFailed as gone:
            self.lost.append(gone.line())
            fault, picture = gone.line(), b""
        attachments = self._attach({f"{path}: opened directly": picture})
        return [Criterion(name=name, passed=not fault, evidence=fault or "it shows a page", attachments=attachments)]

    async def _judge_back(self) -> list[Criterion]:
        name = "the back button leads back"
        if len(self.lost) >= MOST_LOST:
            return [self._untried(name, BACK_WEIGHT)]
        try:
            fault, evidence = await find_back_fault(self.window, self.home)
        except PageFailed as gone:
            self.lost.append(gone.line())
            fault = evidence = gone.line()
        return [Criterion(name=name, passed=not fault, evidence=fault or evidence, weight=BACK_WEIGHT)]

    async def _judge_buttons(self) -> Criterion:
        """Click what no workflow has seen at work. A page is opened only where there is such a button."""
        if len(self.lost) >= MOST_LOST:
            return self._untried(SWEEP_NAME, SWEEP_WEIGHT)
        endings = list(self._list_endings())
        if self.at_once and self.buttons and not self._has_unseen(endings):  # it opens as it did then
            return self._tell_sweep(Sweep(0))
        try:
            async with self.window.open_page() as page:
                sweep = await sweep_buttons(page, self.home, self.alive, self._list_work(), endings)
        except PageFailed as gone:
            self.lost.append(gone.line())
            return self._unmet(SWEEP_NAME, SWEEP_WEIGHT, gone.line())
        return self._tell_sweep(sweep)

    def _tell_sweep(self, sweep: Sweep) -> Criterion:
        evidence = f"{len(self.alive)} had an effect in workflows, {sweep.tried - len(sweep.dead)} others when clicked"
        if sweep.dead:
            evidence = f"nothing changes when these are clicked: {', '.join(sweep.dead)}"
            evidence += describe_unreached(sweep.exchanges, self.url, self.unreached)
        if sweep.waiting:
            evidence += f"; not tried, for their library is at a host that is out of reach: {', '.join(sweep.waiting)}"
        shown = {"dead controls": _outline(sweep.picture, *sweep.boxes)}
        return Criterion(
            name=SWEEP_NAME,
            passed=not sweep.dead,
            evidence=evidence,
            weight=SWEEP_WEIGHT,
            attachments=self._attach(shown),
        )

    def _has_unseen(self, endings: Sequence[Ending]) -> bool:
        """Whether the first page, or one of a workflow, shows a button that was not seen at work."""
        names = {button.name for button in self.buttons}
        late = (list_late(ending.buttons, self.alive, names) for ending in endings)
        return any(late) or bool(list_candidates(self.buttons, self.alive))

    def _list_endings(self) -> Iterator[Ending]:
        """How the workflows that are done in a page alone ended, then what they came by that shows new buttons."""
        actions = {
            workflow.name: [tuple(self._list_actions(workflow, number)) for number in range(TIMES)]
            for workflow in filter(_is_done_in_page, self.rubric.workflows)
        }
        for name, (once, again) in actions.items():
            yield Ending(self.last_buttons.get(name, ()), once, (*once, *again))
        for name, (once, again) in actions.items():
            for done, buttons in self.new_buttons.get(name, ()):
                yield Ending(buttons, once[:done], (*once[:done], *again[: done - 1]))

    def _list_work(self) -> list[Action]:
        """The first workflow that is done in a page, twice with other values, the second time without opening it again:
        there is something to sort then."""
        workflow = next(filter(_is_done_in_page, self.rubric.workflows), None)
        return (
            [action for number in range(TIMES) for action in self._list_actions(workflow, number)] if workflow else []
        )

    def _list_actions(self, workflow: Workflow, number: int) -> Iterator[Action]:
        values = draw_values(workflow.values, Random(digest(self.seed, workflow.name, "sweep", number)))
        opening = () if number else (Step(do="open", value=workflow.start),)
        steps = [step for step in (*opening, *workflow.steps) if step.do]
        for action in (make_action(step, self.url, values, workflow) for step in steps):
            yield action.model_copy(update={"optional": True, "watch": False})

    def _untried(self, name: str, weight: float) -> Criterion:
        return self._unmet(name, weight, f"not tried any more: {'; '.join(self.lost)}"[:500])

    def _unmet(self, name: str, weight: float, evidence: str) -> Criterion:
        return Criterion(name=name, passed=False, evidence=evidence, weight=weight)

    def _attach(self, files: dict[str, bytes]) -> dict[str, str]:
        """The digests of files by name; empty ones are left out."""
        return {name: self.blobs.put(data) for name, data in files.items() if data}


Trial = Callable[[ApplicationUse], Awaitable[list[Criterion]]]
"""Tries something in pages of its own, as one use of the application."""


def _is_done_in_page(workflow: Workflow) -> bool:
    return not any(step.do == "send" or step.expect == "answer" for step in workflow.steps)


def _count_steps(trial: Trial) -> int:
    """How long a trial will take, beside others."""
    return len(trial.keywords["workflow"].steps) if isinstance(trial, partial) and "workflow" in trial.keywords else 1


def _outline(picture: bytes, *boxes: Sequence[float]) -> bytes:
    return outline(picture, boxes) if picture else b""


def describe_playing(playing: Playing) -> str:
    """A playing step by step, with the elements that were used, what changed, the console and the requests."""
    return "\n".join(_playing_lines(playing))


def _playing_lines(playing: Playing) -> Iterable[str]:
    yield f"values: {', '.join(f'{name} = {value}' for name, value in playing.values.items()) or 'none'}"
    for number, played in enumerate(playing.steps, start=1):
        outcome = played.outcome
        yield f"{number}. {played.said}: {'ok' if outcome.ok else outcome.why}"
        if outcome.element:
            yield f"   element: {' '.join(outcome.element.split())}"
        if outcome.changed:
            yield f"   changed: {', '.join(outcome.changed)}"
        if outcome.answer is not None:
            yield f"   answer: {str(outcome.answer)[:ANSWER_CHARS]}"
    if playing.fault:
        yield f"fault: {playing.fault}"
    yield from (f"console: {error}" for error in playing.errors[-20:])
    yield from (f"request: {each.method} {each.url} {each.status}" for each in playing.exchanges[-20:])
