"""Shipped with a Harbor folder, and all it needs with it: the test framework's own reader, and what stands in for the
rest of the product. Python's library is enough.

    python3 -IB grade restore WANTED       undoes what was done to files that decide how tests run
    python3 -IB grade lay WANTED           puts the task's tests into the source files that hold tests
    python3 -IB grade reward WANTED LOGS   reads report, code, out and err; writes reward.txt, and why.txt
"""

from __future__ import annotations

import importlib
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from crucible.domains.code.suite import Report, find_runner
from crucible.sandbox import Done
from verifiers.protection import has_settings, is_protected, settings_differ, stands_in

LARGEST = 32 << 20
PRINTED = 1 << 20
"""How much is looked at of the end of what was printed."""

BASE = Path("/opt/.base.git")
"""The history as the image was built with it: whoever works in the tree cannot write there."""

Wanted = dict[str, Any]


def restore() -> None:
    """Bring back what decides how tests run, and take away what was added to it; what is ignored is told anew first."""
    if BASE.is_dir():
        for path in [path for path in _touched() if Path(path).name == ".gitignore"]:
            _restore(path)
        for path in [path for path in _touched() if _belongs(path) or _differs(path)]:
            _restore(path)


def _touched() -> Iterator[str]:
    """What differs from the base, and what is not in it."""
    for words in (("diff", "--name-only", "--no-renames", "HEAD"), ("ls-files", "--others", "--exclude-standard")):
        yield from filter(None, _git(words[0], "-z", *words[1:]).decode("utf-8", "surrogateescape").split("\0"))


def _belongs(path: str) -> bool:
    """Whether the file belongs to the test run and is not, as part of a test runner, the repository's own code."""
    module = stands_in(path)
    return is_protected(path) and not (module and _git("ls-tree", "HEAD", "--", f":(literal){module}"))


def _differs(path: str) -> bool:
    if not has_settings(path):
        return False
    now = Path(path).read_text(errors="replace") if Path(path).is_file() else ""
    return settings_differ(path, now, _git("show", f"HEAD:{path}", sure=False).decode(errors="replace"))


def _restore(path: str) -> None:
    there = Path(path)
    if there.is_dir() and not there.is_symlink():
        shutil.rmtree(there)
    else:
        there.unlink(missing_ok=True)
    if _git("ls-tree", "HEAD", "--", f":(literal){path}"):
        _git("checkout", "HEAD", "--", f":(literal){path}")


def _git(*words: str, sure: bool = True) -> bytes:
    command = [
        "git",
        f"--git-dir={BASE}",
        "--work-tree=.",
        "-c",
        "core.fsmonitor=false",
        "-c",
        "core.hooksPath=/dev/null",
    ]
    return subprocess.run([*command, *words], check=sure, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout


def lay(wanted: Wanted) -> None:
    """Give each source file these tests instead of its own. Where the file is gone there is no code to test."""
    for path, tests in wanted["inline"].items():
        if Path(path).is_file():
            _exchange(Path(path), tests)


def _exchange(file: Path, tests: str) -> None:
    from crucible.domains.code.inline_tests import exchanged  # shipped only where it is needed

    there = file.read_bytes().decode("utf-8", "surrogateescape")
    text = exchanged(there, tests)
    if text != there:
        _replace(file, text.encode("utf-8", "surrogateescape"))


def _replace(file: Path, data: bytes) -> None:
    """Whatever link stands there, or where one of its folders should be, nothing is written through it."""
    for place in (*reversed(file.parents), file):
        if place.is_symlink():
            place.unlink()
    file.parent.mkdir(parents=True, exist_ok=True)
    mode = file.stat().st_mode if file.exists() else 0o644
    file.unlink(missing_ok=True)
    file.write_bytes(data)
    file.chmod(mode & 0o777)


def read(wanted: Wanted, report: bytes, done: Done) -> Report:
    """What each test did, as the framework's own reader says."""
    importlib.import_module(wanted["module"])
    found: Report = find_runner(wanted["runner"]).parse(report, done)
    return found


def reward(wanted: Wanted, report: Report) -> int:
    """1 when the report is whole and honest, all that must pass has passed, and nothing that passed before fails."""
    failing = bool(report.broken) or "failed" in report.outcomes.values()
    honest = report.complete and (report.code == 0) == (not failing)
    fixed = all(report.passed(test) for test in wanted["fail_to_pass"])
    kept = all(report.passed(test) or report.outcomes.get(test) == "skipped" for test in wanted["pass_to_pass"])
    return int(honest and fixed and kept)


def grade(wanted: Wanted, logs: Path) -> None:
    """Leave the reward in the logs; where this fails, whatever reward is there already stays."""
    report = logs / "report"
    whole = report.is_file() and report.stat().st_size <= LARGEST
    code, out, err = int((logs / "code").read_text()), _end(logs / "out"), _end(logs / "err")
    found = read(wanted, report.read_bytes() if whole else b"", Done(code=code, out=out, err=err))
    (logs / "why.txt").write_text(f"{found.why}\n")
    (logs / "reward.txt").write_text(f"{reward(wanted, found)}\n")


def _end(file: Path) -> str:
    with file.open("rb") as opened:
        opened.seek(max(0, file.stat().st_size - PRINTED))
        return opened.read().decode(errors="replace")


def main(word: str, wanted: str, *logs: str) -> None:
    told: Wanted = json.loads(Path(wanted).read_text(encoding="utf-8"))
    if word == "reward":
        grade(told, Path(logs[0]))
    else:
        restore() if word == "restore" else lay(told)


if __name__ == "__main__":
    main(*sys.argv[1:])
