"""How hard tasks are, as the first page shows it: a solver's rate by level of hints, what was never solved, and how a
sample's categories and difficulties compare with its target."""

from __future__ import annotations

import importlib.util
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from pydantic import Field

from crucible.facts import CALIBRATION, SAMPLE, Calibration, Sample
from crucible.judging.intervals import wilson_interval
from crucible.record import Record
from crucible.store.ledger import Ledger
from crucible.store.lookup import list_items

SHOWN = 12
"""Tasks that were never solved and are listed; the table of drops has those that were broken."""
NOT_MEASURED = "No solver was measured", "crucible calibrate --solver NAME"
NOT_INSTALLED = "No solver was measured, and the small model that the demo measures is not installed", "make local"
"""What is missing, and the command that makes it."""


class CurvePoint(Record):
    """How often tasks with hints of one level were solved."""

    level: int
    passed: int
    attempts: int
    rate: float
    low: float
    high: float


class Curve(Record):
    """A solver's rate over the levels of hints."""

    solver: str
    points: tuple[CurvePoint, ...]

    @property
    def rate_path(self) -> str:
        """The rates, as an SVG path."""
        return "M" + " L".join(f"{x:g},{100 - 100 * point.rate:g}" for x, point in self._places())

    @property
    def interval_path(self) -> str:
        """The band between the ends of the intervals, as an SVG path."""
        upper = [f"{x:g},{100 - 100 * point.high:g}" for x, point in self._places()]
        lower = [f"{x:g},{100 - 100 * point.low:g}" for x, point in self._places()]
        return "M" + " L".join([*upper, *reversed(lower)]) + " Z"

    def _places(self) -> Iterator[tuple[float, CurvePoint]]:
        step = 90 / max(1, len(self.points) - 1)
        return ((5 + step * number, point) for number, point in enumerate(self.points))


class TriagedTask(Record):
    """A task that was never solved, and what it is held to be."""

    task: str
    triage: str
    evidence: str


class TargetRow(Record):
    """One category or difficulty of a sample; widths are hundredths of the longest."""

    name: str
    wanted: float
    drawn: int
    there: int
    wanted_width: float
    drawn_width: float


class TargetPlot(Record):
    """A target against what was drawn, on one axis."""

    title: str
    rows: tuple[TargetRow, ...]


class Difficulty(Record):
    """All of it."""

    missing: tuple[str, str] | None = None
    """Where nothing was measured: what is missing, and the command that makes it."""
    solvers: str = ""
    curves: tuple[Curve, ...] = ()
    bands: dict[str, int] = Field(default_factory=dict)
    triaged: tuple[TriagedTask, ...] = ()
    samples: tuple[TargetPlot, ...] = ()


def read_difficulty(ledger: Ledger) -> Difficulty:
    """What the ledger knows: of each task and solver the latest calibration, of each pipeline the latest sample."""
    every = (item.record(Calibration) for item in list_items(ledger, CALIBRATION))
    known = list({(each.task_id, each.solver): each for each in every}.values())
    samples = {one.pipeline: one for one in (item.record(Sample) for item in list_items(ledger, SAMPLE))}
    unsolved = [each for each in known if each.triage]
    return Difficulty(
        missing=None if known else _explain_nothing(),
        solvers=", ".join(sorted({each.solver for each in known})),
        curves=tuple(_draw_curves(known)),
        bands=dict(sorted(Counter(each.band for each in known).items())),
        triaged=tuple(
            TriagedTask(task=each.task_id, triage=each.triage, evidence="; ".join(each.evidence))
            for each in unsolved[:SHOWN]
        ),
        samples=tuple(plot for one in samples.values() for plot in _draw_sample(one)),
    )


def _explain_nothing() -> tuple[str, str]:
    return NOT_MEASURED if importlib.util.find_spec("xllamacpp") else NOT_INSTALLED


def _draw_curves(known: Sequence[Calibration]) -> Iterator[Curve]:
    by_solver: dict[str, dict[int, list[Calibration]]] = defaultdict(lambda: defaultdict(list))
    for each in known:
        if each.hint_level:
            by_solver[each.solver][each.hint_level].append(each)
    for solver, levels in sorted(by_solver.items()):
        yield Curve(solver=solver, points=tuple(_make_point(level, levels[level]) for level in sorted(levels)))


def _make_point(level: int, found: Sequence[Calibration]) -> CurvePoint:
    passed, attempts = sum(each.passed for each in found), sum(each.attempts for each in found)
    low, high = wilson_interval(passed, attempts)
    return CurvePoint(level=level, passed=passed, attempts=attempts, rate=passed / attempts, low=low, high=high)


def _draw_sample(one: Sample) -> Iterator[TargetPlot]:
    """Target against actual, a plot for each axis."""
    longest = max([1.0, *(max(row.wanted, row.drawn) for row in one.rows)])
    for axis in ("category", "difficulty"):
        rows = tuple(
            TargetRow(
                name=row.name or "none",
                wanted=row.wanted,
                drawn=row.drawn,
                there=row.there,
                wanted_width=round(100 * row.wanted / longest, 2),
                drawn_width=round(100 * row.drawn / longest, 2),
            )
            for row in one.rows
            if row.axis == axis
        )
        yield TargetPlot(title=f"{one.pipeline}: target against sample, by {axis}", rows=rows)
