"""Authored attempts at an edit of a deck, and what must become of them.

`python -m tests.verifiers.office.authored_decks` judges them all and prints those that are judged otherwise.
"""

from __future__ import annotations

import asyncio
import io
import tempfile
from pathlib import Path

from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.text import MSO_AUTO_SIZE
from pptx.util import Inches, Pt
from pydantic import Field

from crucible.datafile import read_file
from crucible.documents import Office
from crucible.domains.office.decks.params import DeckLooksParams, DeckParams
from crucible.model import Agent, Criterion, Task, Trajectory
from crucible.record import Record
from crucible.running.run import open_run
from crucible.sandbox import Env
from crucible.settings import DockerSettings, Settings
from crucible.stages.services import open_services
from crucible.store.blobs import Blobs
from services.office.settings import OfficeSettings
from tests.agents.directory import DirectoryBox
from tests.verifiers.office import damaged_files
from tests.verifiers.office.authored_workbooks import Attempt, find_fault
from verifiers.office.deck import deck as judge_edit
from verifiers.office.deck_looks import deck_looks

TABLE = Path("sample_data/cowork/attempts/deck.toml")
AT_HAND = {"CategoryChartData": CategoryChartData, "Inches": Inches, "MSO_AUTO_SIZE": MSO_AUTO_SIZE, "Pt": Pt}


class DeckAttempts(Record):
    """The task, and attempts at it."""

    given: str
    request: str
    attempt: tuple[Attempt, ...] = Field(min_length=1)

    def run_code(self, code: str) -> bytes:
        """The given deck after the code."""
        deck = Presentation(self.given)
        exec(code, {"deck": deck, **AT_HAND})  # the code is our own, from a file of this repository
        packed = io.BytesIO()
        deck.save(packed)
        return packed.getvalue()

    async def make(self, attempt: Attempt, office: Office) -> bytes:
        """The file that the attempt leaves."""
        made = self.run_code(attempt.code or f"{self.attempt[0].code}\n{attempt.then}")
        damage = getattr(damaged_files, attempt.damage) if attempt.damage else None
        changed: bytes = await damage(made, office) if damage else made
        return changed


def read_attempts() -> DeckAttempts:
    return read_file(TABLE, DeckAttempts)


async def judge(
    attempts: DeckAttempts, attempt: Attempt, office: Office, blobs: Blobs, folder: Path
) -> list[Criterion]:
    """What both verifiers of edits say of it."""
    given, gold = blobs.put(Path(attempts.given).read_bytes()), blobs.put(attempts.run_code(attempts.attempt[0].code))
    task = Task(domain="cowork", kind="deck", instruction=attempts.request, env=Env(workdir="", leaves="files"))
    agent = Agent(scaffold="native", teacher="x")
    trajectory = Trajectory(task_id=task.id, agent=agent, system="", prompt="", ended="submitted")
    box = DirectoryBox(folder)
    await box.write("deck.pptx", await attempts.make(attempt, office))
    edit = DeckParams(path="deck.pptx", given=given, gold=gold)
    looks = DeckLooksParams(path="deck.pptx", before=(given, gold))
    return [
        *[each async for each in judge_edit(task, trajectory, box, params=edit, blobs=blobs, office=office)],
        *[each async for each in deck_looks(task, trajectory, box, params=looks, blobs=blobs, office=office)],
    ]


async def main() -> None:
    with tempfile.TemporaryDirectory() as home:
        options = OfficeSettings(seconds=300, start_seconds=300)
        settings = Settings(home=Path(home), docker=DockerSettings(pool=0), sections={"office": options})
        with open_run(settings) as run:
            async with open_services(run) as services:
                office: Office = await services.get("office")
                attempts = read_attempts()
                for attempt in attempts.attempt:
                    found = await judge(attempts, attempt, office, Blobs(f"{home}/blobs"), Path(home))
                    print(f"{attempt.name}: {find_fault(attempt, found) or 'as expected'}", flush=True)


if __name__ == "__main__":
    asyncio.run(main())
