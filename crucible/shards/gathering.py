"""What is rendered, written in order: each row to the file of its split, each attempt counted, duplicates left out."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, field
from itertools import compress
from pathlib import Path

import pyarrow as pa

from crucible.exporting import File
from crucible.shards import lineage
from crucible.shards.files import Folder, ParquetFile, Rows, Shard, Shards, Writer
from crucible.shards.manifest import Account
from crucible.shards.rendering import Portion, RenderedAttempt, Renderer

LINE = 1000
"""About how many bytes a line of lineage is."""


@dataclass
class Gathering:
    """An export under way: its files, its account, and what it has left out."""

    folder: Path
    renderer: Renderer
    account: Account = field(default_factory=Account)
    left_out: Counter[str] = field(default_factory=Counter)
    redacted: Counter[str] = field(default_factory=Counter)
    _writers: dict[str, Writer] = field(default_factory=dict)
    _seen: set[bytes] = field(default_factory=set)
    """The contents of the attempts that were written."""

    def __post_init__(self) -> None:
        self._beside = Folder(self.folder, below="")
        """The files that an exporter yielded among rows."""
        self._lineage = ParquetFile(self.folder / lineage.NAME, lineage.SCHEMA)
        self._snapshot = hashlib.sha256()

    def add(self, portion: Portion) -> None:
        """Write a portion, and count it."""
        splits = [self._choose_split(attempt) for attempt in portion.attempts]
        row_splits = [
            split for split, attempt in zip(splits, portion.attempts, strict=True) for _ in range(attempt.yielded)
        ]
        for split in sorted({split for split in row_splits if split}):
            mask = [chosen == split for chosen in row_splits]
            self._write(split, _pick(portion.rows, mask), list(compress(portion.sizes, mask)))
        lines = _pick(portion.lineage, [bool(split) for split in splits])
        self._lineage.add(lines, [LINE] * len(lines))
        for split, attempt in zip(splits, portion.attempts, strict=True):
            if split:
                self.account.enter(attempt.entry, split)
        self.left_out.update(portion.left_out + Counter({"duplicate": splits.count("")}))
        self.redacted.update(portion.redacted)
        self._snapshot.update(portion.notes)

    def close(self) -> tuple[list[Shard], Shard, str]:
        """Finish the files: the shards, the lineage, and the hash of all that was read."""
        writers = [writer for _, writer in sorted(self._writers.items())]
        shards = [shard for writer in (*writers, self._beside) for shard in writer.close()]
        return shards, self._lineage.finish(self.folder), self._snapshot.hexdigest()

    def _choose_split(self, attempt: RenderedAttempt) -> str:
        """The split that an attempt goes to; none where the same was done before at its task. A group that is
        exported with its rewards is left as it is, and so is a pair."""
        part = self.renderer.part
        if part.per == "trajectory" and not part.pairs and not self.renderer.request.judged:
            if attempt.content in self._seen:
                return ""
            self._seen.add(attempt.content)
        return choose_split(attempt.origin, self.renderer.request.splits, part.split)

    def _write(self, split: str, rows: Rows, sizes: list[int]) -> None:
        """Rows to the file of their split, files among them to their place beside it."""
        if self.renderer.part.shape == "jsonl":
            is_row = [not isinstance(row, File) for row in rows]
            self._beside.add([row for row in rows if isinstance(row, File)], ())
            rows, sizes = list(compress(rows, is_row)), list(compress(sizes, is_row))
        self._writer(split).add(rows, sizes)

    def _writer(self, split: str) -> Writer:
        if split not in self._writers:
            shards = Shards(self.folder, self.renderer.schema, split)
            self._writers[split] = Folder(self.folder) if self.renderer.part.shape == "folder" else shards
        return self._writers[split]


def choose_split(origin: str, splits: dict[str, float], rest: str = "train") -> str:
    """The split of everything that came from one origin, by the hash of its name: nothing is drawn by lot, and what
    is mined later does not move what was there. What goes to no other split goes to `rest`."""
    place = int.from_bytes(hashlib.sha256(origin.encode()).digest()[:8], "big") / 2**64
    for name, part in sorted(splits.items()):
        if place < part:
            return name
        place -= part
    return rest


def _pick(rows: Rows, mask: list[bool]) -> Rows:
    """The rows that the mask marks."""
    if all(mask):
        return rows
    return rows.filter(pa.array(mask, pa.bool_())) if isinstance(rows, pa.RecordBatch) else list(compress(rows, mask))
