"""The ledger against raw SQL: `python -m benchmarks.ledger`.

The same items go through the same three stages in chunks of the same size, once through the ledger and once
through the sqlite3 module with the ledger's own tables, in turns, so that a busy machine slows both alike.
"""

from __future__ import annotations

import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing
from pathlib import Path

from rich.console import Console
from rich.table import Table

from crucible.store.blobs import Blobs
from crucible.store.item import Item
from crucible.store.ledger import Ledger, open_ledger

ITEMS = 100_000
"""Items that go through the stages."""
ROUNDS = 10
"""Turns in which the items are worked on, by the ledger and by plain SQL."""
CHUNK = 250
"""Items of one transaction."""
STAGES = ("one", "two", "three")
BODY = '{"instruction":"' + "mend it " * 20 + '"}'
CLAIMS = 200
"""Single claims that are timed."""

CLAIM = """UPDATE work SET state = 'claimed', owner = 'me', ready_at = ?, attempts = attempts + 1
WHERE stage = ? AND item IN (SELECT item FROM work WHERE stage = ? AND ready_at <= ? ORDER BY ready_at, item LIMIT ?)
RETURNING item"""
CLOSE = "UPDATE work SET state = 'done', owner = '', ready_at = NULL WHERE item = ? AND stage = ?"
ADD = "INSERT INTO item (noun, id, pipeline, parent, digest, body) VALUES (?, ?, 'p', '', '', ?) ON CONFLICT DO NOTHING"
QUEUE = """INSERT INTO work SELECT sequence, ?, pipeline, 'todo', '', ?, 0, '' FROM item WHERE noun = ? AND id = ?
ON CONFLICT DO NOTHING"""


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        ours, theirs = measure_in_turns(Path(folder, "ours"), Path(folder, "raw"))
        few, many = measure_claims(Path(folder, "few"), Path(folder, "ours"))
    table = Table("what", "", "against", "", "ratio", "wanted", box=None)
    rates = [3 * ITEMS / seconds for seconds in (ours, theirs)]
    row = ("items a second, three stages", f"{rates[0]:,.0f}", "raw sqlite3", f"{rates[1]:,.0f}")
    table.add_row(*row, f"{rates[0] / rates[1]:.2f}", "at least 0.33")
    row = (f"one claim, {3 * ITEMS:,} finished", f"{many * 1e3:.2f} ms", "1,000 finished", f"{few * 1e3:.2f} ms")
    table.add_row(*row, f"{many / few:.2f}", "about 1")
    Console().print(table)


def measure_in_turns(ours: Path, raw: Path) -> tuple[float, float]:
    """Seconds for all items through all stages, by the ledger and by plain SQL."""
    seconds = {"ours": 0.0, "raw": 0.0}
    with open_at(raw):
        pass  # the same tables and indexes
    with open_at(ours) as ledger, closing(sqlite3.connect(raw / "ledger.sqlite", isolation_level=None)) as plain:
        plain.execute("PRAGMA journal_mode=WAL")
        plain.execute("PRAGMA foreign_keys=ON")
        for turn in range(ROUNDS):
            numbers = range(turn * ITEMS // ROUNDS, (turn + 1) * ITEMS // ROUNDS)
            seconds["ours"] += measure_seconds(lambda numbers=numbers: work_through_ledger(ledger, numbers))  # type: ignore[misc]
            seconds["raw"] += measure_seconds(lambda numbers=numbers: work_through_sqlite(plain, numbers))  # type: ignore[misc]
    return seconds["ours"], seconds["raw"]


def measure_seconds(action: Callable[[], object]) -> float:
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def open_at(home: Path) -> AbstractContextManager[Ledger]:
    return open_ledger(f"sqlite:///{home}/ledger.sqlite", Blobs(str(home / "blobs")))


def work_through_ledger(ledger: Ledger, numbers: range) -> None:
    for chunk in split_into_chunks(numbers):
        ledger.put([Item(noun="one", id=f"i{number}", body=BODY, pipeline="p") for number in chunk], "one")
    for stage, then in zip(STAGES, (*STAGES[1:], ""), strict=True):
        while claims := ledger.claim(stage, CHUNK):
            finished = [(claim, [claim.item.model_copy(update={"noun": then})] if then else []) for claim in claims]
            ledger.finish_all(finished, then)


def work_through_sqlite(raw: sqlite3.Connection, numbers: range) -> None:
    for chunk in split_into_chunks(numbers):
        rows = [(f"i{number}", BODY) for number in chunk]
        in_transaction(raw, lambda rows=rows: put_rows(raw, "one", rows))  # type: ignore[misc]
    for stage, then in zip(STAGES, (*STAGES[1:], ""), strict=True):
        while work_on_chunk(raw, stage, then):
            pass


def put_rows(raw: sqlite3.Connection, stage: str, rows: list[tuple[str, str]]) -> None:
    raw.executemany(ADD, [(stage, id, body) for id, body in rows])
    raw.executemany(QUEUE, [(stage, time.time(), stage, id) for id, _ in rows])


def work_on_chunk(raw: sqlite3.Connection, stage: str, then: str) -> int:
    """Claim in one transaction, close in another, as a stage does."""
    rows: list[tuple[int, str, str]] = []

    def claim() -> None:
        claimed = raw.execute(CLAIM, (time.time() + 900, stage, stage, time.time(), CHUNK)).fetchall()
        marks = ",".join("?" * len(claimed))
        query = f"SELECT sequence, id, body FROM item WHERE sequence IN ({marks})"
        rows.extend(raw.execute(query, [sequence for (sequence,) in claimed]).fetchall())

    def finish() -> None:
        raw.executemany(CLOSE, [(sequence, stage) for sequence, _, _ in rows])
        if then:
            put_rows(raw, then, [(id, body) for _, id, body in rows])

    in_transaction(raw, claim)
    in_transaction(raw, finish)
    return len(rows)


def in_transaction(raw: sqlite3.Connection, action: Callable[[], None]) -> None:
    raw.execute("BEGIN IMMEDIATE")
    action()
    raw.execute("COMMIT")


def measure_claims(few: Path, many: Path) -> tuple[float, float]:
    """The median seconds of claiming one item, in turns: with 1,000 finished, and with all there are in the other."""
    with open_at(few) as small, open_at(many) as large:
        work_through_ledger(small, range(1_000))
        ledgers: dict[Ledger, list[float]] = {small: [], large: []}
        for ledger in ledgers:
            ledger.put([Item(noun="more", id=f"m{number}", body=BODY) for number in range(CLAIMS)], "one")
        for _ in range(CLAIMS):
            for ledger, seconds in ledgers.items():
                seconds.append(measure_seconds(lambda ledger=ledger: ledger.claim("one")))  # type: ignore[misc]
    first, second = map(statistics.median, ledgers.values())
    return first, second


def split_into_chunks(numbers: range) -> Iterator[range]:
    for start in range(0, len(numbers), CHUNK):
        yield numbers[start : start + CHUNK]


if __name__ == "__main__":
    main()
