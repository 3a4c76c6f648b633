"""Looks at an application as it loads, and in the states that its workflows reach."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from crucible.browsing import Page, Window
from crucible.domains.web.looks.audit import Violation, read_violations
from crucible.domains.web.looks.facts import SCRIPT, Seen
from crucible.domains.web.looks.limits import load_table
from crucible.domains.web.playing import play_workflow
from crucible.domains.web.rubric import Workflow
from crucible.domains.web.values import draw_values
from crucible.errors import PageFailed
from crucible.record import digest

MOST_STATES = 2
"""Workflows whose end is looked at."""


async def inspect_page(page: Page) -> list[Seen]:
    """The page at all widths, as it stands."""
    return [Seen.of(look) for look in await page.look(SCRIPT, load_table().widths)]


async def inspect_first(window: Window, url: str) -> tuple[list[Seen], list[Violation]]:
    """The application as it loads, and what axe-core finds in it. PageFailed when it cannot be looked at."""
    width = load_table().widths[0]
    async with window.open_page(width=width) as page:
        await page.goto(url)
        return await inspect_page(page), read_violations(await page.audit())


async def inspect_states(window: Window, url: str, workflows: Sequence[Workflow], seed: str) -> list[Seen]:
    """The application after each of the first workflows, wide and on a phone. One that cannot be played leaves it as
    far as it came; a page that is lost on the way is not looked at, for that is the interaction layer's to say."""
    widths = load_table().widths
    looks: list[Seen] = []
    for workflow in workflows[:MOST_STATES]:
        values = draw_values(workflow.values, Random(digest(seed, workflow.name, "looks")))
        async with window.open_page(width=widths[0]) as page:
            playing = await play_workflow(page, url, workflow, values)
            if playing.lost or not playing.steps:
                continue
            try:
                seen = await page.look(SCRIPT, (widths[0], widths[-1]))
                looks += [Seen.of(look, f"'{workflow.name}'") for look in seen]
            except PageFailed:
                continue
    return looks
