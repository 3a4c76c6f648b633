"""The verbs of the report: report writes it, view serves it."""

from __future__ import annotations

import webbrowser
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from crucible.cli.options import get_options
from crucible.record import Record


class Written(Record):
    """What `crucible report` prints: the page to open."""

    report: str


class Served(Record):
    """What `crucible view` prints: the address to open."""

    address: str


def add_to(app: typer.Typer) -> None:
    app.command(epilog="Example: crucible report --out report/")(report)
    app.command(epilog="Example: crucible view --port 8080 --no-browser")(view)


def report(
    context: typer.Context,
    out: Annotated[Path | None, typer.Option(help="Folder for the pages; left out: `report` in the home.")] = None,
) -> None:
    """Write the report. One page for the run, one for each trajectory; open them from the disk."""
    from crucible.report import write_report

    chosen = get_options(context)
    with chosen.run() as run:
        chosen.emit(Written(report=str(write_report(run, out or run.settings.home / "report"))))


def view(
    context: typer.Context,
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: any that is free.")] = 0,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open it in a browser.")] = True,
) -> None:
    """Look at the ledger in a browser. Served to this machine only, until interrupted."""
    from crucible.judging.judges import identify_by
    from crucible.report.serve import serve_report, server_address

    chosen = get_options(context)
    with (
        chosen.run() as run,
        serve_report(run.ledger, port, identify_by(run.settings), run.settings.reward.layers) as server,
    ):
        chosen.emit(Served(address=server_address(server)))
        typer.echo("Ctrl-C ends it.", err=True)
        if browser:
            webbrowser.open(server_address(server))
        with suppress(KeyboardInterrupt):  # the way to end it
            server.serve_forever()
