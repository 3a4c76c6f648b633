"""Questions joined with their answers, however far apart in the file: an index on disk, filled in one pass.

A pass that was interrupted goes on where it stopped. What is held in memory is a bit for each question that
is not wanted.
"""

from __future__ import annotations

import hashlib
import logging
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from crucible.errors import StoreError
from pipelines.terminal.posts.rows import ANSWER, QUESTION, UNTYPED, RawRow, open_posts, read_rows

log = logging.getLogger(__name__)

SAVE_SECONDS = 10.0
"""How often the pass is made safe, and told of."""
TABLES = """
CREATE TABLE IF NOT EXISTS question (number INTEGER PRIMARY KEY, row BLOB);
CREATE TABLE IF NOT EXISTS answer (number INTEGER PRIMARY KEY, parent INTEGER, row BLOB);
CREATE INDEX IF NOT EXISTS answers ON answer (parent);
CREATE TABLE IF NOT EXISTS broken (offset INTEGER PRIMARY KEY, row BLOB);
CREATE TABLE IF NOT EXISTS progress (id INTEGER PRIMARY KEY, offset INTEGER, ended INTEGER, unwanted BLOB);
"""

IsWanted = Callable[[RawRow], bool]
"""Whether a question is this pipeline's material at all."""


class NumberSet:
    """A set of numbers as bits: eighty million of them take ten megabytes."""

    def __init__(self, bits: bytes = b"") -> None:
        self.bits = bytearray(bits)

    def add(self, number: int) -> None:
        place = number >> 3
        if place >= len(self.bits):
            self.bits.extend(bytes(place + 1 - len(self.bits) + (place >> 3)))
        self.bits[place] |= 1 << (number & 7)

    def __contains__(self, number: int) -> bool:
        place = number >> 3
        return place < len(self.bits) and bool(self.bits[place] >> (number & 7) & 1)


class IndexedThread(NamedTuple):
    """The rows of one question and of its answers."""

    number: int
    question: bytes
    answers: list[bytes]


class PostIndex:
    """The index of one dump. Open it with `open_index`."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database
        self._database.executescript(TABLES)
        row = database.execute("SELECT offset, ended, unwanted FROM progress").fetchone()
        self._offset: int = row[0] if row else 0
        self.ended: int = row[1] if row else 0
        self._unwanted = NumberSet(row[2] if row else b"")

    def fill(self, path: Path, is_wanted: IsWanted) -> None:
        """Read the rest of the dump into the index."""
        if self.ended:
            return
        saved = time.monotonic()
        with open_posts(path, self._offset) as stream:
            for row in read_rows(stream, self._offset):
                self._add(row, is_wanted)
                self._offset = row.next_offset
                if time.monotonic() - saved > SAVE_SECONDS:
                    self._save()
                    saved = time.monotonic()
                    log.info("%s: %.2f GB read", path.name, self._offset / 1e9)
        self._database.execute("DELETE FROM answer WHERE parent NOT IN (SELECT number FROM question)")
        self.ended = 1
        self._save()

    @property
    def has_rows(self) -> bool:
        """Whether anything in what was read is a row of a dump."""
        return self._offset > 0

    def threads(self, after: int = 0) -> Iterator[IndexedThread]:
        """The wanted questions behind a number, in the order of their numbers, each with its answers."""
        questions = self._database.execute(
            "SELECT number, row FROM question WHERE number > ? ORDER BY number", (after,)
        )
        for number, question in questions:
            answers = self._database.execute("SELECT row FROM answer WHERE parent = ? ORDER BY number", (number,))
            yield IndexedThread(number, question, [row for (row,) in answers])

    def broken_rows(self) -> list[tuple[int, bytes]]:
        """The rows that tell neither what they are nor their number, by where they end in the file."""
        return self._database.execute("SELECT offset, row FROM broken ORDER BY offset").fetchall()

    def _add(self, row: RawRow, is_wanted: IsWanted) -> None:
        kind, number = row.post_type, row.number
        if kind == UNTYPED or not number:
            self._database.execute("INSERT OR IGNORE INTO broken VALUES (?, ?)", (row.next_offset, row.text[:2000]))
        elif kind == QUESTION and is_wanted(row):
            self._database.execute("INSERT OR IGNORE INTO question VALUES (?, ?)", (number, row.text))
        elif kind == QUESTION:
            self._unwanted.add(number)
        elif kind == ANSWER and row.parent not in self._unwanted:  # its question may still come
            self._database.execute("INSERT OR IGNORE INTO answer VALUES (?, ?, ?)", (number, row.parent, row.text))

    def _save(self) -> None:
        progress = (self._offset, self.ended, bytes(self._unwanted.bits))
        self._database.execute("INSERT OR REPLACE INTO progress VALUES (1, ?, ?, ?)", progress)
        self._database.commit()


@contextmanager
def open_index(path: Path, folder: Path) -> Iterator[PostIndex]:
    """The index of a dump, in a folder for such: another one when the dump's file is no longer the same."""
    facts = path.stat()
    name = hashlib.sha256(f"{path.resolve()} {facts.st_size} {facts.st_mtime_ns}".encode()).hexdigest()[:16]
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with closing(sqlite3.connect(folder / f"{name}.sqlite", check_same_thread=False)) as database:
            yield PostIndex(database)
    except sqlite3.Error as fault:
        raise StoreError(f"the index of {path} cannot be used: {fault}", f"remove {folder / name}.sqlite") from fault
