"""Builds an environment for each tool and tries our exports in it: `python -m peers.run [TOOL...]`.

A tool is a folder here with a `requirements.txt` and a module `check`, which prints a line of JSON for everything it
tried: tool, format, template, ok, seen. The environments are gigabytes and lie outside the checkout, in `PEERS_HOME`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.table import Table

HERE = Path(__file__).parent
HOME = Path(os.environ.get("PEERS_HOME", Path.home() / ".cache" / "crucible-peers"))


def main(names: list[str]) -> int:
    tools = names or sorted(path.parent.name for path in HERE.glob("*/requirements.txt"))
    table = Table("tool", "format", "template", "", "seen", box=None)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "peers.odd_attempts", folder], check=True, cwd=HERE.parent)
        for tool in tools:
            for line in try_tool(tool, Path(folder)):
                table.add_row(
                    line["tool"], line["format"], line["template"], "ok" if line["ok"] else "NO", line["seen"]
                )
                failed += not line["ok"]
    Console(width=200).print(table)
    return int(failed > 0)


def try_tool(tool: str, exports: Path) -> Iterator[dict[str, str]]:
    """What the tool's check says of the exports."""
    offline = os.environ | {"HF_HUB_OFFLINE": "1", "HF_DATASETS_CACHE": str(exports / "cache"), "PYTHONPATH": "."}
    command = [make_environment(tool), "-W", "ignore", "-m", f"peers.{tool}.check", str(exports)]
    done = subprocess.run(command, cwd=HERE.parent, env=offline, stdout=subprocess.PIPE, text=True, check=True)
    return (json.loads(line) for line in done.stdout.splitlines() if line.startswith('{"tool"'))


def make_environment(tool: str) -> str:
    """The interpreter of the tool's environment, which is made where it is missing or its requirements have changed."""
    place, wanted = HOME / tool, (HERE / tool / "requirements.txt").read_text()
    python, made_of = place / "bin" / "python", place / "requirements.txt"
    if not made_of.exists() or made_of.read_text() != wanted:
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(place)], check=True)
        requirements = str(HERE / tool / "requirements.txt")
        subprocess.run([str(python), "-m", "pip", "install", "-q", "-r", requirements], check=True)
        made_of.write_text(wanted)
    return str(python)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
