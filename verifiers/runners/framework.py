"""What test frameworks have in common: started from a row of `commands.toml`, read by a function, graded by one rule.

The rule: a report is a grade only if the framework came to its own end, the report is whole and counts a test, and
the exit code says the same as the report. A compiler's refusal is told apart from that, because it decides something.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from crucible.datafile import row
from crucible.domains.code.suite import Canary, Report, Status, Suite
from crucible.record import Record
from crucible.sandbox import Done
from verifiers.runners.junit import BadReport
from verifiers.runners.text import clean

HERE = Path(__file__).parent
WORST: dict[Status, int] = {"failed": 3, "skipped": 2, "xfailed": 1, "passed": 0}
LOG = 6000


class Start(Record):
    """A row of `commands.toml`: how a framework is made to report."""

    run: str
    """The shell script. {command} is the suite's own, {report} the file to write (`{report}.d/` is a folder of the
    same owner), {token} a name nobody can guess, {paths} what to run."""
    narrowed: str = "{paths}"
    """What stands for {paths} when there are some: {paths} as words, {list} joined by commas."""
    reporter: str = ""
    """A file of `reporters/` that is put into `{report}.d/` first."""
    last: int = 1
    """The exit codes from zero to this one are its own."""
    broken: tuple[str, ...] = ()
    """What it prints when something does not compile; the line that matches says what."""


@dataclass(frozen=True)
class Found:
    """What a reader made of a report."""

    outcomes: dict[str, Status] = field(default_factory=dict)
    broken: str = ""
    """What does not compile."""
    why: str = ""
    """Why this cannot be the whole report."""
    log: str = ""
    """What the report holds of the framework's output, where it does not reach the screen."""


Read = Callable[[bytes, Done], Found]
Hatch = Callable[[Sequence[str], Mapping[str, str]], Canary | None]


def files_of(tests: Sequence[str]) -> Sequence[str]:
    """The files of tests called `path::name`."""
    return sorted({test.partition("::")[0] for test in tests})


def everything(tests: Sequence[str]) -> Sequence[str]:
    """For a framework of which only all can be run."""
    return ()


def no_canary(tests: Sequence[str], files: Mapping[str, str]) -> Canary | None:
    """For a framework whose tests are listed somewhere, or compiled beforehand."""
    return None


def as_it_is(command: str, paths: Sequence[str]) -> str:
    """Options can be put behind the command."""
    return command


def patient(command: str, paths: Sequence[str]) -> str:
    """The command with the longer limit of `commands.toml` for each test, unless it sets one itself."""
    return command if "imeout" in command else f"{command} $limit"


@dataclass(frozen=True)
class Framework:
    """One test framework, put together from functions. Implements `crucible.domains.code.suite.Runner`."""

    name: str
    read: Read
    narrow: Callable[[Sequence[str]], Sequence[str]] = everything
    hatch: Hatch = no_canary
    adapt: Callable[[str, Sequence[str]], str] = as_it_is
    """The suite's command, made ready for options behind it."""

    @property
    def start(self) -> Start:
        return row(HERE / "commands.toml", self.name, Start)

    def command(self, suite: Suite, report: str, paths: Sequence[str]) -> str:
        """The script of `commands.toml`, filled in."""
        start = self.start
        fields = {"report": shlex.quote(report), "token": PurePosixPath(report).parent.name}
        fields["list"] = shlex.quote(",".join(paths))
        fields["paths"] = shlex.join(paths)
        fields["paths"] = _filled(start.narrowed, fields) if paths else ""
        fields["command"] = self.adapt(suite.command, paths)
        return _laid(start.reporter, fields["report"]) + _filled(start.run, fields)

    def parse(self, report: bytes, done: Done) -> Report:
        """What each test did; complete only by the rule above."""
        try:
            found = self.read(report, done)
        except BadReport as bad:
            found = Found(why=str(bad))
        if done.code and not done.stopped and not found.broken:
            found = replace(found, broken=_broken(self.start, f"{done.out}\n{done.err}\n{found.log}"))
        if done.stopped:
            found = replace(found, broken="")
        log = f"{found.log}\n{done.out}\n{done.err}".strip()[-LOG:]
        why = _why(self.name, found, done, self.start.last)
        return Report(outcomes=found.outcomes, complete=not why, code=done.code, why=why, broken=found.broken, log=log)

    def paths(self, tests: Sequence[str]) -> Sequence[str]:
        """As the framework names what can be run."""
        return self.narrow(tests)

    def canary(self, tests: Sequence[str], files: Mapping[str, str]) -> Canary | None:
        """A failing test of the same kind."""
        return self.hatch(tests, files)


def merged(found: Iterable[tuple[str, Status]]) -> dict[str, Status]:
    """Where a test is reported twice the worse counts."""
    outcomes: dict[str, Status] = {}
    for name, status in found:
        outcomes[name] = max(status, outcomes.get(name, "passed"), key=WORST.__getitem__)
    return outcomes


def _filled(template: str, fields: Mapping[str, str]) -> str:
    """Every field replaced once: what is filled in is not looked at again."""
    return re.sub(r"\{(command|report|token|paths|list)\}", lambda match: fields[match[1]], template).strip()


def _laid(reporter: str, report: str) -> str:
    if not reporter:
        return ""
    content = (HERE / "reporters" / reporter).read_text(encoding="utf-8")
    place = f"{report}.d/{reporter}"
    return f"mkdir -p {shlex.quote(str(PurePosixPath(place).parent))}; printf %s {shlex.quote(content)} > {place}\n"


def _broken(start: Start, text: str) -> str:
    lines = clean(text).splitlines()
    return next((line.strip()[:300] for pattern in start.broken for line in lines if re.search(pattern, line)), "")


def _why(name: str, found: Found, done: Done, last: int) -> str:
    failing = bool(found.broken) or "failed" in found.outcomes.values()
    if done.stopped:
        return f"{name} was stopped: {done.stopped}"
    if not 0 <= done.code <= last:
        return f"{name} ended with code {done.code}, not its own"
    if found.why:
        return found.why
    if not found.outcomes:
        return "nothing could be built" if found.broken else "the report counts no tests"
    if done.code and not failing:
        return f"{name} ended with code {done.code}, but by the report no test failed"
    return f"{name} ended with code 0, but by the report something failed" if failing and not done.code else ""
