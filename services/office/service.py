"""Opens the office suite: LibreOffice kept warm in boxes without network, with a profile that always recalculates."""

from __future__ import annotations

import asyncio
import io
import json
import re
import tarfile
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import cache
from pathlib import Path
from typing import Any

from crucible import parts
from crucible.documents import CellChanges, PrintedPage, Word
from crucible.domains.office.world import PYTHON, office_recipe
from crucible.errors import DocumentFailed
from crucible.mining import BlobStore
from crucible.record import Json
from crucible.sandbox import Env, Limits, Recipe, World
from crucible.serving import OpenWorld
from crucible.settings import Settings
from services.office.settings import OfficeSettings
from services.office.worker import FOLDER, LARGEST_FILE_BYTES, OfficeWorker

HERE = Path(__file__).parent
BOX_FILES = tuple(sorted(file.name for file in (HERE / "box").iterdir() if file.is_file()))
READERS = {"xlsx": "describe_workbook.py", "pptx": "describe_deck.py"}
"""What reads a file without the suite, by its suffix."""
CROSS_CHECK = (
    f"(ulimit -v 4000000; timeout -s KILL 40 {PYTHON}/python /opt/office/cross_check.py in.xlsx sets.json out.part"
    " && mv out.part out.json) || true"
)
"""The second engine may crash or hang; that is no fault of the suite, which is not to be replaced for it."""
SUFFIX = re.compile(r"[a-z0-9]{1,8}")
# matches: xlsx


class BoxedOffice:
    """Office suites in boxes. Implements `crucible.documents.Office`."""

    def __init__(self, workers: list[OfficeWorker]) -> None:
        self.workers = tuple(workers)
        self._free: asyncio.Queue[OfficeWorker] = asyncio.Queue()
        for worker in workers:
            self._free.put_nowait(worker)

    async def recalculate(self, workbook: bytes) -> bytes:
        """The workbook with every formula calculated anew."""
        return await self.convert(workbook, "xlsx", "xlsx")

    async def convert(self, document: bytes, source: str, target: str) -> bytes:
        """The document in another format."""
        _check_suffixes(source, target)
        async with self._worker() as worker:
            program = ("suite", "convert.py", f"in.{source}", f"out.{target}")
            box = await worker.run({f"in.{source}": document}, program)
            return await box.read(f"{FOLDER}/out.{target}", limit=LARGEST_FILE_BYTES)

    async def print_pages(self, document: bytes, source: str, *, dpi: int = 80, most: int = 20) -> list[PrintedPage]:
        """The first pages: pictures, and where each word stands."""
        _check_suffixes(source)
        printing = ("suite", "convert.py", f"in.{source}", "in.pdf")
        reading = ("readers", "read_pages.py", "in.pdf", "pages.tar", str(dpi), str(most))
        programs = [reading] if source == "pdf" else [printing, reading]
        async with self._worker() as worker:
            box = await worker.run({f"in.{source}": document}, *programs)
            packed = await box.read(f"{FOLDER}/pages.tar", limit=LARGEST_FILE_BYTES)
        return await asyncio.to_thread(unpack_pages, packed)

    async def render_pages(self, document: bytes, source: str, *, dpi: int = 80, most: int = 20) -> list[bytes]:
        """The first pages as pictures."""
        return [page.picture for page in await self.print_pages(document, source, dpi=dpi, most=most)]

    async def calculate(self, workbook: bytes, sets: Sequence[CellChanges] = ()) -> list[Json]:
        """The values of all cells, as the workbook came and after each set of changes."""
        async with self._worker() as worker:
            program = ("suite", "calculate.py", "in.xlsx", "sets.json", "out.json")
            box = await worker.run(_pack_sets(workbook, sets), program)
            found: list[Json] = json.loads(await box.read(f"{FOLDER}/out.json", limit=LARGEST_FILE_BYTES))
            return found

    async def cross_check(self, workbook: bytes, sets: Sequence[CellChanges] = ()) -> list[Json] | None:
        """The values of formulas by the second engine; None where it crashed, hung, or could not read the file."""
        async with self._worker() as worker:
            box = await worker.run(_pack_sets(workbook, sets), then=CROSS_CHECK)
            try:
                found: list[Json] = json.loads(await box.read(f"{FOLDER}/out.json", limit=LARGEST_FILE_BYTES))
            except FileNotFoundError:
                return None
            return found

    async def describe(self, document: bytes, source: str) -> Json:
        """What the file holds, read without the suite."""
        if source not in READERS:
            raise DocumentFailed(f"a file '.{source}' is not read; these are: {', '.join(READERS)}")
        async with self._worker() as worker:
            box = await worker.run({f"in.{source}": document}, ("readers", READERS[source], f"in.{source}", "out.json"))
            found: Json = json.loads(await box.read(f"{FOLDER}/out.json", limit=LARGEST_FILE_BYTES))
            return found

    @asynccontextmanager
    async def _worker(self) -> AsyncIterator[OfficeWorker]:
        """A worker that nobody else uses meanwhile."""
        worker = await self._free.get()
        try:
            yield worker
        finally:
            self._free.put_nowait(worker)


def unpack_pages(packed: bytes) -> list[PrintedPage]:
    """What `box/read_pages.py` wrote. It is one file, because each file that is fetched from a box takes its time."""
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:

        def read(name: str) -> bytes:
            entry = archive.extractfile(name)
            return entry.read() if entry else b""

        facts: list[dict[str, Any]] = json.loads(read("words.json"))
        return [
            PrintedPage(
                picture=read(f"{number}.png"),
                width=page["width"],
                height=page["height"],
                words=tuple(Word.model_validate(word) for word in page["words"]),
            )
            for number, page in enumerate(facts)
        ]


def _pack_sets(workbook: bytes, sets: Sequence[CellChanges]) -> dict[str, bytes]:
    """The files that a calculation reads."""
    return {"in.xlsx": workbook, "sets.json": json.dumps(list(sets)).encode()}


def _check_suffixes(*suffixes: str) -> None:
    """A suffix becomes part of a file's name in the box."""
    for suffix in suffixes:
        if not SUFFIX.fullmatch(suffix):
            raise DocumentFailed(f"'{suffix}' is no suffix of a file")


@cache
def service_recipe() -> Recipe:
    """The image of the service's box: that of office work, and the programs that use the suite."""
    files = {f"/opt/office/{name}": (HERE / "box" / name).read_text() for name in BOX_FILES}
    return office_recipe().model_copy(update={"files": files})


def office_env(settings: OfficeSettings) -> Env:
    """The box a suite runs in."""
    limits = Limits(cpus=2.0, memory_mb=settings.memory_mb, pids=512, seconds=settings.seconds)
    return Env(recipe=service_recipe(), limits=limits)


@parts.service("office", version=4, identity=lambda settings: service_recipe())
@asynccontextmanager
async def office(settings: Settings, blobs: BlobStore, open_world: OpenWorld) -> AsyncIterator[BoxedOffice]:
    """LibreOffice kept warm in a box without network: `crucible.documents.Office`."""
    options = settings.section(OfficeSettings)
    world: World = await open_world("docker")
    await world.prepare(office_env(options))
    async with AsyncExitStack() as stack:
        workers = [OfficeWorker(world, office_env(options), options, stack) for _ in range(options.workers)]
        yield BoxedOffice(workers)
