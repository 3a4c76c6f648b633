"""The episodes of one server, by the ids that trainers gave them; those that nobody asks about are closed."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from crucible.episodes.episode import Episode
from crucible.episodes.records import Opening
from crucible.errors import Rejected
from crucible.model import Agent, Task
from crucible.running.run import Run
from crucible.stages.rollout import agent_for_task
from crucible.stages.services import OpenServices, open_services
from crucible.store.threads import in_thread

log = logging.getLogger(__name__)

LOOK_SECONDS = 5.0
"""How often is looked for abandoned episodes."""


@dataclass
class Episodes:
    """Opens episodes, finds them again, and closes them."""

    opened: OpenServices
    slots: asyncio.Semaphore
    by_id: dict[str, Episode] = field(default_factory=dict)

    async def open(self, id: str, opening: Opening) -> Episode:
        """The episode of that id, begun if it is new: a trainer whose connection broke asks again."""
        if id not in self.by_id:
            task = await self._find_task(opening)
            agent = Agent(scaffold=opening.scaffold, teacher="policy", seed=opening.seed)
            agent = agent_for_task(agent, task, self.opened.run.settings)
            self.by_id.setdefault(id, Episode(id, task, agent, self.opened, self.slots))
        return self.by_id[id]

    def find(self, id: str) -> Episode:
        if id not in self.by_id:
            raise Rejected("no_episode", f"no episode is called {id}: it was closed, or the server was started again")
        return self.by_id[id]

    async def close(self, id: str) -> None:
        """End an episode and forget it; one that is not there is closed already."""
        if episode := self.by_id.pop(id, None):
            await episode.close()

    async def close_abandoned(self, lease_seconds: float) -> None:
        """Close the episodes that nobody has asked about for so long."""
        now = time.monotonic()
        for id, episode in list(self.by_id.items()):
            if now - episode.touched > lease_seconds:
                log.info("nobody asks about the episode %s any more: it is closed", id)
                await self.close(id)

    async def _find_task(self, opening: Opening) -> Task:
        if opening.task is not None:
            return refuse_foreign_parts(opening.task)
        item = await in_thread(self.opened.run.ledger.get, "task", opening.task_id)
        if item is None:
            raise Rejected("no_task", f"the ledger has no sound task '{opening.task_id}'")
        return item.record(Task)


def refuse_foreign_parts(task: Task) -> Task:
    """The task; Rejected where it names parts by module. A row may come from anywhere, and a module that it names would
    be imported here."""
    named = [task.env.name, *(check.verifier for check in task.checks)]
    if foreign := [name for name in named if ":" in name]:
        raise Rejected("foreign_part", f"the task of a row may not name {foreign[0]}")
    return task


@asynccontextmanager
async def open_episodes(run: Run) -> AsyncIterator[Episodes]:
    """A place for episodes, `limits.boxes` of them in boxes at once; all are closed at the end of the block."""
    async with open_services(run) as opened:
        episodes = Episodes(opened, asyncio.Semaphore(run.settings.limits.boxes))
        watch = asyncio.create_task(_watch(episodes, run.settings.limits.lease_seconds))
        try:
            yield episodes
        finally:
            watch.cancel()
            for id in list(episodes.by_id):
                await episodes.close(id)


async def _watch(episodes: Episodes, lease_seconds: float) -> None:
    while True:
        await asyncio.sleep(min(LOOK_SECONDS, lease_seconds))
        await episodes.close_abandoned(lease_seconds)
