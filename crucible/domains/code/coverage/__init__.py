"""Which lines a test run executes: in Python, Go, and JavaScript as it is written. Elsewhere nothing is known, and the
answer says so."""

from __future__ import annotations

import json
import posixpath
import re
import secrets
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from crucible.domains.code.suite import Report, Runner, Suite, run_suite
from crucible.sandbox import Sandbox

HERE = Path(__file__).parent
EXECUTED_BLOCK = re.compile(r"^(\S+):(\d+)\.\d+,(\d+)\.\d+ \d+ [1-9]\d*$", re.MULTILINE)
# matches: "example.org/sums/sums.go:4.23,6.3 2 1", lines 4 to 6 of a Go profile, executed once

Lines = dict[str, set[int]]
"""Numbers of lines, by path."""


class Tracer(NamedTuple):
    """How a test framework is made to tell which lines it executes."""

    suffixes: tuple[str, ...]
    """Of the files whose lines can be traced."""
    command: Callable[[Sandbox, Suite, Collection[str], str], Awaitable[str]]
    """The suite's command, so that it writes what it executes of these files to a path in the box."""
    read: Callable[[Sandbox, str, Collection[str]], Awaitable[Lines]]
    """The lines that were written to that path."""


def can_trace(suite: Suite, paths: Collection[str]) -> bool:
    """Whether the lines of these files, or of some, can be traced under this suite."""
    tracer = TRACERS.get(suite.runner)
    return tracer is not None and any(path.endswith(tracer.suffixes) for path in paths)


async def run_traced(
    box: Sandbox, runner: Runner, suite: Suite, files: Collection[str], paths: Sequence[str] = ()
) -> tuple[Report, Lines | None]:
    """Run the tests; the report, and the lines of these files that were executed (None where that was not written)."""
    tracer, out = TRACERS[suite.runner], f"/tmp/{secrets.token_hex(12)}/seen"
    await box.write(out, b"")
    command = await tracer.command(box, suite, [path for path in files if path.endswith(tracer.suffixes)], out)
    report = await run_suite(box, runner, suite.model_copy(update={"command": command}), paths)
    try:
        return report, await tracer.read(box, out, files)
    except (FileNotFoundError, IsADirectoryError, ValueError, AttributeError, TypeError):
        return report, None


def executed_lines(executed: Mapping[str, Collection[int]], changed: Mapping[str, Collection[int]]) -> list[str]:
    """The changed lines that were executed, as `path:line`."""
    return [
        f"{path}:{line}"
        for path, lines in sorted(changed.items())
        for line in sorted({*lines} & {*executed.get(path, ())})
    ]


async def _pytest_command(box: Sandbox, suite: Suite, files: Collection[str], out: str) -> str:
    """The suite's command with a plugin of ours for pytest, which writes the lines as JSON."""
    root, name = (await box.exec("pwd -P")).out.strip(), f"lines_{secrets.token_hex(4)}"
    paths = {posixpath.join(root, path): path for path in files}
    text = (HERE / "plugin.py").read_text()
    plugin = text.replace("{wanted}", json.dumps(paths).replace('"""', "")).replace("{out}", out)
    folder = posixpath.dirname(out)
    await box.write(f"{folder}/{name}.py", plugin.encode())
    return f'PYTHONPATH="{folder}:$PYTHONPATH" {suite.command} -p {name}'


async def _read_pytest_lines(box: Sandbox, out: str, files: Collection[str]) -> Lines:
    return _parse_lines((await box.read(out)).decode())


def _parse_lines(written: str) -> Lines:
    return {str(path): {int(line) for line in lines} for path, lines in json.loads(written).items()}


async def _go_command(box: Sandbox, suite: Suite, files: Collection[str], out: str) -> str:
    """The suite's command with Go's own coverage, of all packages by the tests of all."""
    return f'export GOFLAGS="$GOFLAGS -coverprofile={out} -coverpkg=./..."; {suite.command}'


async def _read_go_lines(box: Sandbox, out: str, files: Collection[str]) -> Lines:
    return parse_go_profile((await box.read(out)).decode(), files)


def parse_go_profile(profile: str, files: Collection[str]) -> Lines:
    """The executed lines of a Go coverage profile. It names a file by its import path, of which the path in the
    repository is the end."""
    executed: Lines = {}
    for name, first, last in EXECUTED_BLOCK.findall(profile):
        path = max((path for path in files if f"/{name}".endswith(f"/{path}")), key=len, default="")
        executed.setdefault(path, set()).update(range(int(first), int(last) + 1))
    return _require_lines(executed)


async def _v8_command(box: Sandbox, suite: Suite, files: Collection[str], out: str) -> str:
    """The suite's command with V8's coverage: every process of Node leaves a file when it ends."""
    return f"export NODE_V8_COVERAGE={posixpath.dirname(out)}/v8; {suite.command}"


async def _read_v8_lines(box: Sandbox, out: str, files: Collection[str]) -> Lines:
    folder = posixpath.dirname(out)
    await box.write(f"{folder}/lines.cjs", (HERE / "v8.cjs").read_bytes())
    done = await box.exec(f"node {folder}/lines.cjs {folder}/v8", stdin=json.dumps([*files]).encode())
    return _require_lines(_parse_lines(done.out))


def _require_lines(executed: Lines) -> Lines:
    """The lines; ValueError when there are none."""
    if not executed:
        raise ValueError("nothing was executed, or nothing was written")
    return executed


V8_TRACER = Tracer((".js", ".mjs", ".cjs"), _v8_command, _read_v8_lines)
TRACERS = {
    "pytest": Tracer((".py",), _pytest_command, _read_pytest_lines),
    "go": Tracer((".go",), _go_command, _read_go_lines),
    **dict.fromkeys(("node", "mocha", "tap", "ava"), V8_TRACER),
}
"""By the runner's name."""
