"""The application: global options, the verbs, and one line with an exit code for whatever goes wrong."""

from __future__ import annotations

import os
import signal
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from crucible.cli import episodes, export, imports, listing, machine, new, nightly, report, show, stages
from crucible.cli.options import Options, move_options_first, parse_sets
from crucible.errors import CrucibleError, EngineMissing, SchedulerGone, SettingsError, StoreError, UnknownPart
from crucible.running.terminal import to_one_line

GONE = 7
INTERRUPTED = 130
KEPT = "interrupted; what was finished is kept -> the same command goes on with the rest"
CODES: dict[type[CrucibleError], int] = {
    SettingsError: 2,
    UnknownPart: 2,
    EngineMissing: 3,
    StoreError: 4,
    SchedulerGone: GONE,
}
"""Exit codes; any other CrucibleError is 1, items set aside as errors are 6,
an interrupt is 130."""

app = typer.Typer(
    name="crucible",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    epilog="Start with `crucible doctor`, then `crucible demo`. The options above may stand anywhere on the line.",
)
for verbs in (stages, imports, export, episodes, listing, show, report, nightly, machine, new):
    verbs.add_to(app)


@app.callback()
def read_global_options(
    context: typer.Context,
    debug: Annotated[bool, typer.Option(help="Show the traceback behind an error, and debug log lines.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Machine-readable result on standard output.")] = False,
    log_json: Annotated[bool, typer.Option("--log-json", help="Log lines as JSON on standard error.")] = False,
    config: Annotated[Path | None, typer.Option(help="Settings file instead of ./crucible.toml.")] = None,
    set_: Annotated[list[str] | None, typer.Option("--set", help="One setting: section.key=value. Repeatable.")] = None,
) -> None:
    """Raw material to agent tasks, attempts, verdicts with evidence, and shards for trainers."""
    context.obj = Options(debug=debug, json=json, log_json=log_json, config=config, sets=parse_sets(set_ or ()))


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """The `crucible` command."""
    signal.signal(signal.SIGTERM, _stop_on_terminate)
    line = move_options_first(sys.argv[1:] if arguments is None else arguments)
    code = invoke(line)
    _flush()
    if code == GONE:  # the scheduler's threads would try for minutes to tell it what happened, with a page for each try
        os._exit(code)
    sys.exit(code)


def invoke(line: Sequence[str]) -> int:
    """Run one command line; every failure becomes one line and an exit code."""
    try:
        code = app(list(line) or ["--help"], standalone_mode=False, prog_name="crucible")
        if code == INTERRUPTED:  # what the library makes of a KeyboardInterrupt
            return _report_failure(line, KEPT, INTERRUPTED)
        return code if isinstance(code, int) else 0
    except CrucibleError as failed:
        return _report_failure(
            line, failed.line(), next((CODES[kind] for kind in CODES if isinstance(failed, kind)), 1)
        )
    except typer.TyperException as wrong:
        return _report_failure(line, _explain_usage(wrong), 2)
    except (KeyboardInterrupt, typer.Abort):
        return _report_failure(line, KEPT, INTERRUPTED)
    except BrokenPipeError:
        return 0
    except Exception as bug:
        return _report_failure(
            line, f"unexpected {type(bug).__name__}: {bug} -> run again with --debug and report it", 1
        )


def _explain_usage(wrong: typer.TyperException) -> str:
    """What is wrong with the command line, and whose help tells what is right: the verb's, where one was named."""
    message = wrong.format_message() if hasattr(wrong, "format_message") else str(wrong)
    context = getattr(wrong, "ctx", None)
    return f"{message} -> {context.command_path if context else 'crucible'} --help"


def _report_failure(line: Sequence[str], message: str, code: int) -> int:
    if "--debug" in line:
        traceback.print_exc()
    sys.stderr.write(f"crucible: {to_one_line(message)}\n")
    return code


def _flush() -> None:
    """A reader that went away (`crucible funnel | head`) is no error."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _stop_on_terminate(*_: Any) -> NoReturn:
    raise SystemExit(128 + signal.SIGTERM)
