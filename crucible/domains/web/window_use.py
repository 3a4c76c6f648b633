"""Uses a program with a window as its rubric says, by rules that need not find elements in a picture.

Keys are pressed and texts typed where the focus is. What must come of it is told by the program itself: by what it
prints, by what its windows are called, or by another picture on the display. Each workflow is played twice, with other
values, by a program that was just started; files that it wrote stay.
"""

from __future__ import annotations

import asyncio
import shlex
import time
from collections.abc import AsyncIterator
from random import Random

from crucible.domains.web.deploying import restart
from crucible.domains.web.launching import PAUSE_SECONDS, read_log
from crucible.domains.web.playing import TIMES
from crucible.domains.web.rubric import Rubric, Step, Workflow
from crucible.domains.web.values import draw_values, fill_text
from crucible.domains.web.windows import DISPLAY, count_changed_pixels, take_picture
from crucible.domains.web.writings import write_variants
from crucible.judging.applications import Applications
from crucible.mining import BlobStore
from crucible.model import Criterion
from crucible.record import digest

KEYS = {"Enter": "Return", "Backspace": "BackSpace", " ": "space"} | {
    f"Arrow{side}": side for side in ("Up", "Down", "Left", "Right")
}
"""Keys that the display calls otherwise than a browser does."""
FOCUS = "xdotool search --onlyvisible --name . windowfocus %@ mousemove --window %1 5 5"
TITLES = "xdotool search --onlyvisible --name . getwindowname %@"
PATIENCE_SECONDS = 5.0
"""How long an effect is waited for."""
HOLD_SECONDS = 0.5
"""So long is waited until what is to stay away is looked for."""
LEAST_CHANGED_PIXELS = 200
"""A caret that blinks is no change."""
SHOWN_CHARS = 300


async def judge_window(
    applications: Applications, rubric: Rubric, seed: str, blobs: BlobStore
) -> AsyncIterator[Criterion]:
    """One criterion for each workflow."""
    for workflow in rubric.workflows:
        fault, picture = "", b""
        for number in range(TIMES):
            values = draw_values(workflow.values, Random(digest(seed, workflow.name, number)))
            use = WindowUse(applications, workflow, values)
            fault = fault or await use.play()
            picture = picture if fault and number else use.picture
        yield Criterion(
            name=workflow.name,
            passed=not fault,
            evidence=fault or f"{TIMES} playings with drawn values, {len(workflow.steps)} steps each",
            weight=workflow.weight,
            attachments={f"{workflow.name}: after": blobs.put(picture)} if picture else {},
        )


class WindowUse:
    """One playing of a workflow."""

    def __init__(self, applications: Applications, workflow: Workflow, values: dict[str, str]) -> None:
        self.applications, self.workflow, self.values = applications, workflow, values
        self.box = applications.box
        self.picture = b""
        """The display at the end."""
        self._before = b""
        """The display before the last thing that was done."""

    async def play(self) -> str:
        """Why a step failed, in one line; empty where none did."""
        fault = await self._start()
        for number, step in enumerate(self.workflow.steps, start=1):
            if not fault:
                why = await (self._do(step) if step.do else self._expect(step))
                fault = f"step {number}, {self._describe(step)}: {why}" if why else ""
        self.picture = await take_picture(self.box)
        return fault

    async def _start(self) -> str:
        """Start the program anew; why it does not, or nothing."""
        self._deployed = await restart(self.applications)
        await self._run(FOCUS)
        self._before = await take_picture(self.box)
        return self._deployed.fault

    async def _do(self, step: Step) -> str:
        if step.do == "wait":
            await asyncio.sleep(min(float(step.value or 1), PATIENCE_SECONDS))
            return ""
        if step.do == "reload":
            return await self._start()
        self._before = await take_picture(self.box)
        value = fill_text(step.value, self.values)
        command = ("key", KEYS.get(value, value)) if step.do == "press" else ("type", "--delay", "20", value)
        return await self._run(shlex.join(["xdotool", *command]))

    async def _expect(self, step: Step) -> str:
        if step.expect == "no text":
            await asyncio.sleep(HOLD_SECONDS)
        ends = time.monotonic() + PATIENCE_SECONDS
        while fault := await self._find_fault(step):
            if step.expect == "no text" or time.monotonic() > ends:
                break
            await asyncio.sleep(PAUSE_SECONDS)
        return fault

    async def _find_fault(self, step: Step) -> str:
        if step.expect == "picture":
            changed = count_changed_pixels(self._before, await take_picture(self.box))
            return "" if changed >= LEAST_CHANGED_PIXELS else "the display shows what it showed before"
        said = await self._read_texts()
        texts = write_variants(step.text, self.values, self.workflow.values)
        shown = next((text for text in texts if text.lower() in said.lower()), "")
        if step.expect == "no text":
            return f"'{shown}' is there" if shown else ""
        return "" if shown else f"'{texts[0]}' is neither printed nor a title: {' '.join(said.split())[-SHOWN_CHARS:]}"

    async def _read_texts(self) -> str:
        """What the program has printed since its start, and the titles of its windows."""
        titles = await self.box.exec(f"DISPLAY={DISPLAY} {TITLES}")
        printed = await read_log(self.box, self._deployed.launched) if self._deployed.launched else ""
        return f"{printed}\n{titles.out}"

    async def _run(self, command: str) -> str:
        done = await self.box.exec(f"DISPLAY={DISPLAY} {command}", timeout=PATIENCE_SECONDS * 4)
        return "" if done.ok else f"it cannot be done: {done.err.strip()[-SHOWN_CHARS:]}"

    def _describe(self, step: Step) -> str:
        return f"{step.do or f'expect {step.expect}'} {fill_text(step.value or step.text, self.values)}".strip()
