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
BLOCK = re.compile(r"^(\S+):(\d+)\.\d+,(\d+)\.\d+ \d+ [1-9]\d*$", re.MULTILINE)
"""A stretch of lines in Go's coverage profile that was executed."""

Lines = dict[str, set[int]]


class Tracer(NamedTuple):
    """How a framework is made to tell."""

    suffixes: tuple[str, ...]
    """Files that can be watched."""
    command: Callable[[Sandbox, Suite, Collection[str], str], Awaitable[str]]
    """The suite's command, so that it writes what it executes of these files to a path in the box."""
    read: Callable[[Sandbox, str, Collection[str]], Awaitable[Lines]]
    """What it wrote there."""


def can_trace(suite: Suite, paths: Collection[str]) -> bool:
    """Whether the lines of these files, or of some, can be watched under this suite."""
    watch = TRACERS.get(suite.runner)
    return watch is not None and any(path.endswith(watch.suffixes) for path in paths)


async def run_traced(
    box: Sandbox, runner: Runner, suite: Suite, wanted: Collection[str], paths: Sequence[str] = ()
) -> tuple[Report, Lines | None]:
    """Run the tests and say which lines of the wanted files were executed; None where that was not written."""
    watch, out = TRACERS[suite.runner], f"/tmp/{secrets.token_hex(12)}/seen"
    await box.write(out, b"")
    command = await watch.command(box, suite, [path for path in wanted if path.endswith(watch.suffixes)], out)
    report = await run_suite(box, runner, suite.model_copy(update={"command": command}), paths)
    try:
        return report, await watch.read(box, out, wanted)
    except (FileNotFoundError, IsADirectoryError, ValueError, AttributeError, TypeError):
        return report, None


def executed_lines(seen: Mapping[str, Collection[int]], changed: Mapping[str, Collection[int]]) -> list[str]:
    """The changed lines that were executed, as `path:line`."""
    return [
        f"{path}:{line}" for path, lines in sorted(changed.items()) for line in sorted({*lines} & {*seen.get(path, ())})
    ]


async def _pytest_command(box: Sandbox, suite: Suite, wanted: Collection[str], out: str) -> str:
    """pytest with a plugin of ours."""
    root, name = (await box.exec("pwd -P")).out.strip(), f"lines_{secrets.token_hex(4)}"
    named = {posixpath.join(root, path): path for path in wanted}
    text = (HERE / "plugin.py").read_text()
    plugin = text.replace("{wanted}", json.dumps(named).replace('"""', "")).replace("{out}", out)
    folder = posixpath.dirname(out)
    await box.write(f"{folder}/{name}.py", plugin.encode())
    return f'PYTHONPATH="{folder}:$PYTHONPATH" {suite.command} -p {name}'


async def _read_pytest_lines(box: Sandbox, out: str, wanted: Collection[str]) -> Lines:
    return _parse_lines((await box.read(out)).decode())


def _parse_lines(written: str) -> Lines:
    return {str(path): {int(line) for line in lines} for path, lines in json.loads(written).items()}


async def _go_command(box: Sandbox, suite: Suite, wanted: Collection[str], out: str) -> str:
    """Go with its own coverage, of all packages by the tests of all."""
    return f'export GOFLAGS="$GOFLAGS -coverprofile={out} -coverpkg=./..."; {suite.command}'


async def _read_go_lines(box: Sandbox, out: str, wanted: Collection[str]) -> Lines:
    return parse_go_profile((await box.read(out)).decode(), wanted)


def parse_go_profile(profile: str, wanted: Collection[str]) -> Lines:
    """Go names a file by its import path, of which the path in the repository is the end."""
    seen: Lines = {}
    for name, first, last in BLOCK.findall(profile):
        path = max((one for one in wanted if f"/{name}".endswith(f"/{one}")), key=len, default="")
        seen.setdefault(path, set()).update(range(int(first), int(last) + 1))
    return _require_lines(seen)


async def _v8_command(box: Sandbox, suite: Suite, wanted: Collection[str], out: str) -> str:
    """Node, whose every process leaves a file when it ends."""
    return f"export NODE_V8_COVERAGE={posixpath.dirname(out)}/v8; {suite.command}"


async def _read_v8_lines(box: Sandbox, out: str, wanted: Collection[str]) -> Lines:
    folder = posixpath.dirname(out)
    await box.write(f"{folder}/lines.cjs", (HERE / "v8.cjs").read_bytes())
    done = await box.exec(f"node {folder}/lines.cjs {folder}/v8", stdin=json.dumps([*wanted]).encode())
    return _require_lines(_parse_lines(done.out))


def _require_lines(seen: Lines) -> Lines:
    if not seen:
        raise ValueError("nothing was executed, or nothing was written")
    return seen


V8_TRACER = Tracer((".js", ".mjs", ".cjs"), _v8_command, _read_v8_lines)
TRACERS = {
    "pytest": Tracer((".py",), _pytest_command, _read_pytest_lines),
    "go": Tracer((".go",), _go_command, _read_go_lines),
    **dict.fromkeys(("node", "mocha", "tap", "ava"), V8_TRACER),
}
"""By runner."""
