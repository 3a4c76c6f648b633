"""Which lines a test run executes. Python's pytest only: elsewhere nothing is known, and the answer says so."""

from __future__ import annotations

import json
import posixpath
import secrets
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from crucible.sandbox import Sandbox
from crucible.suites import Report, Runner, Suite, run_suite

HERE = Path(__file__).parent

Lines = dict[str, set[int]]


def can_trace(suite: Suite, paths: Collection[str]) -> bool:
    """Whether the lines of these files can be watched under this suite."""
    return suite.runner == "pytest" and any(path.endswith(".py") for path in paths)


async def run_traced(
    box: Sandbox, runner: Runner, suite: Suite, wanted: Collection[str], paths: Sequence[str] = ()
) -> tuple[Report, Lines | None]:
    """Run the tests and say which lines of the wanted files were executed; None where that was not written."""
    folder, name = f"/tmp/{secrets.token_hex(12)}", f"lines_{secrets.token_hex(4)}"
    out = f"{folder}/seen.json"
    await box.write(f"{folder}/{name}.py", (await _plugin(box, wanted, out)).encode())
    command = f'PYTHONPATH="{folder}:$PYTHONPATH" {suite.command} -p {name}'
    report = await run_suite(box, runner, suite.model_copy(update={"command": command}), paths)
    try:
        seen = json.loads(await box.read(out))
        return report, {str(path): {int(line) for line in lines} for path, lines in seen.items()}
    except (FileNotFoundError, IsADirectoryError, ValueError, AttributeError, TypeError):
        return report, None


def touches(seen: Mapping[str, Collection[int]], changed: Mapping[str, Collection[int]]) -> list[str]:
    """The changed lines that were executed, as `path:line`."""
    return [
        f"{path}:{line}" for path, lines in sorted(changed.items()) for line in sorted({*lines} & {*seen.get(path, ())})
    ]


async def _plugin(box: Sandbox, wanted: Collection[str], out: str) -> str:
    root = (await box.exec("pwd -P")).out.strip()
    named = {posixpath.join(root, path): path for path in wanted if path.endswith(".py")}
    text = (HERE / "traced_plugin.py").read_text()
    return text.replace("{wanted}", json.dumps(named).replace('"""', "")).replace("{out}", out)
