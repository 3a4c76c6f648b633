"""The importer `harbor`: a task's folder, a folder of them, or a zip file of either."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from crucible.errors import Rejected
from crucible.importing import Import
from crucible.mining import Stage, Workshop
from crucible.model import Task
from crucible.parts import importer
from pipelines.harbor.content import Content
from pipelines.harbor.folder import Folder, folders
from pipelines.harbor.task import draft


@importer("harbor")
def harbor() -> Import:
    """Harbor task folders (schema 1.x), as they are or zipped."""
    return Import(read=folders, stages=(Stage("read", Folder, taken),))


async def taken(folder: Folder, shop: Workshop) -> Sequence[Task]:
    """The folder's draft, or the reason why there is none."""
    if folder.refused:
        raise Rejected(folder.refused, folder.detail)
    return [await asyncio.to_thread(_draft, folder, shop)]


def _draft(folder: Folder, shop: Workshop) -> Task:
    files = {path: shop.blobs.get(stored.blob) for path, stored in folder.files.items()}
    programs = frozenset(path for path, stored in folder.files.items() if stored.executable)
    return draft(folder.name, Content(files, programs), shop.blobs)
