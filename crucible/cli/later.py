"""The verbs whose machinery is not built yet: they exist, say so in one line, and exit with 5."""

from __future__ import annotations

from typing import NoReturn

import typer

NOT_BUILT = 5


def add_to(app: typer.Typer) -> None:
    app.command(epilog="Example: crucible calibrate")(calibrate)


def calibrate() -> None:
    """Measure how hard each task is. From a reference solver's attempts."""
    _say_not_built("calibrate", "a reference solver's history over sound tasks")


def _say_not_built(verb: str, needs: str) -> NoReturn:
    typer.echo(f"crucible: {verb} is not built yet: it needs {needs}", err=True)
    raise typer.Exit(NOT_BUILT)
