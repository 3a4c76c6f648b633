"""What test frameworks have in common: started from a row of `commands.toml` and read by a reader."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from crucible.datafile import read_row
from crucible.domains.code.suite import Suite
from crucible.record import Record
from verifiers.readers.reader import Reader

HERE = Path(__file__).parent
FIELD = re.compile(r"\{(command|report|token|paths|list)\}")
# matches: {report}


class StartRow(Record):
    """A row of `commands.toml`: how a framework is made to report."""

    run: str
    """The shell script. {command} is the suite's own, {report} the file to write (`{report}.d/` is a folder of the
    same owner), {token} a name nobody can guess, {paths} what to run."""
    narrowed: str = "{paths}"
    """What stands for {paths} when there are some: {paths} as words, {list} joined by commas."""
    reporter: str = ""
    """A file of `reporters/` that is put into `{report}.d/` first."""


def files_of(tests: Sequence[str]) -> Sequence[str]:
    """The files of tests called `path::name`."""
    return sorted({test.partition("::")[0] for test in tests})


def run_everything(tests: Sequence[str]) -> Sequence[str]:
    """Nothing to narrow a run to, for a framework of which only all can be run."""
    return ()


def keep_command(command: str, paths: Sequence[str]) -> str:
    """The command as it is, where options can be put behind it."""
    return command


def add_time_limit(command: str, paths: Sequence[str]) -> str:
    """The command with the longer limit of `commands.toml` for each test, unless it sets one itself."""
    return command if "imeout" in command else f"{command} $limit"


@dataclass(frozen=True)
class Framework:
    """One test framework, put together from functions. Implements `crucible.domains.code.suite.Runner`."""

    reader: Reader
    """It names the framework, and so its row in `commands.toml`."""
    narrow: Callable[[Sequence[str]], Sequence[str]] = run_everything
    adapt: Callable[[str, Sequence[str]], str] = keep_command
    """The suite's command, made ready for options behind it."""

    def command(self, suite: Suite, report: str, paths: Sequence[str]) -> str:
        """The script of `commands.toml`, filled in."""
        start = read_row(HERE / "commands.toml", self.reader.framework, StartRow)
        fields = {"report": shlex.quote(report), "token": PurePosixPath(report).parent.name}
        fields["list"] = shlex.quote(",".join(paths))
        fields["paths"] = shlex.join(paths)
        fields["paths"] = _fill(start.narrowed, fields) if paths else ""
        fields["command"] = self.adapt(suite.command, paths)
        return write_reporter(start.reporter, fields["report"]) + _fill(start.run, fields)

    def paths(self, tests: Sequence[str]) -> Sequence[str]:
        """What to run so that these tests run, as the framework names it."""
        return self.narrow(tests)


def _fill(template: str, fields: Mapping[str, str]) -> str:
    """The template with every field replaced once: what is filled in is not looked at again."""
    return FIELD.sub(lambda match: fields[match[1]], template).strip()


def write_reporter(reporter: str, report: str) -> str:
    """The shell command that puts one of our own reporters beside the report; empty without one."""
    if not reporter:
        return ""
    content = (HERE / "reporters" / reporter).read_text(encoding="utf-8")
    path = f"{report}.d/{reporter}"
    return f"mkdir -p {shlex.quote(str(PurePosixPath(path).parent))}; printf %s {shlex.quote(content)} > {path}\n"
