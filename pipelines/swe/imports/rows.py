"""Rows of a JSONL or Parquet file, as raw items: each with the clone of its repository, none of them believed yet."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from crucible.errors import CrucibleError
from crucible.mining import BlobStore, ImportPlace
from crucible.record import Record, digest
from pipelines.swe.repository import history

LONGEST = 32 << 20
"""Bytes of a line; a longer one is an item that says so."""
TOO_LONG = '"a line of more than 32 MB"'


class Row(Record):
    """One row as it was written."""

    name: str
    """Its instance id, or where it stands when it has none."""
    text: str
    """JSON, or what stood in its place."""
    clone: str = ""
    """Where its repository is; empty when it was not found."""

    @property
    def id(self) -> str:
        return f"swe-bench:{self.name}@{digest(self.text, self.clone)[:12]}"


def rows(place: ImportPlace, blobs: BlobStore) -> Iterator[Row]:
    """Every row of the file, or of the files in the folder."""
    known = (".jsonl", ".json", ".parquet")
    found = sorted(one for one in place.path.rglob("*") if one.suffix in known) if place.path.is_dir() else [place.path]
    if not found:
        raise CrucibleError(f"no rows in '{place.path}'", f"name a file that ends in {', '.join(known)}")
    for file in found:
        texts = _parquet(file) if file.suffix == ".parquet" else _lines(file)
        for number, text in enumerate(texts, start=1):
            yield _row(text, f"{file.name}:{number}", place.repo)


def _row(text: str, where: str, repo: Path | None) -> Row:
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        told = None
    said = told if isinstance(told, dict) else {}
    name, called = said.get("instance_id"), said.get("repo")
    clone = clone_of(called, repo) if repo and isinstance(called, str) else ""
    return Row(name=name if isinstance(name, str) and 0 < len(name) < 200 else where, text=text, clone=clone)


def clone_of(name: str, repo: Path) -> str:
    """The clone of that name: the one that was given, or one of the folder's. Empty when there is none."""
    if is_repository(repo):
        return str(repo)
    pieces = name.split("/")
    if len(pieces) > 2 or not all(piece.strip(".") for piece in pieces) or "\0" in name:
        return ""
    places = [repo / "__".join(pieces), repo.joinpath(*pieces)]
    ways = [way for place in places for way in (place, place.with_name(f"{place.name}.git"))]
    return next((str(way) for way in ways if is_repository(way)), "")


def is_repository(folder: Path) -> bool:
    """A clone, a bare repository, or a written history."""
    bare = (folder / "HEAD").is_file() and (folder / "objects").is_dir()
    return (folder / ".git").exists() or bare or history.is_written_history(folder)


def _lines(file: Path) -> Iterator[str]:
    try:
        with file.open("rb") as opened:
            while line := opened.readline(LONGEST + 1):
                whole = len(line) <= LONGEST
                while not line.endswith(b"\n") and not whole and line:
                    line = opened.readline(LONGEST)
                if text := line.decode(errors="backslashreplace").strip():
                    yield text if whole else TOO_LONG
    except OSError as broken:
        raise CrucibleError(f"'{file}' cannot be read: {broken.strerror}") from broken


def _parquet(file: Path) -> Iterator[str]:
    try:
        with pq.ParquetFile(file) as opened:
            for batch in opened.iter_batches(batch_size=50):
                for row in batch.to_pylist():
                    yield json.dumps(row, ensure_ascii=False, default=str)
    except (OSError, pa.ArrowException) as broken:
        raise CrucibleError(f"'{file}' is no Parquet file that can be read: {broken}") from broken
