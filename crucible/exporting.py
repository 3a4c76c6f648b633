"""What an exporter is: a named function from one accepted attempt to what a trainer reads.

    @exporter("trl")                                 rows of Parquet shards
    @exporter("atif", shape="jsonl")                 one JSON object per line
    @exporter("harbor", shape="folder", per="task")  files

Rows are TypedDicts: the annotation `-> Iterator[Row]` is the schema of the shard. An exporter that cannot show
an attempt in its format raises `Rejected`; the manifest counts it. It never sees a secret: what it is handed has
been washed (`crucible/washing.py`). It keeps clocks and costs out of its rows: same ledger, same filter, same bytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from crucible.model import Task, Trajectory, Verdict
from crucible.selecting import Selection


@dataclass(frozen=True)
class Accepted:
    """An attempt that passed every check of its task, under the verifiers as they are now."""

    task_id: str
    trajectory_id: str
    """The ids of the ledger. Records that were washed would compute others."""
    task: Task
    trajectory: Trajectory
    verdicts: tuple[Verdict, ...]
    selection: Selection | None = None
    """The choice it was kept by, if one was made."""

    @property
    def score(self) -> float:
        """The mean of its verdicts' scores."""
        return sum(verdict.score for verdict in self.verdicts) / len(self.verdicts)


class File(NamedTuple):
    """One file of a folder that is exported."""

    path: str
    data: bytes
    executable: bool = False
