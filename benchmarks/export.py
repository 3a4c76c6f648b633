"""Export against a bare pyarrow write of the same rows: `python -m benchmarks.export`.

Ours begins at the ledger (read, accept, filter, wash, render, write, hash); theirs begins with the rows already
in memory as Python dictionaries, and only writes them: messages, which the shard holds as JSON, are dumped on the way.
Both take turns. Ours has a process of its own, whose memory
does not hold those rows; the peak of such a process is what 200,000 attempts take.
"""

from __future__ import annotations

import asyncio
import gc
import json
import random
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from rich.console import Console
from rich.table import Table

from crucible import parts
from crucible.judging.judges import params_hash
from crucible.judging.reading import AttemptReader
from crucible.model import Agent, Check, Observation, Step, Task, ToolCall, Trajectory, Verdict
from crucible.running.run import Run, open_run
from crucible.settings import Settings
from crucible.shards.files import GROUP_ROWS
from crucible.shards.manifest import Request
from crucible.shards.schema import schema_of
from crucible.stages import export
from crucible.store.database import write_transaction
from crucible.store.item import Item, to_row
from crucible.store.tables import item, verdict

Row = tuple[str, float, str, float, str]
"""What, its seconds, against what, that one's seconds, what is wanted of the ratio."""

ROUNDS = 5
"""How often each export is timed."""
SPEED_ATTEMPTS = 40_000
"""Attempts in the ledger whose export is timed."""
SPEED_STEPS = 12
"""Steps of each attempt whose export is timed."""
MEMORY_ATTEMPTS = 200_000
"""Attempts in the ledger whose export shows how much memory is needed."""
MEMORY_STEPS = 4
"""Steps of each attempt in that larger ledger."""
PER_TASK = 4
"""Attempts at each task."""
REQUEST = Request(format="trl", where="reward >= 0.5 and task.kind == 'bugfix'")
MESSAGES = ("prompt", "completion")
"""Columns whose entries are JSON."""
CHECK = Check(verifier="suite", params={"fail_to_pass": ["tests/test_a.py::test_a"]})


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        print_table(measure_speed(Path(folder) / "speed"))
        fill_ledger(Path(folder) / "memory", MEMORY_ATTEMPTS, MEMORY_STEPS)
        with ExportProcess(Path(folder) / "memory") as ours:
            print(f"{MEMORY_ATTEMPTS} attempts: {ours.export():.0f} s, {ours.memory()} (wanted: under 600 MB)")


