"""The first page: the funnel, the plots, and the tables of attempts and drops that its script filters."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TypeVar

from crucible.judging.judges import Identify, identify_nobody
from crucible.judging.reading import is_authored
from crucible.record import Record
from crucible.report import figures
from crucible.report.agreement import Agreement, read_agreement
from crucible.report.clip import clip_name
from crucible.report.difficulty import Difficulty, read_difficulty
from crucible.report.origins import Origins, read_origins
from crucible.report.packing import pack_rows
from crucible.report.rows import AttemptRow, DropRow, read_attempts, read_drops
from crucible.report.templates import render_template
from crucible.reward import EVEN, Weights
from crucible.store.database import database_name
from crucible.store.funnel import Funnel, count_funnel
from crucible.store.ledger import Ledger

ROWS = 100_000
"""Rows of one table in one page; the newest are kept."""

R = TypeVar("R", AttemptRow, DropRow)

_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]{0,149}")
# matches: swe-bugfix-ecbfa1e9dfc8-oracle-271179a857


class Plot(Record):
    """A bar chart."""

    title: str
    column: str
    """The filter that a bar's label sets; empty when it sets none."""
    bars: tuple[figures.Bar, ...]


@dataclass(frozen=True)
class Links:
    """Where a row leads: `prefix`, its page's name, `suffix`."""

    attempt: tuple[str, str]
    item: tuple[str, str] | None = None
    """None where items have no pages of their own."""
    page: Callable[[str], str] = lambda id: id


def page_name(id: str) -> str:
    """A file's name for an id: itself where it can be one."""
    return id if _NAME.fullmatch(id) else hashlib.sha256(id.encode("utf-8", "backslashreplace")).hexdigest()[:32]


@dataclass(frozen=True)
class LedgerContents:
    """What a first page tells of: the whole ledger at one instant, as rows."""

    source: str
    funnel: Funnel
    attempts: tuple[AttemptRow, ...]
    dropped: tuple[DropRow, ...]
    difficulty: Difficulty
    origins: Origins
    agreement: tuple[Agreement, ...] = ()


@dataclass(frozen=True)
class RowFilter:
    """Which rows one of the tables is to hold; the page's script narrows them further."""

    table: str = ""
    filters: Mapping[str, str] = field(default_factory=dict)
    """A field's value, as it is shown; under `text`, words that all occur somewhere."""

    def select_rows(self, table: str, rows: Sequence[R]) -> list[R]:
        return [row for row in rows if self._fits(row)] if self.filters and table == self.table else list(rows)

    def _fits(self, row: AttemptRow | DropRow) -> bool:
        exact = (
            value == clip_name(str(getattr(row, column, value)))
            for column, value in self.filters.items()
            if column != "text"
        )
        return all(exact) and self._mentions(row)

    def _mentions(self, row: AttemptRow | DropRow) -> bool:
        words = self.filters.get("text", "").lower().split()
        if not words:
            return True
        text = "\n".join(clip_name(str(getattr(row, column.name))) for column in fields(row)).lower()
        return all(word in text for word in words)


def read_contents(ledger: Ledger, identify: Identify = identify_nobody, layers: Weights = EVEN) -> LedgerContents:
    """Read what the first page tells of: the ledger as it stands."""
    return LedgerContents(
        database_name(ledger.engine),
        count_funnel(ledger),
        tuple(read_attempts(ledger, identify, layers)),
        tuple(read_drops(ledger)),
        read_difficulty(ledger),
        read_origins(ledger, identify),
        read_agreement(ledger),
    )


def render_index(contents: LedgerContents, links: Links, wanted: RowFilter | None = None) -> str:
    """The first page. With `wanted` it is a server's page, which can be asked for rows that found no room."""
    chosen = wanted or RowFilter()
    rows, dropped = chosen.select_rows("attempts", contents.attempts), chosen.select_rows("dropped", contents.dropped)
    return render_template(
        "index.html.j2",
        source=contents.source,
        live=wanted is not None,
        wanted=chosen,
        tiles=_make_tiles(contents.funnel, contents.attempts),
        lines=figures.draw_funnel(contents.funnel.stages, contents.attempts),
        plots=_make_plots(contents.funnel, contents.attempts),
        difficulty=contents.difficulty,
        origins=contents.origins,
        agreement=contents.agreement,
        rewards=figures.reward_histogram(contents.attempts),
        data={
            "attempts": pack_rows(rows[-ROWS:], AttemptRow) | _link_names(links.attempt, links.page, rows[-ROWS:]),
            "dropped": pack_rows(dropped[-ROWS:], DropRow)
            | (_link_names(links.item, links.page, dropped[-ROWS:]) if links.item else {}),
        },
        left_out={"attempts": len(rows[:-ROWS]), "dropped": len(dropped[:-ROWS])},
    )


def _link_names(
    link: tuple[str, str], page: Callable[[str], str], rows: Sequence[AttemptRow | DropRow]
) -> dict[str, object]:
    """Where rows lead: pages by the ids as they are shown, and only where the page's name differs from the id."""
    pairs = ((clip_name(row.id), page(row.id)) for row in rows)
    return {"link": link, "names": {id: page_of_id for id, page_of_id in pairs if id != page_of_id}}


def _make_tiles(funnel: Funnel, rows: Sequence[AttemptRow]) -> list[tuple[str, str, str, str]]:
    """The tiles at the top of the page, each as figure, label, remark and kind."""
    judged = [row for row in rows if row.outcome in ("pass", "fail")]
    passed = sum(row.outcome == "pass" for row in judged)
    open_ = len(rows) - len(judged)
    dropped = sum(stage.dropped for stage in funnel.stages)
    reasons = len({reason for stage in funnel.stages for reason in stage.reasons})
    rate = f"{passed / len(judged):.0%} of those decided" if judged else "none decided yet"
    if authored := sum(row.outcome == "pass" and is_authored(row.teacher) for row in judged):
        rate += f"; {authored:,} by oracle or script"
    return [
        (f"{passed:,}", "accepted", rate, "pass"),
        (f"{len(judged) - passed:,}", "refused", "each with its evidence", "fail"),
        (f"{open_:,}", "undecided", "never counted as failed", "error"),
        (f"{funnel.nouns.get('task', 0):,}", "sound tasks", f"from {funnel.nouns.get('raw', 0):,} raw items", "plain"),
        (f"{dropped:,}", "dropped", f"for {reasons} {'reason' if reasons == 1 else 'reasons'}", "plain"),
    ]


def _make_plots(funnel: Funnel, rows: Sequence[AttemptRow]) -> list[Plot]:
    plots = [
        Plot(title="What each verifier found", column="", bars=figures.bars_by_verifier(funnel)),
        Plot(title="By teacher", column="teacher", bars=figures.bars_by_field(rows, "teacher")),
        Plot(title="How attempts ended", column="ended", bars=figures.bars_by_field(rows, "ended")),
        Plot(title="How long attempts were", column="", bars=figures.length_histogram(rows)),
        Plot(title="By kind of task", column="kind", bars=figures.bars_by_field(rows, "kind")),
    ]
    return [plot for plot in plots if plot.bars]
