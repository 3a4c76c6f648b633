"""Runs Harbor's own agents on the demo's tasks: `python -m peers.harbor.check FOLDER`.

Its oracle must earn 1 and its nop 0 on every one, from Harbor's own command line, on Docker, in the network that the
task asks for: none.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

from peers.stand_ins import make_stand_ins

WANTED = {"oracle": 1.0, "nop": 0.0}
"""The reward of each agent."""
AT_ONCE = "2"


def main(folder: Path) -> None:
    tasks = folder / "demo" / "harbor" / "data"
    program = "peers.harbor.local_images" if make_stand_ins() else "harbor.cli.main"
    for agent, wanted in WANTED.items():
        with tempfile.TemporaryDirectory() as jobs:
            for name, reward in sorted(run_agent(program, agent, tasks, jobs)):
                line = {"tool": f"harbor {version('harbor')}", "format": "harbor", "template": f"{name}, {agent}"}
                print(json.dumps(line | {"ok": reward == wanted, "seen": f"reward {reward}"}), flush=True)


def run_agent(program: str, agent: str, tasks: Path, jobs: str) -> Iterator[tuple[str, Any]]:
    """The reward, or what went wrong, of every task."""
    words = ["run", "-p", str(tasks), "-a", agent, "-n", AT_ONCE, "-o", jobs, "--job-name", agent, "-q", "-y"]
    subprocess.run([sys.executable, "-m", program, *words], check=True, stdout=subprocess.DEVNULL)
    for path in Path(jobs, agent).glob("*/result.json"):
        trial = json.loads(path.read_text())
        rewards = (trial["verifier_result"] or {}).get("rewards")
        failure = (trial["exception_info"] or {}).get("exception_message", "no reward")
        yield trial["task_name"].removeprefix("crucible/"), rewards["reward"] if rewards else failure[-200:]


if __name__ == "__main__":
    main(Path(sys.argv[1]))
