"""Looks at an application as it loads, and in the states that its workflows reach."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from crucible.browsing import Look, Page, Window
from crucible.domains.web.looks.audit import Violation, read_violations
from crucible.domains.web.looks.facts import SCRIPT, Seen
from crucible.domains.web.looks.limits import load_table
from crucible.domains.web.playing import TIMES, draw_round, play_workflow
from crucible.domains.web.rubric import Workflow
from crucible.domains.web.together import run_together
from crucible.errors import PageFailed

MOST_STATES = 2
"""Workflows whose end is looked at."""


class Inspected(NamedTuple):
    """What was seen of an application."""

    looks: list[Seen]
    violations: list[Violation]
    """What axe-core finds in it as it loads."""


@dataclass(frozen=True)
class StateLooks:
    """Looks at an application of files: as it loads, and as its first workflows left it when they were played for
    their own sake. They are the same that would be taken later, and kept so that nothing need be played again."""

    first: list[Inspected] = field(default_factory=list)
    """One, once it was looked at as it loads."""
    by_workflow: dict[str, tuple[Look, ...]] = field(default_factory=dict)

    def wants(self, workflow: Workflow, workflows: Sequence[Workflow]) -> bool:
        """Whether the end of the workflow is to be looked at, and was not yet."""
        return workflow in workflows[:MOST_STATES] and workflow.name not in self.by_workflow

    async def take_first(self, page: Page) -> None:
        """Look at a page that shows the application as it loads; what is lost is left to `inspect_first`."""
        with suppress(PageFailed):
            self.first.append(await inspect_loaded(page))

    async def take(self, page: Page, workflow: Workflow) -> None:
        """Look at a page as the workflow left it; one that is lost meanwhile is left to `inspect_state`."""
        with suppress(PageFailed):
            self.by_workflow[workflow.name] = await look_at_state(page)


async def look_at_state(page: Page) -> tuple[Look, ...]:
    """The page wide and on a phone."""
    widths = load_table().widths
    return await page.look(SCRIPT, (widths[0], widths[-1]))


async def inspect_application(
    window: Window,
    url: str,
    workflows: Sequence[Workflow],
    seed: str,
    *,
    home: str,
    at_once: bool = False,
    kept: StateLooks | None = None,
) -> Inspected:
    """The application as it loads at its home, then after its first workflows; in several pages at the same time where
    none can see what is done in another. PageFailed when it cannot be looked at."""
    kept = kept or StateLooks()
    number = TIMES - 1 if at_once else "looks"  # a server still keeps what it was given under other values
    jobs = [partial(inspect_first, window, home, kept.first, at_once=at_once)]
    for workflow in workflows[:MOST_STATES]:
        values = draw_round(workflow, seed, number)
        jobs.append(partial(inspect_state, window, url, workflow, values, kept.by_workflow.get(workflow.name, ())))
    inspected: list[Inspected] = []
    if at_once:
        try:
            inspected = await run_together(job() for job in jobs)
        except PageFailed:  # a page that is lost may have taken others along: each is then looked at alone
            inspected = []
    if not inspected or not all(each.looks for each in inspected):
        inspected = [await job() for job in jobs]
    return Inspected([seen for each in inspected for seen in each.looks], inspected[0].violations)


async def inspect_page(page: Page) -> list[Seen]:
    """The page at all widths, as it stands."""
    return [Seen.of(look) for look in await page.look(SCRIPT, load_table().widths)]


async def inspect_first(
    window: Window, url: str, taken: Sequence[Inspected] = (), *, at_once: bool = False
) -> Inspected:
    """The application as it loads; in a page that was used before where others are used at the same time."""
    if taken:
        return taken[0]
    async with window.open_page(width=load_table().widths[0], used=at_once) as page:
        await page.goto(url)
        return await inspect_loaded(page)


async def inspect_loaded(page: Page) -> Inspected:
    """A page in which nothing was done yet; at the end it has the width of a phone."""
    violations = read_violations(await page.audit())
    return Inspected(await inspect_page(page), violations)


async def inspect_state(
    window: Window, url: str, workflow: Workflow, values: Mapping[str, str], taken: Sequence[Look] = ()
) -> Inspected:
    """The application after a workflow, wide and on a phone. One that cannot be played leaves it as far as it came; a
    page that is lost on the way is not looked at, for that is the interaction layer's to say."""
    if not taken:
        async with window.open_page(width=load_table().widths[0]) as page:
            playing = await play_workflow(page, url, workflow, values)
            if playing.lost or not playing.steps:
                return Inspected([], [])
            try:
                taken = await look_at_state(page)
            except PageFailed:
                return Inspected([], [])
    return Inspected([Seen.of(look, f"'{workflow.name}'") for look in taken], [])
