"""Export against a bare pyarrow write of the same rows: `python -m benchmarks.export`.

Ours begins at the ledger (read, accept, filter, wash, render, write, hash); theirs begins with the rows already
in memory as Python dictionaries and only writes them. Both take turns. Ours has a process of its own, whose memory
does not hold those rows; the peak of such a process is what 200,000 attempts take.
"""

from __future__ import annotations

import asyncio
import gc
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

import pyarrow as pa
import pyarrow.parquet as pq
from rich.console import Console
from rich.table import Table

from crucible import parts
from crucible.judging.accepting import AttemptReader
from crucible.judging.cascade import params_hash
from crucible.model import Agent, Check, Observation, Step, Task, ToolCall, Trajectory, Verdict
from crucible.running.run import Run, open_run
from crucible.settings import Settings
from crucible.shards.columns import Columns
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
SOME, SOME_STEPS = 40_000, 12
MANY, MANY_STEPS = 200_000, 4
PER_TASK = 4
REQUEST = Request(format="trl", where="score >= 0.5 and task.kind == 'bugfix'")
CHECK = Check(verifier="suite", params={"fail_to_pass": ["tests/test_a.py::test_a"]})


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        show(speed(Path(folder) / "some"))
        fill(Path(folder) / "many", MANY, MANY_STEPS)
        with Exporting(Path(folder) / "many") as ours:
            print(f"{MANY} attempts: {ours.export():.0f} s, {ours.memory()} (wanted: under 600 MB)")


class Exporting(AbstractContextManager["Exporting"]):
    """A process that exports a ledger, each time it is told to."""

    def __init__(self, home: Path) -> None:
        command = [sys.executable, "-m", "benchmarks.export", str(home)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def export(self) -> float:
        """Seconds that it took."""
        return float(self._ask("export"))

    def memory(self) -> str:
        """The most that it ever held."""
        return self._ask("memory")

    def _ask(self, what: str) -> str:
        asked, told = self._process.stdin, self._process.stdout
        assert asked
        assert told
        print(what, file=asked, flush=True)
        return told.readline().strip()

    def __exit__(self, *_: object) -> None:
        self._process.communicate()


def serve(home: Path) -> None:
    """The other end of `Exporting`."""
    with open_run(Settings(home=home)) as run:
        for line in sys.stdin:
            told = _peak() if line == "memory\n" else measured(lambda: asyncio.run(export(run, REQUEST, home / "out")))
            print(told, flush=True)


def _peak() -> str:
    status = Path("/proc/self/status").read_text()  # getrusage would tell of the process that started this one
    megabytes = int(re.findall(r"VmHWM:\s+(\d+)", status)[0]) / 1024
    helper = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    return f"{megabytes:.0f} MB" + (f", and {helper:.0f} MB in each process that helps" if helper else "")


def speed(home: Path) -> list[Row]:
    """All in turns, the middle one counts."""
    fill(home, SOME, SOME_STEPS)
    schema = schema_of(parts.find("exporter", "trl").make)
    with open_run(Settings(home=home)) as run:
        rows = list(_rows(run))
    columns = [pa.Table.from_pylist(some, schema) for some in _chunks(rows)]
    gc.freeze()  # no collection walks over the rows while they are written
    with Exporting(home) as ours:
        turns: list[Callable[[], float]] = [
            ours.export,
            lambda: _write(home / "bare", schema, (pa.Table.from_pylist(one, schema) for one in _chunks(rows))),
            lambda: _write(home / "bare", schema, iter(columns)),
        ]
        rounds = [[turn() for turn in turns] for _ in range(ROUNDS)]
    exported, bare, ready = map(statistics.median, zip(*rounds, strict=True))
    return [
        (f"{SOME} attempts from the ledger", exported, "rows in memory, pyarrow", bare, "at most 2"),
        (f"{SOME} attempts from the ledger", exported, "Arrow tables in memory, pyarrow", ready, "no target"),
    ]


def measured(action: Callable[[], object]) -> float:
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def fill(home: Path, count: int, steps: int) -> None:
    """A ledger of accepted attempts, written in bulk."""
    with open_run(Settings(home=home)) as run:
        made = attempts(count, steps)
        while some := list(islice(made, 2_000)):
            tasks = {task.id: Item.of("task", task, pipeline="swe") for task, _ in some}
            items = [*tasks.values(), *(Item.of("trajectory", one, pipeline="swe") for _, one in some)]
            with write_transaction(run.ledger.engine) as connection:
                connection.execute(item.insert(), [to_row(one, run.blobs) for one in items])
                connection.execute(verdict.insert(), [_verdict_row(one) for _, one in some])


def attempts(count: int, steps: int) -> Iterator[tuple[Task, Trajectory]]:
    """Attempts of ordinary size and ordinary words; `PER_TASK` at each task, in the order of their tasks."""
    draw = random.Random(0)
    words = ["".join(draw.choices("etaoinshrdlu_", k=draw.randint(2, 9))) for _ in range(5_000)]
    histories = [tuple(_step(draw, words, number) for number in range(steps)) for _ in range(200)]
    for number in range(count // PER_TASK):
        task = Task(
            domain="swe", kind="bugfix", instruction=f"Mend {number}. {_text(draw, words, 60)}", checks=(CHECK,)
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


def show(rows: list[Row]) -> None:
    table = Table("what", "ms", "against", "ms", "ratio", "wanted", box=None)
    for what, ours, against, theirs, wanted in rows:
        table.add_row(what, f"{ours * 1e3:.0f}", against, f"{theirs * 1e3:.0f}", f"{ours / theirs:.2f}", wanted)
    Console().print(table)


def _step(draw: random.Random, words: list[str], number: int) -> Step:
    call = ToolCall(id=f"call-{number}", name="shell", arguments=f'{{"command": "{_text(draw, words, 12)}"}}')
    seen = Observation(call_id=call.id, content=_text(draw, words, 120))
    return Step(thinking=_text(draw, words, 40), text=_text(draw, words, 8), calls=(call,), observations=(seen,))


def _text(draw: random.Random, words: list[str], count: int) -> str:
    return " ".join(draw.choices(words, k=count))


def _verdict_row(one: Trajectory) -> dict[str, object]:
    part = parts.find("verifier", CHECK.verifier)
    found = Verdict(
        trajectory_id=one.id,
        trajectory_digest=one.digest,
        verifier=part.name,
        version=part.version,
        params_hash=params_hash(CHECK),
        outcome="pass",
        score=1.0,
    )
    facts = found.model_dump(include={column.name for column in verdict.c})
    return facts | {"body": found.model_dump_json(), "blob": None}


def _rows(run: Run) -> Iterator[dict[str, object]]:
    make = parts.find("exporter", "trl").make
    for found in AttemptReader(run.ledger).stream():
        for row in make(found.accepted):
            yield {name: list(value) if isinstance(value, Columns) else value for name, value in row.items()}


def _chunks(rows: list[dict[str, object]]) -> Iterator[list[dict[str, object]]]:
    return (rows[start : start + GROUP_ROWS] for start in range(0, len(rows), GROUP_ROWS))


def _write(path: Path, schema: pa.Schema, tables: Iterator[pa.Table]) -> float:
    started = time.perf_counter()
    with pq.ParquetWriter(path, schema, compression="zstd", write_statistics=False) as file:
        for table in tables:
            file.write_table(table)
    return time.perf_counter() - started


if __name__ == "__main__":
    serve(Path(sys.argv[1])) if len(sys.argv) > 1 else main()
