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

LONGEST_LINE = 32 << 20
"""Bytes of a line; a longer one is an item that says so."""
TOO_LONG = '"a line of more than 32 MB"'
"""What is read in the place of a line that is too long."""
LONGEST_NAME = 200
"""Characters of an instance id, less one."""
SUFFIXES = (".jsonl", ".json", ".parquet")
"""How the names of files of rows end."""
EXPORTED_ROWS, EXPORT_MARK = "data", "manifest.json"
"""The folder of rows in an export, and the file by which one is known."""


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


def read_rows(place: ImportPlace, blobs: BlobStore) -> Iterator[Row]:
    """Every row of the file, or of the files in the folder."""
    files = [place.path]
    if place.path.is_dir():
        rows = place.path / EXPORTED_ROWS
        # of an export of ours, what lies beside its rows (manifest, lineage, tasks) is none
        folder = rows if rows.is_dir() and (place.path / EXPORT_MARK).is_file() else place.path
        files = sorted(file for file in folder.rglob("*") if file.suffix in SUFFIXES)
    if not files:
        raise CrucibleError(f"no rows in '{place.path}'", f"name a file that ends in {', '.join(SUFFIXES)}")
    for file in files:
        texts = _parquet_texts(file) if file.suffix == ".parquet" else _line_texts(file)
        for number, text in enumerate(texts, start=1):
            yield _make_row(text, f"{file.name}:{number}", place.repo)


def _make_row(text: str, where: str, repo: Path | None) -> Row:
    """The row of a text that may be anything; `where` it stands is its name when it has no instance id."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        content = None
    columns = content if isinstance(content, dict) else {}
    instance_id, repo_name = columns.get("instance_id"), columns.get("repo")
    clone = find_clone(repo_name, repo) if repo and isinstance(repo_name, str) else ""
    name = instance_id if isinstance(instance_id, str) and 0 < len(instance_id) < LONGEST_NAME else where
    return Row(name=name, text=text, clone=clone)


def find_clone(name: str, repo: Path) -> str:
    """The clone of the repository of that name: `repo` itself, or the one in the folder `repo`. Empty when there is
    none."""
    if is_repository(repo):
        return str(repo)
    pieces = name.split("/")
    if len(pieces) > 2 or not all(piece.strip(".") for piece in pieces) or "\0" in name:
        return ""
    places = [repo / "__".join(pieces), repo.joinpath(*pieces)]
    folders = [folder for place in places for folder in (place, place.with_name(f"{place.name}.git"))]
    return next((str(folder) for folder in folders if is_repository(folder)), "")


def is_repository(folder: Path) -> bool:
    """Whether a folder is a clone, a bare repository, or a written history."""
    bare = (folder / "HEAD").is_file() and (folder / "objects").is_dir()
    return (folder / ".git").exists() or bare or history.is_written_history(folder)


def _line_texts(file: Path) -> Iterator[str]:
    """The lines of a JSONL file that are not empty."""
    try:
        with file.open("rb") as opened:
            while line := opened.readline(LONGEST_LINE + 1):
                fits = len(line) <= LONGEST_LINE
                while not line.endswith(b"\n") and not fits and line:
                    line = opened.readline(LONGEST_LINE)
                if text := line.decode(errors="backslashreplace").strip():
                    yield text if fits else TOO_LONG
    except OSError as broken:
        raise CrucibleError(f"'{file}' cannot be read: {broken.strerror}") from broken


def _parquet_texts(file: Path) -> Iterator[str]:
    """The rows of a Parquet file, each as JSON."""
    try:
        with pq.ParquetFile(file) as opened:
            for batch in opened.iter_batches(batch_size=50):
                for row in batch.to_pylist():
                    yield json.dumps(row, ensure_ascii=False, default=str)
    except (OSError, pa.ArrowException) as broken:
        raise CrucibleError(f"'{file}' is no Parquet file that can be read: {broken}") from broken
