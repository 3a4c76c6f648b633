"""The report's pictures as numbers: bars cut into parts, columns of a histogram, and the flow of the funnel.

Templates draw them as SVG without text, stretched to whatever room there is; words stand beside it as HTML.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from pydantic import Field

from crucible.record import Record
from crucible.report.rows import AttemptRow
from crucible.report.standing import UNJUDGED
from crucible.store.funnel import Funnel, StageCount

OUTCOMES = ("pass", "fail", "error", UNJUDGED)
ROWS = 10
"""Bars of one picture; the rest are one bar together."""
BINS = 10
REASONS = 12

_WIDE = 74.0
"""How much of the picture's 100 the widest stage takes; drops leave over the rest."""
_FLAT = 0.55
"""How much thinner a band is where it has bent."""


class Segment(Record):
    """A part of a bar, in hundredths of the longest."""

    kind: str
    x: float
    width: float
    n: int


class Bar(Record):
    """One line of a bar chart."""

    label: str
    total: int
    segments: tuple[Segment, ...]


class Flow(Record):
    """A band of the funnel's picture, as an SVG path."""

    kind: str
    path: str


class Chip(Record):
    """What left the funnel at a stage, and the rows that tell more of it."""

    kind: str
    n: int
    label: str
    table: str = "dropped"
    filters: dict[str, str] = Field(default_factory=dict)


class StageFlow(Record):
    """One stage of the funnel's picture: its name, its bands, and chips for what left there."""

    name: str
    remark: str
    flows: tuple[Flow, ...]
    chips: tuple[Chip, ...]


UNMADE = ".outputs"
"""Behind the name of a stage: what it could not make (`crucible/collecting.py`)."""


