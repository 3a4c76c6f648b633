"""Writes the report: `index.html`, and under `trajectories/` one page each. They open from the disk, with no server."""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from crucible.judging.judges import identify_by
from crucible.model import Trajectory
from crucible.report.attempt_page import make_attempt_page
from crucible.report.index import Links, page_name, read_contents, render_index
from crucible.report.templates import render_template
from crucible.running.run import Run
from crucible.store import faults
from crucible.store.lookup import list_items

FOLDER = "trajectories"


def write_report(run: Run, out: Path) -> Path:
    """The report of all that the run's ledger holds; returns its first page. Pages that were there are replaced,
    and those of attempts that are no longer there are removed."""
    pages = out / FOLDER
    written = set()
    with faults.translate_disk_faults(f"the report's folder {out}"):
        pages.mkdir(parents=True, exist_ok=True)
        with run.progress("report") as advance:
            for item in list_items(run.ledger, "trajectory"):
                name = f"{page_name(item.id)}.html"
                _write_whole(pages / name, _render_page(run, item.id, item.body))
                written.add(name)
                advance(1)
        first = out / "index.html"
        contents = read_contents(run.ledger, identify_by(run.settings), run.settings.reward.layers)
        _write_whole(first, render_index(contents, Links(attempt=(f"{FOLDER}/", ".html"), page=page_name)))
        for old in pages.glob("*.html"):
            if old.name not in written:
                old.unlink()
    return first


def _render_page(run: Run, id: str, body: str) -> str:
    try:
        return render_template(
            "trajectory.html.j2",
            one=make_attempt_page(
                run.ledger,
                Trajectory.model_validate_json(body),
                identify_by(run.settings),
                run.settings.reward.layers,
            ),
            home="../index.html",
        )
    except ValidationError as wrong:
        return render_template("message.html.j2", title=f"{id} cannot be read", text=str(wrong), home="../index.html")


def _write_whole(path: Path, page: str) -> None:
    """Whole or not at all: a reader may be looking at the last one."""
    part = path.with_suffix(".part")
    part.write_text(page, "utf-8")
    part.replace(path)