class ExportProcess(AbstractContextManager["ExportProcess"]):
    """A process that exports a ledger each time it is asked to; `serve_exports` is what runs in it."""

    def __init__(self, home: Path) -> None:
        command = [sys.executable, "-m", "benchmarks.export", str(home)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def export(self) -> float:
        """Export once; returns the seconds that it took."""
        return float(self._ask("export"))

    def memory(self) -> str:
        """The most memory that the process has held."""
        return self._ask("memory")

    def _ask(self, what: str) -> str:
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin
        assert stdout
        print(what, file=stdin, flush=True)
        return stdout.readline().strip()

    def __exit__(self, *_: object) -> None:
        self._process.communicate()


def serve_exports(home: Path) -> None:
    """Answer the lines `export` and `memory` on standard input, as the process behind `ExportProcess`."""
    with open_run(Settings(home=home)) as run:
        for line in sys.stdin:
            if line == "memory\n":
                print(_peak_memory(), flush=True)
            else:
                print(measure_seconds(lambda: asyncio.run(export(run, REQUEST, home / "out"))), flush=True)


def _peak_memory() -> str:
    """The most memory that this process and its helpers have held."""
    status = Path("/proc/self/status").read_text()  # getrusage would tell of the process that started this one
    megabytes = int(re.findall(r"VmHWM:\s+(\d+)", status)[0]) / 1024  # matches: VmHWM:   282112 kB
    helper = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    return f"{megabytes:.0f} MB" + (f", and {helper:.0f} MB in each process that helps" if helper else "")


def measure_speed(home: Path) -> list[Row]:
    """Time the export and two bare writes of the same rows in turns; the median counts."""
    fill_ledger(home, SPEED_ATTEMPTS, SPEED_STEPS)
    schema = schema_of(parts.find("exporter", "trl").make)
    with open_run(Settings(home=home)) as run:
        rows = list(_rendered_rows(run))
    columns = [_make_table(chunk, schema) for chunk in _chunks(rows)]
    gc.freeze()  # no collection walks over the rows while they are written
    with ExportProcess(home) as ours:
        turns: list[Callable[[], float]] = [
            ours.export,
            lambda: _write_seconds(home / "bare", schema, (_make_table(chunk, schema) for chunk in _chunks(rows))),
            lambda: _write_seconds(home / "bare", schema, iter(columns)),
        ]
        rounds = [[turn() for turn in turns] for _ in range(ROUNDS)]
    exported, bare, ready = map(statistics.median, zip(*rounds, strict=True))
    return [
        (f"{SPEED_ATTEMPTS} attempts from the ledger", exported, "rows in memory, pyarrow", bare, "at most 2"),
        (f"{SPEED_ATTEMPTS} attempts from the ledger", exported, "Arrow tables in memory, pyarrow", ready, "no target"),
    ]


def measure_seconds(action: Callable[[], object]) -> float:
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def fill_ledger(home: Path, count: int, steps: int) -> None:
    """Write a ledger of accepted attempts, in bulk."""
    with open_run(Settings(home=home)) as run:
        pairs = make_attempts(count, steps)
        while chunk := list(islice(pairs, 2_000)):
            tasks = {task.id: Item.of("task", task, pipeline="swe") for task, _ in chunk}
            items = [*tasks.values(), *(Item.of("trajectory", trajectory, pipeline="swe") for _, trajectory in chunk)]
            with write_transaction(run.ledger.engine) as connection:
                connection.execute(item.insert(), [to_row(entry, run.blobs) for entry in items])
                connection.execute(verdict.insert(), [_verdict_row(trajectory) for _, trajectory in chunk])


def make_attempts(count: int, steps: int) -> Iterator[tuple[Task, Trajectory]]:
    """Attempts of ordinary size and ordinary words; `PER_TASK` at each task, in the order of their tasks."""
    draw = random.Random(0)
    words = ["".join(draw.choices("etaoinshrdlu_", k=draw.randint(2, 9))) for _ in range(5_000)]
    histories = [tuple(_make_step(draw, words, number) for number in range(steps)) for _ in range(200)]
    for number in range(count // PER_TASK):
        task = Task(
            domain="swe", kind="bugfix", instruction=f"Mend {number}. {_make_text(draw, words, 60)}", checks=(CHECK,)
        )
        for seed in range(PER_TASK):
            agent = Agent(scaffold="native", teacher="openai", options={"model": "m"}, seed=seed)
            yield (
                task,
                Trajectory(
                    task_id=task.id,
                    agent=agent,
                    system="You mend repositories.",
                    prompt=task.instruction,
                    steps=draw.choice(histories),
                    ended="submitted",
                ),
            )


def print_table(rows: list[Row]) -> None:
    table = Table("what", "ms", "against", "ms", "ratio", "wanted", box=None)
    for what, ours, against, theirs, wanted in rows:
        table.add_row(what, f"{ours * 1e3:.0f}", against, f"{theirs * 1e3:.0f}", f"{ours / theirs:.2f}", wanted)
    Console().print(table)


def _make_step(draw: random.Random, words: list[str], number: int) -> Step:
    call = ToolCall(id=f"call-{number}", name="shell", arguments=f'{{"command": "{_make_text(draw, words, 12)}"}}')
    seen = Observation(call_id=call.id, content=_make_text(draw, words, 120))
    return Step(
        thinking=_make_text(draw, words, 40), text=_make_text(draw, words, 8), calls=(call,), observations=(seen,)
    )


def _make_text(draw: random.Random, words: list[str], count: int) -> str:
    return " ".join(draw.choices(words, k=count))


def _verdict_row(trajectory: Trajectory) -> dict[str, object]:
    part = parts.find("verifier", CHECK.verifier)
    passed = Verdict(
        trajectory_id=trajectory.id,
        trajectory_digest=trajectory.digest,
        verifier=part.name,
        version=part.version,
        params_hash=params_hash(CHECK),
        outcome="pass",
        score=1.0,
    )
    facts = passed.model_dump(include={column.name for column in verdict.c})
    return facts | {"body": passed.model_dump_json(), "blob": None}


def _rendered_rows(run: Run) -> Iterator[dict[str, Any]]:
    """The rows with their messages as mappings."""
    make = parts.find("exporter", "trl").make
    for attempt in AttemptReader(run.ledger).stream():
        for row in make(attempt.judged):
            yield row | {name: [json.loads(message) for message in row[name]] for name in MESSAGES}


def _make_table(rows: list[dict[str, Any]], schema: pa.Schema) -> pa.Table:
    """Rows as Arrow; their messages become JSON, which is what the shard holds."""
    dumped = [row | {name: [json.dumps(message) for message in row[name]] for name in MESSAGES} for row in rows]
    return pa.Table.from_pylist(dumped, schema)


def _chunks(rows: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    return (rows[start : start + GROUP_ROWS] for start in range(0, len(rows), GROUP_ROWS))


def _write_seconds(path: Path, schema: pa.Schema, tables: Iterator[pa.Table]) -> float:
    started = time.perf_counter()
    with pq.ParquetWriter(path, schema, compression="zstd", write_statistics=False) as file:
        for table in tables:
            file.write_table(table)
    return time.perf_counter() - started


if __name__ == "__main__":
    serve_exports(Path(sys.argv[1])) if len(sys.argv) > 1 else main()
