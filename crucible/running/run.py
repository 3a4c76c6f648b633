"""One run: the settings, the stores, and where progress is shown. Worlds and teachers are opened by the stages."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from crucible.purse import Purse
from crucible.running.log import people_console
from crucible.serving import Services
from crucible.settings import Settings
from crucible.store.blobs import Blobs
from crucible.store.ledger import Ledger, open_ledger

log = logging.getLogger(__name__)

TELL_SECONDS = 30.0
"""How often progress is told in the log, where there is no terminal to show it on."""


@dataclass(frozen=True)
class Portion:
    """How much one pass over a queue may take on; what it has begun, it finishes."""

    items: int
    seconds: float
    again: bool = True
    """Whether what was set aside as an error gets another chance: once a run, not in every portion of it."""


@dataclass(frozen=True)
class Run:
    """What a stage is handed by its composition root."""

    settings: Settings
    ledger: Ledger
    blobs: Blobs
    console: Console
    """For people: standard error, so that `--json` has standard output to itself."""
    portion: Portion | None = None
    """Left out: each stage works its queue empty."""
    purse: Purse = field(default_factory=Purse)
    """What the run has spent on teachers and judges together; `teacher.budget_usd` limits it."""
    services: Services | None = None
    """The services of the night that this is a chunk of: its chunks share them. Left out: each stage opens its own."""

    @contextmanager
    def progress(self, label: str, total: int | None = None) -> Iterator[Callable[[int], None]]:
        """A bar while the block runs; call what it gives with how much more is done. Where nobody looks (a file, a
        pipe) there is a log line instead, every half minute at most."""
        if not self.console.is_terminal:
            yield _LoggedProgress(label, total).advance
            return
        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
        )
        with Progress(*columns, console=self.console, transient=True) as bar:
            task = bar.add_task(label, total=total)
            yield lambda more: bar.advance(task, more)


@dataclass
class _LoggedProgress:
    """How far a block has come, told in the log now and then."""

    label: str
    total: int | None
    done: int = 0
    told_at: float = field(default_factory=time.monotonic)

    def advance(self, more: int) -> None:
        self.done += more
        if time.monotonic() - self.told_at >= TELL_SECONDS:
            self.told_at = time.monotonic()
            log.info("%s: %d%s", self.label, self.done, f" of {self.total}" if self.total else "")


@contextmanager
def open_run(settings: Settings, *, console: Console | None = None) -> Iterator[Run]:
    """Open the stores; what a killed run left claimed on this machine is free again."""
    blobs = Blobs(settings.blobs)
    with open_ledger(settings.ledger, blobs) as ledger:
        ledger.release()
        yield Run(settings, ledger, blobs, console or people_console(), purse=Purse(limit=settings.teacher.budget_usd))
