"""The box that a check is judged in: a fresh one for each, unless checks that follow each other say they share one."""

from __future__ import annotations

from contextlib import AsyncExitStack

from crucible.judging.applications import Applications
from crucible.judging.grading import open_grading_box
from crucible.judging.player_boxes import end_without_memory
from crucible.mining import BlobStore
from crucible.model import Task, Trajectory
from crucible.part_kinds import Part
from crucible.sandbox import Phase, Sandbox, World


class GradingBox:
    """Opened when first asked for. Whoever judges in it closes it, before a check that must have a fresh one."""

    def __init__(self, world: World, task: Task, trajectory: Trajectory, blobs: BlobStore) -> None:
        self._how = (world, task, trajectory, blobs)
        self._stack = AsyncExitStack()
        self._applications: Applications | None = None

    async def open(self, part: Part) -> Sandbox:
        """The box that is open, or a fresh one, with the network of what this verifier opens it for."""
        return (await self.open_applications(part)).box

    async def open_applications(self, part: Part) -> Applications:
        """What serves applications in the box that is open, or in a fresh one."""
        if self._applications is None:
            opening = open_grading_box(*self._how, phase=phase_of(part))
            return self._serve_in(await self._stack.enter_async_context(opening))
        return self._applications

    def _serve_in(self, box: Sandbox) -> Applications:
        """What serves applications in a box; what is open beside it is closed first."""
        self._applications = Applications(box)
        self._stack.push_async_callback(self._applications.stack.aclose)
        return self._applications

    async def begin_anew(self) -> None:
        """End what runs in the box that is open, and forget what was served there; its files stay."""
        if self._applications is not None:
            await self._applications.stack.aclose()  # a browser loses the network of a box whose processes end
            await self._applications.box.end_processes()
            self._serve_in(self._applications.box)

    async def renew(self) -> None:
        """Close the box that is open, unless nothing is left in it of what was done there since it was opened."""
        if self._applications is not None and not await self._is_as_opened(self._applications.box):
            await self.aclose()

    async def _is_as_opened(self, box: Sandbox) -> bool:
        """Whether a box holds the attempt's layer, to the byte, and no process, as the engine tells, and nothing in
        memory."""
        _, task, trajectory, blobs = self._how
        layer = trajectory.artifacts.get("layer") if task.env.leaves == "layer" else None
        if layer is None or not await end_without_memory(box):
            return False
        return (await box.collect()).archive == blobs.get(layer)

    async def aclose(self) -> None:
        """Close what is open; the next to ask gets a fresh box, in which nothing is served."""
        self._applications = None
        await self._stack.aclose()


def phase_of(part: Part) -> Phase:
    """What a verifier's box is open for."""
    return "serving" if "applications" in part.needs else "grading"


def can_share_box(one: Part, following: Part | None) -> bool:
    """Whether a verifier that follows another is judged in the box that the other used."""
    return following is not None and one.shares == following.shares == "box" and phase_of(one) == phase_of(following)
