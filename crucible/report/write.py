"""Writes the report: `index.html`, and under `trajectories/` one page each. They open from the disk, with no server."""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from crucible.model import Trajectory
from crucible.report.index import Links, contents, index, page_name
from crucible.report.page import render
from crucible.report.whole import told
from crucible.running.run import Run
from crucible.store import faults
from crucible.store.ledger import Ledger
from crucible.store.lookup import items

FOLDER = "trajectories"


def write_report(run: Run, out: Path) -> Path:
    """The report of all that the run's ledger holds; returns its first page. Pages that were there are replaced,
    and those of attempts that are no longer there are removed."""
    pages = out / FOLDER
    written = set()
    with faults.disk(f"the report's folder {out}"):
        pages.mkdir(parents=True, exist_ok=True)
        with run.progress("report") as advance:
            for item in items(run.ledger, "trajectory"):
                name = f"{page_name(item.id)}.html"
                _put(pages / name, _page(run.ledger, item.id, item.body))
                written.add(name)
                advance(1)
        first = out / "index.html"
        _put(first, index(contents(run.ledger), Links(attempt=(f"{FOLDER}/", ".html"), page=page_name)))
        for old in pages.glob("*.html"):
            if old.name not in written:
                old.unlink()
    return first


def _page(ledger: Ledger, id: str, body: str) -> str:
    try:
        return render(
            "trajectory.html.j2", one=told(ledger, Trajectory.model_validate_json(body)), home="../index.html"
        )
    except ValidationError as wrong:
        return render("message.html.j2", title=f"{id} cannot be read", text=str(wrong), home="../index.html")


def _put(path: Path, page: str) -> None:
    """Whole or not at all: a reader may be looking at the last one."""
    part = path.with_suffix(".part")
    part.write_text(page, "utf-8")
    part.replace(path)
