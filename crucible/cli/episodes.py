"""The verb that lets a trainer's policy act: episodes."""

from __future__ import annotations

import asyncio
import secrets
from typing import Annotated

import typer

from crucible.cli.options import get_options
from crucible.record import Record


class Serving(Record):
    """What `crucible episodes` prints: what the trainer's side has to be told."""

    url: str
    token: str


def add_to(app: typer.Typer) -> None:
    app.command(epilog="Example: crucible episodes --port 8750 --set limits.boxes=16")(episodes)


def episodes(
    context: typer.Context,
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: any that is free.")] = 0,
    host: Annotated[
        str, typer.Option(help="The address to listen on. Who has the token runs code here.")
    ] = "127.0.0.1",
) -> None:
    """Serve tasks to a trainer as episodes: its policy acts in boxes here, and is judged as any attempt."""
    from crucible.episodes.server import bind, serve_episodes

    chosen = get_options(context)
    with chosen.run() as run, bind(host, port) as listening:
        token = run.settings.episodes.token.get_secret_value() or secrets.token_urlsafe(24)
        chosen.emit(Serving(url=f"http://{host}:{listening.getsockname()[1]}", token=token))
        typer.echo("Ctrl-C ends it.", err=True)
        asyncio.run(serve_episodes(run, listening, token))
