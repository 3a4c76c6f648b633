"""The options every verb has, wherever on the line they stand, and what they open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import typer

from crucible.cli.render import render_record
from crucible.errors import SettingsError
from crucible.record import Record
from crucible.running import log
from crucible.running.run import Run, open_run
from crucible.running.settings_layers import Loaded, load_settings

SWITCHES = ("--debug", "--json", "--log-json")
TAKES_VALUE = ("--config", "--set")


@dataclass
class Options:
    """What the user asked for on every verb's behalf."""

    debug: bool = False
    json: bool = False
    log_json: bool = False
    config: Path | None = None
    sets: Mapping[str, str] = field(default_factory=dict)

    def load(self) -> Loaded:
        log.configure_logging(as_json=self.log_json, debug=self.debug)
        return load_settings(self.config, self.sets)

    @contextmanager
    def run(self) -> Iterator[Run]:
        with open_run(self.load().settings) as run:
            yield run

    def emit(self, record: Record) -> None:
        """The verb's result: a table, or JSON on standard output."""
        if self.json:
            typer.echo(record.model_dump_json(indent=2))
        else:
            log.result_console().print(render_record(record))


def get_options(context: typer.Context) -> Options:
    return context.ensure_object(Options)


def parse_sets(pairs: Sequence[str]) -> dict[str, str]:
    """The settings that `--set section.key=value` flags give, by their dotted key."""
    values = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key.strip():
            raise SettingsError(f"flag --set {pair}: expected section.key=value", "for example --set limits.boxes=4")
        values[key.strip()] = value
    return values


def move_options_first(arguments: Sequence[str]) -> list[str]:
    """The global options moved to the front, so that `crucible funnel --json` works as well."""
    front: list[str] = []
    rest: list[str] = []
    remaining = iter(arguments)
    for argument in remaining:
        if argument == "--":
            return [*front, *rest, argument, *remaining]
        if argument in SWITCHES or argument.startswith(tuple(f"{name}=" for name in TAKES_VALUE)):
            front.append(argument)
        elif argument in TAKES_VALUE:
            front += [argument, *([value] if (value := next(remaining, None)) is not None else [])]
        else:
            rest.append(argument)
    return front + rest
