"""Writes shards as rows come, in bounded memory. Where a row group or a shard ends depends on the rows alone."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, Protocol

import pyarrow as pa
import pyarrow.parquet as pq

from crucible.errors import Rejected
from crucible.record import Record

GROUP_ROWS = 1000
GROUP_BYTES = 32 << 20
"""A row group of Parquet ends after so many rows or bytes, whichever comes first."""
SHARD_ROWS = 10_000
SHARD_BYTES = 512 << 20
"""A shard ends after so many rows or bytes, whichever comes first."""
DATA = "data"


class Shard(Record):
    """One file of the export."""

    name: str
    bytes: int
    rows: int
    sha256: str


Rows = Any
"""What an exporter yielded: a list, or a `pa.RecordBatch` where it goes into Parquet."""


class Writer(Protocol):
    """Takes what an exporter yields."""

    def add(self, rows: Rows, sizes: Sequence[int]) -> None:
        """Rows, and about how many bytes each of them is."""

    def close(self) -> list[Shard]:
        """Finish, and list the files that were written."""


@dataclass
class BackgroundWriter:
    """A thread that writes while the next rows are gathered, one thing at a time."""

    _pool: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1))
    _doing: Future[None] | None = None

    def start(self, work: Callable[..., None], *args: Any) -> None:
        """Begin this work in the thread, once the last is done."""
        self.wait()
        self._doing = self._pool.submit(work, *args)

    def wait(self) -> None:
        """Wait until the thread has done its work; what went wrong there is raised here."""
        if self._doing is not None:
            self._doing.result()
            self._doing = None


@dataclass
class ParquetFile:
    """One Parquet file, row group by row group: one is compressed while the next is gathered."""

    path: Path
    schema: pa.Schema
    background: BackgroundWriter = field(default_factory=BackgroundWriter)
    rows: int = 0
    bytes: int = 0
    _group: list[pa.RecordBatch] = field(default_factory=list)
    _group_rows: int = 0
    _group_bytes: int = 0

    def __post_init__(self) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._file = pq.ParquetWriter(self.path, self.schema, compression="zstd", write_statistics=False)

    def add(self, rows: Rows, sizes: Sequence[int]) -> None:
        while sizes:
            count, size = count_fitting(sizes, GROUP_ROWS - self._group_rows, GROUP_BYTES - self._group_bytes)
            self._group.append(rows[:count])
            self.rows, self.bytes = self.rows + count, self.bytes + size
            self._group_rows, self._group_bytes = self._group_rows + count, self._group_bytes + size
            if self._group_rows >= GROUP_ROWS or self._group_bytes >= GROUP_BYTES:
                self._flush()
            rows, sizes = rows[count:], sizes[count:]

    def close(self) -> None:
        """Write what is left; the file is whole once the background thread is done."""
        self._flush()
        self.background.start(self._file.close)

    def finish(self, root: Path) -> Shard:
        """Close the file, wait until it is whole, and describe it."""
        self.close()
        self.background.wait()
        return describe_file(root, self.path, self.rows)

    def _flush(self) -> None:
        group, self._group, self._group_rows, self._group_bytes = self._group, [], 0, 0
        if group:
            self.background.start(self._write, group)

    def _write(self, group: list[pa.RecordBatch]) -> None:
        table = pa.Table.from_batches(group, self.schema).combine_chunks()
        self._file.write_table(table, len(table))


@dataclass
class LinesFile:
    """One file of JSON lines."""

    path: Path
    rows: int = 0
    bytes: int = 0

    def __post_init__(self) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._file: BinaryIO = self.path.open("wb")

    def add(self, rows: Rows, sizes: Sequence[int]) -> None:
        for row in rows:
            self._file.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
        self.rows, self.bytes = self.rows + len(sizes), self.bytes + sum(sizes)

    def close(self) -> None:
        self._file.close()


@dataclass
class Shards:
    """Files of one shape, a new one when the last is full; numbered `-of-` once it is known of how many."""

    root: Path
    schema: pa.Schema | None = None
    """Parquet of this schema; without one, JSON lines."""
    split: str = "train"
    _files: list[ParquetFile | LinesFile] = field(default_factory=list)
    _background: BackgroundWriter = field(default_factory=BackgroundWriter)

    def add(self, rows: Rows, sizes: Sequence[int]) -> None:
        while sizes:
            file = self._open()
            count, _ = count_fitting(sizes, SHARD_ROWS - file.rows, SHARD_BYTES - file.bytes)
            file.add(rows[:count], sizes[:count])
            rows, sizes = rows[count:], sizes[count:]

    def close(self) -> list[Shard]:
        """There is at least one file, so that a trainer that is pointed at nothing loads nothing."""
        self._open()
        self._files[-1].close()
        self._background.wait()
        return [self._finish_file(number, file) for number, file in enumerate(self._files)]

    def _open(self) -> ParquetFile | LinesFile:
        full = self._files and (self._files[-1].rows >= SHARD_ROWS or self._files[-1].bytes >= SHARD_BYTES)
        if full:
            self._files[-1].close()
        if full or not self._files:
            self._files.append(self._new_file(self.root / DATA / f"{self.split}-{len(self._files)}.part"))
        return self._files[-1]

    def _new_file(self, path: Path) -> ParquetFile | LinesFile:
        return LinesFile(path) if self.schema is None else ParquetFile(path, self.schema, self._background)

    def _finish_file(self, number: int, file: ParquetFile | LinesFile) -> Shard:
        suffix = "jsonl" if self.schema is None else "parquet"
        path = file.path.with_name(f"{self.split}-{number:05}-of-{len(self._files):05}.{suffix}")
        file.path.rename(path)
        return describe_file(self.root, path, file.rows)


@dataclass
class Folder:
    """Files wherever the exporter wants them, below a folder of the export."""

    root: Path
    below: str = DATA
    """That folder; beside rows, the export's own."""
    _shards: list[Shard] = field(default_factory=list)

    def add(self, rows: Rows, sizes: Sequence[int]) -> None:
        for file in rows:
            place = self.root / self.below / check_relative_path(file.path)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(file.data)
            place.chmod(0o755 if file.executable else 0o644)
            self._shards.append(describe_file(self.root, place, 0))

    def close(self) -> list[Shard]:
        (self.root / self.below).mkdir(exist_ok=True)
        return self._shards


def count_fitting(sizes: Sequence[int], most: int, most_bytes: int) -> tuple[int, int]:
    """How many rows go in until it is full, and their bytes: the row that fills it is the last."""
    held = 0
    for count, size in enumerate(sizes[:most], start=1):
        held += size
        if held >= most_bytes:
            return count, held
    return min(most, len(sizes)), held


def describe_file(root: Path, path: Path, rows: int) -> Shard:
    """One written file as the manifest lists it: name, size, rows, sha256."""
    with path.open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    return Shard(name=path.relative_to(root).as_posix(), bytes=path.stat().st_size, rows=rows, sha256=sha256)


def check_relative_path(path: str) -> str:
    """A path that stays where it is put; a task may have been mined from anything."""
    pieces: Sequence[str] = PurePosixPath(path).parts
    if not pieces or path.startswith("/") or ".." in pieces or "\\" in path or "\0" in path:
        raise Rejected("path_leads_outside", path)
    return path
