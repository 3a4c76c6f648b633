"""Grades the demo's reference patches with SWE-bench's harness: `python -m peers.swebench.check FOLDER`.

The rows must load in the split `test`, and every gold patch must resolve its instance; doing nothing must resolve none.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

from swebench.harness.utils import load_swebench_dataset, make_test_spec

from peers.stand_ins import make_stand_ins

NOTHING = (
    "diff --git a/.nothing b/.nothing\nnew file mode 100644\n--- /dev/null\n+++ b/.nothing\n@@ -0,0 +1 @@\n+nothing\n"
)


def main(folder: Path) -> None:
    make_stand_ins()
    shards = folder / "demo" / "swe-bench"
    names = [make_test_spec(row).instance_id for row in load_swebench_dataset(str(shards), "test")]
    with tempfile.TemporaryDirectory() as scratch:
        idle = Path(scratch) / "idle.json"
        idle.write_text(
            json.dumps([{"instance_id": name, "model_name_or_path": "idle", "model_patch": NOTHING} for name in names])
        )
        gold = list_resolved(shards, Path(scratch), "gold", "--gold", "--task-repo", str(shards))
        idle_resolved = list_resolved(shards, Path(scratch), "idle", "-p", str(idle))
    for name in names:
        line = {"tool": f"swebench {version('swebench')}", "format": "swe-bench", "template": name}
        seen = f"gold {resolution(name in gold)}, nothing done {resolution(name in idle_resolved)}"
        print(json.dumps(line | {"ok": name in gold and name not in idle_resolved, "seen": seen}), flush=True)


def list_resolved(shards: Path, scratch: Path, run: str, *words: str) -> list[str]:
    """The instances that the harness's own command calls resolved, by their reports: in its summary it looks at every
    container of the engine, and ends badly where one that is not its own goes away meanwhile."""
    command = [str(Path(sys.executable).with_name("swebench")), "eval", str(shards), "--run-id", run, "-j", "1", *words]
    subprocess.run(command, cwd=scratch, check=False, stdout=subprocess.DEVNULL)
    reports = [json.loads(path.read_text()) for path in scratch.glob(f"logs/run_evaluation/{run}/*/*/report.json")]
    return [name for report in reports for name, seen in report.items() if seen["resolved"]]


def resolution(is_resolved: bool) -> str:
    return "resolved" if is_resolved else "not resolved"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
