"""Workbooks in the office service: `python -m benchmarks.workbooks`.

A hundred small workbooks are calculated in the service, against one `soffice --convert-to` each in a box of the same
image; and one workbook of 100,000 formulas is judged, with what that takes of memory.
"""

from __future__ import annotations

import asyncio
import io
import resource
import tempfile
import time
from pathlib import Path
from random import Random

import openpyxl

from crucible.documents import Office
from crucible.domains.office.sheets.params import SheetParams
from crucible.domains.office.world import work_env
from crucible.model import Agent, Task, Trajectory
from crucible.running.run import open_run
from crucible.sandbox import Env, World
from crucible.settings import DockerSettings, Settings
from crucible.stages.services import open_services
from crucible.store.blobs import Blobs
from envs.docker.world import docker as docker_world
from pipelines.cowork.queries.library import find_table
from pipelines.cowork.queries.seeds import make_workbook
from services.office.service import BoxedOffice
from services.office.settings import OfficeSettings
from tests.agents.directory import DirectoryBox
from verifiers.office.sheet import sheet

WORKBOOKS, CONVERTED = 100, 20
"""How many the service calculates; how many are converted one by one, whose time is scaled up."""
FORMULAS = 100_000

PEAK = "cat /sys/fs/cgroup/memory.peak 2>/dev/null || cat /sys/fs/cgroup/memory/memory.max_usage_in_bytes"
"""Prints the most bytes that the box has used, in either version of control groups."""


async def main() -> None:
    with tempfile.TemporaryDirectory() as home:
        options = OfficeSettings(seconds=600, start_seconds=300)
        settings = Settings(home=Path(home), docker=DockerSettings(pool=0), sections={"office": options})
        with open_run(settings) as run:
            async with open_services(run) as services:
                office = await services.get("office")
                served = await measure_service(office)
                await measure_large(office, Blobs(settings.blobs), Path(home))
        async with docker_world(settings, Blobs(settings.blobs)) as world:
            converted = await measure_conversions(world)
    print(f"{WORKBOOKS} workbooks: {served:.1f} s in the service, {converted:.1f} s by soffice --convert-to each")
    print(f"{converted / served:.1f} times as fast; 5 are wanted")


def make_small(number: int) -> bytes:
    return make_workbook(find_table("orders"), 40, Random(number))


async def measure_service(office: Office) -> float:
    """Seconds for all of them, once the suite runs."""
    await office.calculate(make_small(0))
    started = time.perf_counter()
    for number in range(WORKBOOKS):
        await office.calculate(make_small(number))
    return time.perf_counter() - started


async def measure_conversions(world: World) -> float:
    """Seconds for as many by a program that is started anew for each."""
    async with world.open(work_env({}, ())) as box:
        started = time.perf_counter()
        for number in range(CONVERTED):
            await box.write("in.xlsx", make_small(number))
            done = await box.exec("soffice --headless --convert-to xlsx --outdir out in.xlsx", timeout=300)
            assert done.ok, done.err
        return (time.perf_counter() - started) * WORKBOOKS / CONVERTED


async def measure_large(office: BoxedOffice, blobs: Blobs, folder: Path) -> None:
    """Judge the right answer to a task on a workbook of 100,000 formulas."""
    given, gold = make_large(answered=False), make_large(answered=True)
    params = SheetParams(
        path="large.xlsx",
        gold=blobs.put(gold),
        given=blobs.put(given),
        answers=("Sums!C1:C10000",),
        changes=({"Sums": {"A5": 7}},),
    )
    task = Task(domain="cowork", kind="sheet", instruction="add up", env=Env(workdir="", leaves="files"))
    agent = Agent(scaffold="native", teacher="oracle")
    attempt = Trajectory(task_id=task.id, agent=agent, system="", prompt="", ended="submitted")
    box = DirectoryBox(folder)
    await box.write(params.path, gold)
    started = time.perf_counter()
    found = [each async for each in sheet(task, attempt, box, params=params, blobs=blobs, office=office)]
    seconds = time.perf_counter() - started
    [worker] = office.workers
    assert worker.box is not None
    peak = int((await worker.box.exec(PEAK)).out) >> 20
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    failed = [each.name for each in found if not each.passed] or "none"
    print(f"{FORMULAS} formulas judged in {seconds:.0f} s, {peak} MB in the box, {own} MB here; failed: {failed}")


def make_large(*, answered: bool) -> bytes:
    """Rows of ten columns; nine of formulas, or ten."""
    book = openpyxl.Workbook()
    page = book.active
    page.title = "Sums"
    for row in range(1, FORMULAS // 10 + 1):
        formulas = [f"=A{row}*{factor}+B{row}" for factor in range(9)]
        page.append([row % 97, row % 13, f"=A{row}+B{row}" if answered else None, *formulas])
    packed = io.BytesIO()
    book.save(packed)
    return packed.getvalue()


if __name__ == "__main__":
    asyncio.run(main())
