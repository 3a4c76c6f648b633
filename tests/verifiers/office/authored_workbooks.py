"""Authored attempts at a workbook task and what must become of them.

`python -m tests.verifiers.office.authored_workbooks` judges them all and prints those that are judged otherwise.
"""

from __future__ import annotations

import asyncio
import io
import tempfile
from pathlib import Path
from typing import Literal

import openpyxl
from pydantic import Field

from crucible.datafile import read_file
from crucible.documents import Office
from crucible.domains.office.sheets.params import SheetParams
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
from verifiers.office.sheet import sheet

TABLE = Path("sample_data/cowork/attempts/workbook.toml")


class Attempt(Record):
    """One attempt; the file says what the fields mean."""

    name: str
    verdict: Literal["pass", "fail"]
    code: str = ""
    then: str = ""
    """Code that runs over the right workbook."""
    damage: str = ""
    criterion: str = ""
    evidence: str = ""


class Attempts(Record):
    """The task, and attempts at it."""

    given: str
    request: str
    answers: tuple[str, ...]
    changes: tuple[dict[str, dict[str, float | str]], ...]
    attempt: tuple[Attempt, ...] = Field(min_length=1)

    def run_code(self, code: str) -> bytes:
        """The given workbook after the code."""
        book = openpyxl.load_workbook(self.given)
        exec(code, {"book": book})  # the code is our own, from a file of this repository
        packed = io.BytesIO()
        book.save(packed)
        return packed.getvalue()

    async def make(self, attempt: Attempt, office: Office) -> bytes:
        """The file that the attempt leaves."""
        right = self.attempt[0].code
        made = self.run_code(attempt.code or f"{right}\n{attempt.then}")
        damage = getattr(damaged_files, attempt.damage) if attempt.damage else None
        changed: bytes = await damage(made, office) if damage else made
        return changed


def read_attempts() -> Attempts:
    return read_file(TABLE, Attempts)


async def judge(attempts: Attempts, attempt: Attempt, office: Office, blobs: Blobs, folder: Path) -> list[Criterion]:
    """What the verifier says of it."""
    params = SheetParams(
        path="club-accounts.xlsx",
        gold=blobs.put(attempts.run_code(attempts.attempt[0].code)),
        given=blobs.put(Path(attempts.given).read_bytes()),
        answers=attempts.answers,
        changes=attempts.changes,
    )
    task = Task(domain="cowork", kind="sheet", instruction=attempts.request, env=Env(workdir="", leaves="files"))
    agent = Agent(scaffold="native", teacher="x")
    trajectory = Trajectory(task_id=task.id, agent=agent, system="", prompt="", ended="submitted")
    box = DirectoryBox(folder)
    await box.write(params.path, await attempts.make(attempt, office))
    return [each async for each in sheet(task, trajectory, box, params=params, blobs=blobs, office=office)]


def find_fault(attempt: Attempt, criteria: list[Criterion]) -> str:
    """How the verdict differs from the one that is expected; empty when it does not."""
    failed = {each.name: each.evidence for each in criteria if not each.passed}
    if attempt.verdict == "pass":
        return f"failed: {failed}" if failed else ""
    meant = [text for name, text in failed.items() if name.startswith(attempt.criterion)]
    return "" if any(attempt.evidence in text for text in meant) else f"expected {attempt.criterion}, failed: {failed}"


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
