"""The importer `harbor`: a task's folder, a folder of them, or a zip file of either."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from crucible.errors import Rejected
from crucible.mining import Importer, MiningContext, Pipeline, Stage
from crucible.model import Task
from crucible.parts import importer
from pipelines.harbor.content import Content
from pipelines.harbor.folder import Folder, read_folders
from pipelines.harbor.task import read_draft


@importer("harbor")
def harbor() -> Importer:
    """Harbor task folders (schema 1.x), as they are or zipped."""
    return Importer(read_folders, Pipeline("harbor", stages=(Stage("read", Folder, make_draft),)))


async def make_draft(folder: Folder, context: MiningContext) -> Sequence[Task]:
    """The draft of a folder. Rejected with the reason that it was refused for."""
    if folder.refused:
        raise Rejected(folder.refused, folder.detail)
    return [await asyncio.to_thread(_load_draft, folder, context)]


def _load_draft(folder: Folder, context: MiningContext) -> Task:
    files = {path: context.blobs.get(stored.blob) for path, stored in folder.files.items()}
    programs = frozenset(path for path, stored in folder.files.items() if stored.executable)
    return read_draft(folder.name, Content(files, programs), context.blobs)
