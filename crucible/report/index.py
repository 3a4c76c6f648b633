"""The first page: the funnel, the plots, and the tables of attempts and drops that its script filters."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from crucible.engine import name_of
from crucible.funnel import Funnel, count
from crucible.ledger import Ledger
from crucible.record import Record
from crucible.report import figures
from crucible.report.clip import visible
from crucible.report.gather import Attempt, Drop, attempts, drops
from crucible.report.page import render
from crucible.report.table import packed

ROWS = 100_000
"""Rows of one table in one page; the newest are kept."""

_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]{0,149}")


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
    name: Callable[[str], str] = lambda id: id


def page_name(id: str) -> str:
    """A file's name for an id: itself where it can be one."""
    return id if _NAME.fullmatch(id) else hashlib.sha256(id.encode("utf-8", "backslashreplace")).hexdigest()[:32]


def index(ledger: Ledger, links: Links, *, live: bool = False) -> str:
    """The page, from the ledger as it stands."""
    rows, dropped = list(attempts(ledger)), list(drops(ledger))
    funnel = count(ledger)
    return render(
        "index.html.j2",
        source=name_of(ledger.engine),
        live=live,
        funnel=funnel,
        tiles=_tiles(funnel, rows),
        lines=figures.flows(funnel.stages, rows),
        plots=_plots(funnel, rows),
        scores=figures.scores(rows),
        data={
            "attempts": packed(rows[-ROWS:], Attempt) | _named(links.attempt, links.name, rows[-ROWS:]),
            "dropped": packed(dropped[-ROWS:], Drop)
            | (_named(links.item, links.name, dropped[-ROWS:]) if links.item else {}),
        },
        left_out={"attempts": len(rows[:-ROWS]), "dropped": len(dropped[:-ROWS])},
    )


def _named(link: tuple[str, str], name: Callable[[str], str], rows: Sequence[Attempt | Drop]) -> dict[str, object]:
    """By ids as they are shown, and only the names that differ from them: most do not."""
    pairs = ((visible(row.id), name(row.id)) for row in rows)
    return {"link": link, "names": {shown: named for shown, named in pairs if shown != named}}


def _tiles(funnel: Funnel, rows: Sequence[Attempt]) -> list[tuple[str, str, str, str]]:
    """Figure, label, remark, kind."""
    judged = [row for row in rows if row.outcome in ("pass", "fail")]
    passed = sum(row.outcome == "pass" for row in judged)
    open_ = len(rows) - len(judged)
    dropped = sum(stage.dropped for stage in funnel.stages)
    reasons = len({reason for stage in funnel.stages for reason in stage.reasons})
    rate = f"{passed / len(judged):.0%} of those decided" if judged else "none decided yet"
    return [
        (f"{passed:,}", "accepted", rate, "pass"),
        (f"{len(judged) - passed:,}", "refused", "each with its evidence", "fail"),
        (f"{open_:,}", "undecided", "never counted as failed", "error"),
        (f"{funnel.nouns.get('task', 0):,}", "sound tasks", f"from {funnel.nouns.get('raw', 0):,} raw items", "plain"),
        (f"{dropped:,}", "dropped", f"for {reasons} {'reason' if reasons == 1 else 'reasons'}", "plain"),
    ]


def _plots(funnel: Funnel, rows: Sequence[Attempt]) -> list[Plot]:
    plots = [
        Plot(title="What each verifier found", column="", bars=figures.judged(funnel)),
        Plot(title="By teacher", column="teacher", bars=figures.by(rows, "teacher")),
        Plot(title="How attempts ended", column="ended", bars=figures.by(rows, "ended")),
        Plot(title="How long attempts were", column="", bars=figures.lengths(rows)),
        Plot(title="By task", column="task", bars=figures.by(rows, "task")),
    ]
    return [plot for plot in plots if plot.bars]
