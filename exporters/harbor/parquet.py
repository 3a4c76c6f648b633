"""Harbor tasks as rows: what a dataset repository holds of a task folder, as Harbor's users publish it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import TypedDict

from crucible.exporting import Judged
from crucible.mining import BlobStore
from crucible.parts import exporter
from exporters.harbor import harbor
from exporters.packing import pack_files


class Row(TypedDict):
    """One task."""

    path: str
    """The name of its folder."""
    task_binary: bytes
    """The folder as a compressed tar archive."""


@exporter("harbor-parquet", per="task", needs=("blobs",))
def harbor_parquet(judged: Judged, *, blobs: BlobStore) -> Iterator[Row]:
    """Harbor task folders as Parquet, one row per solved task: `path`, and `task_binary`, a tar.gz of the folder."""
    files = list(harbor(judged, blobs=blobs))
    folder = PurePosixPath(files[0].path).parts[0]
    inside = (file._replace(path=file.path.removeprefix(f"{folder}/")) for file in files)
    yield Row(path=folder, task_binary=pack_files(inside))