def bars_by_field(rows: Iterable[AttemptRow], field: str) -> tuple[Bar, ...]:
    """Attempts by one of their fields, each bar cut by outcome."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        counts[str(getattr(row, field)) or "unknown"][row.outcome] += 1
    return make_bars(counts)


def bars_by_verifier(funnel: Funnel) -> tuple[Bar, ...]:
    """A bar for each verifier, cut by what it found."""
    return make_bars(
        {
            f"{judge.verifier} v{judge.version}": {"pass": judge.passed, "fail": judge.failed, "error": judge.errors}
            for judge in funnel.judges
        }
    )


def make_bars(counts: Mapping[str, Mapping[str, int]]) -> tuple[Bar, ...]:
    """A bar for each label, the longest first, cut into its parts; beyond `ROWS` the rest share one bar."""
    ranked = sorted(counts.items(), key=lambda pair: (-sum(pair[1].values()), pair[0]))
    rows = ranked[:ROWS]
    if ranked[ROWS:]:
        rest: Counter[str] = Counter()
        for _, parts in ranked[ROWS:]:
            rest.update(parts)
        rows.append((f"{len(ranked) - ROWS} others", rest))
    longest = max((sum(parts.values()) for _, parts in rows), default=1) or 1
    return tuple(_make_bar(label, parts, longest) for label, parts in rows)


def _make_bar(label: str, parts: Mapping[str, int], longest: int) -> Bar:
    segments, x = [], 0.0
    for kind in OUTCOMES:
        if n := parts.get(kind, 0):
            segments.append(Segment(kind=kind, x=round(x, 3), width=round(100 * n / longest, 3), n=n))
            x += 100 * n / longest
    return Bar(label=label, total=sum(parts.values()), segments=tuple(segments))


def reward_histogram(rows: Iterable[AttemptRow]) -> tuple[Bar, ...]:
    """A histogram of rewards: one bar per tenth, from 0 up; each cut by outcome."""
    counts: list[Counter[str]] = [Counter() for _ in range(BINS)]
    for row in rows:
        if row.outcome != UNJUDGED:
            counts[min(int(row.reward * BINS), BINS - 1)][row.outcome] += 1
    longest = max(max((parts.total() for parts in counts), default=1), 1)
    labels = [f"{bin / BINS:g} to {(bin + 1) / BINS:g}" for bin in range(BINS)]
    return tuple(_make_bar(label, parts, longest) for label, parts in zip(labels, counts, strict=True))


def length_histogram(rows: Iterable[AttemptRow]) -> tuple[Bar, ...]:
    """Attempts by their number of steps, in bins that double."""
    counts: dict[int, Counter[str]] = defaultdict(Counter)
    for row in rows:
        counts[row.steps.bit_length()][row.outcome] += 1
    longest = max((parts.total() for parts in counts.values()), default=1)
    return tuple(_make_bar(_format_span(size), counts[size], longest) for size in sorted(counts))


def _format_span(bits: int) -> str:
    """The range of step counts that have so many bits, in words: 3 bits are `4 to 7 steps`."""
    low, high = (1 << bits) >> 1, max((1 << bits) - 1, 0)
    return f"{low} to {high} steps" if low < high else f"{high} {'step' if high == 1 else 'steps'}"


def draw_funnel(stages: Sequence[StageCount], rows: Iterable[AttemptRow]) -> dict[str, tuple[StageFlow, ...]]:
    """The stages of each pipeline one under the other, and at the bottom what its attempts were found to be."""
    lines: dict[str, list[StageCount]] = defaultdict(list)
    for stage in stages:
        lines[stage.pipeline].append(stage)
    outcomes: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        outcomes[row.pipeline][row.outcome] += 1
    return {name: tuple(_draw_pipeline(name, line, outcomes[name])) for name, line in lines.items()}


def _draw_pipeline(pipeline: str, stages: Sequence[StageCount], outcomes: Counter[str]) -> Iterable[StageFlow]:
    """What a stage could not make stands beside it: it never was in the flow."""
    line = [stage for stage in stages if not stage.stage.endswith(UNMADE)] or stages
    unmade = {stage.stage.removesuffix(UNMADE): stage for stage in stages if stage.stage.endswith(UNMADE)}
    scale = _WIDE / max(*(stage.came for stage in line), outcomes.total(), 1)
    below = [*(stage.came for stage in line[1:]), outcomes.total() or line[-1].done]
    for stage, goes in zip(line, below, strict=True):
        leaving = [("error", stage.errors), *(("dropped", n) for n in stage.reasons.values())]
        yield StageFlow(
            name=stage.stage,
            remark=f"{stage.came:,} came, {stage.done:,} went on",
            flows=(
                *_onward_band("done", stage.done, goes, scale),
                *_side_bands(stage.done, stage.waiting, leaving, scale),
            ),
            chips=(*_stage_chips(stage), *(_stage_chips(unmade[stage.stage]) if stage.stage in unmade else ())),
        )
    if outcomes:
        yield _draw_verdicts(pipeline, outcomes, scale)


def _draw_verdicts(pipeline: str, outcomes: Counter[str], scale: float) -> StageFlow:
    passed, waiting = outcomes["pass"], outcomes[UNJUDGED]
    here = {"pipeline": pipeline}
    leaving = [(kind, outcomes[kind]) for kind in ("error", "fail")]
    return StageFlow(
        name="verdicts",
        remark=f"{passed:,} of {outcomes.total():,} accepted",
        flows=(*_onward_band("pass", passed, passed, scale), *_side_bands(passed, waiting, leaving, scale)),
        chips=tuple(
            Chip(kind=kind, n=outcomes[kind], label=kind, table="attempts", filters=here | {"outcome": kind})
            for kind in OUTCOMES
            if outcomes[kind]
        ),
    )


def _stage_chips(stage: StageCount) -> Iterable[Chip]:
    here = {"pipeline": stage.pipeline, "stage": stage.stage}
    reasons = list(stage.reasons.items())
    for reason, n in reasons[:REASONS]:
        yield Chip(kind="dropped", n=n, label=reason, filters=here | {"reason": reason})
    if rest := reasons[REASONS:]:
        yield Chip(kind="dropped", n=sum(n for _, n in rest), label=f"for {len(rest)} other reasons", filters=here)
    if stage.errors:
        yield Chip(kind="error", n=stage.errors, label="broken machine", filters=here | {"reason": "error"})
    if stage.waiting:
        yield Chip(kind="waiting", n=stage.waiting, label="waiting", table="")


def _onward_band(kind: str, n: int, goes: int, scale: float) -> Iterable[Flow]:
    """The band of what goes on: on the left, down to the width of what comes next."""
    if n:
        top, bottom = _band_width(n, scale), _band_width(goes, scale)
        yield Flow(kind=kind, path=f"M0,0 L{top:g},0 C{top:g},60 {bottom:g},40 {bottom:g},100 L0,100 Z")


def _side_bands(done: int, waiting: int, leaving: Sequence[tuple[str, int]], scale: float) -> Iterable[Flow]:
    """Right of what goes on: what waits ends half-way, what leaves bends away."""
    x, width = _band_width(done, scale), _band_width(waiting, scale)
    if waiting:
        yield Flow(kind="waiting", path=f"M{x:g},0 L{x + width:g},0 L{x + width:g},45 L{x:g},45 Z")
        x += width
    bottom = 42 + sum(_band_width(n, scale) for _, n in leaving) * _FLAT
    for kind, n in leaving:
        if n:
            width = _band_width(n, scale)
            yield Flow(kind=kind, path=_leaving_path(x, width, bottom))
            x, bottom = x + width, bottom - width * _FLAT - 1


def _leaving_path(x: float, width: float, bottom: float) -> str:
    """The SVG path of a band that leaves: from the top edge in a curve to the right edge."""
    top, right = bottom - width * _FLAT, x + width
    return (
        f"M{right:g},0 C{right:g},{top:g} 90,{top:g} 100,{top:g} "
        f"L100,{bottom:g} C90,{bottom:g} {x:g},{bottom:g} {x:g},0 Z"
    )


def _band_width(n: int, scale: float) -> float:
    """How wide a band of so many items is drawn; never too thin to be seen."""
    return round(max(n * scale, 0.6), 3) if n else 0.0
