"""Looks at an application as it loads, and in the states that its workflows reach."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from random import Random
from typing import NamedTuple

from crucible.browsing import Page, Window
from crucible.domains.web.looks.audit import Violation, read_violations
from crucible.domains.web.looks.facts import SCRIPT, Seen
from crucible.domains.web.looks.limits import load_table
from crucible.domains.web.playing import play_workflow
from crucible.domains.web.rubric import Workflow
from crucible.domains.web.together import run_together
from crucible.domains.web.values import draw_values
from crucible.errors import PageFailed
from crucible.record import digest

MOST_STATES = 2
"""Workflows whose end is looked at."""


class Inspected(NamedTuple):
    """What was seen of an application."""

    looks: list[Seen]
    violations: list[Violation]
    """What axe-core finds in it as it loads."""


async def inspect_application(
    window: Window, url: str, workflows: Sequence[Workflow], seed: str, *, at_once: bool = False
) -> Inspected:
    """The application as it loads, then after its first workflows; in several pages at the same time where none can see
    what is done in another. PageFailed when it cannot be looked at."""
    jobs = [partial(inspect_first, window, url)]
    jobs += [partial(inspect_state, window, url, workflow, seed) for workflow in workflows[:MOST_STATES]]
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


async def inspect_first(window: Window, url: str) -> Inspected:
    """The application as it loads."""
    async with window.open_page(width=load_table().widths[0]) as page:
        await page.goto(url)
        return Inspected(await inspect_page(page), read_violations(await page.audit()))


async def inspect_state(window: Window, url: str, workflow: Workflow, seed: str) -> Inspected:
    """The application after a workflow, wide and on a phone. One that cannot be played leaves it as far as it came; a
    page that is lost on the way is not looked at, for that is the interaction layer's to say."""
    widths = load_table().widths
    values = draw_values(workflow.values, Random(digest(seed, workflow.name, "looks")))
    async with window.open_page(width=widths[0]) as page:
        playing = await play_workflow(page, url, workflow, values)
        if playing.lost or not playing.steps:
            return Inspected([], [])
        try:
            seen = await page.look(SCRIPT, (widths[0], widths[-1]))
        except PageFailed:
            return Inspected([], [])
        return Inspected([Seen.of(look, f"'{workflow.name}'") for look in seen], [])
