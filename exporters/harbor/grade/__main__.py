"""The program that grades in a Harbor folder. It is shipped with the reader of the task's test framework and whatever
else it imports, as these files are here; Python's standard library is enough.

    python3 -IB grade restore WANTED       undoes what was done to files that decide how tests run
    python3 -IB grade lay WANTED           puts the task's tests into the source files that hold tests
    python3 -IB grade alter WANTED FOLDER  writes twins of the tests there: files/, and a WANTED of their own
    python3 -IB grade reward WANTED LOGS   reads report, code, out and err; writes reward.txt, why.txt and tests.tap
"""

from __future__ import annotations

import importlib
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import SystemRandom
from typing import Any

from crucible.domains.code.altering import apply_twins, draw_twins
from crucible.domains.code.outcomes import Report
from verifiers.protected_files import has_settings, is_protected, settings_differ, stand_in_module, test_folder

LARGEST_REPORT_BYTES = 32 << 20
PRINTED_BYTES = 1 << 20
"""How much is looked at of the end of what was printed."""

BASE = Path("/opt/.base.git")
"""The history as the image was built with it: whoever works in the tree cannot write there."""

Wanted = dict[str, Any]
"""`wanted.json`: which framework's reader reads the report, which tests must pass, tests within source files, and
alterations of the tests (`twins`), of which those drawn name the tests that must fail (`altered`)."""


@dataclass(frozen=True)
class Altered:
    """One alteration of the tests, as `wanted.json` has it."""

    path: str
    start: int
    end: int
    text: str
    test: str = ""
    is_value: bool = False
    fails: Sequence[str] = ()
    gone: Sequence[str] = ()


@dataclass(frozen=True)
class EndedCommand:
    """How the command that ran the tests ended, as a reader of reports wants to know it."""

    code: int
    out: str = ""
    err: str = ""
    stopped: str = ""


def restore() -> None:
    """Bring back what decides how tests run, and take away what was added to it; what is ignored is told anew first."""
    if BASE.is_dir():
        for path in [path for path in _touched_paths() if Path(path).name == ".gitignore"]:
            _restore_path(path)
        for path in [path for path in _touched_paths() if _belongs_to_run(path) or _settings_differ(path)]:
            _restore_path(path)


def _touched_paths() -> Iterator[str]:
    """What differs from the base, and what is not in it."""
    for words in (("diff", "--name-only", "--no-renames", "HEAD"), ("ls-files", "--others", "--exclude-standard")):
        yield from filter(None, _git(words[0], "-z", *words[1:]).decode("utf-8", "surrogateescape").split("\0"))


def _belongs_to_run(path: str) -> bool:
    """Whether the file belongs to the test run and is not, as part of a test runner, the repository's own code, nor in
    a folder that is called like one of tests and new."""
    module, folder = stand_in_module(path), test_folder(path)
    return is_protected(path) and not (module and _in_base(module)) and (not folder or _in_base(folder))


def _in_base(path: str) -> bool:
    return bool(_git("ls-tree", "HEAD", "--", f":(literal){path}"))


def _settings_differ(path: str) -> bool:
    """Whether the file's settings of the test run are not those of the base."""
    if not has_settings(path):
        return False
    now = Path(path).read_text(errors="replace") if Path(path).is_file() else ""
    return settings_differ(path, now, _git("show", f"HEAD:{path}", must_succeed=False).decode(errors="replace"))


def _restore_path(path: str) -> None:
    there = Path(path)
    if there.is_dir() and not there.is_symlink():
        shutil.rmtree(there)
    else:
        there.unlink(missing_ok=True)
    if _in_base(path):
        _git("checkout", "HEAD", "--", f":(literal){path}")


def _git(*words: str, must_succeed: bool = True) -> bytes:
    """What a git command prints about the base and the tree in the current folder."""
    command = [
        "git",
        f"--git-dir={BASE}",
        "--work-tree=.",
        "-c",
        "core.fsmonitor=false",
        "-c",
        "core.hooksPath=/dev/null",
    ]
    return subprocess.run(
        [*command, *words], check=must_succeed, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ).stdout


def lay_inline_tests(wanted: Wanted) -> None:
    """Give each source file these tests instead of its own. Where the file is gone there is no code to test."""
    for path, tests in wanted["inline"].items():
        if Path(path).is_file():
            _exchange_tests(Path(path), tests)


def _exchange_tests(file: Path, tests: str) -> None:
    from crucible.domains.code.inline_tests import replace_tests  # shipped only where it is needed

    before = file.read_bytes().decode("utf-8", "surrogateescape")
    text = replace_tests(before, tests)
    if text != before:
        _replace(file, text.encode("utf-8", "surrogateescape"))


def _replace(file: Path, data: bytes) -> None:
    """Write a file anew. Whatever link stands there, or where one of its folders should be, nothing is written through
    it."""
    for place in (*reversed(file.parents), file):
        if place.is_symlink():
            place.unlink()
    file.parent.mkdir(parents=True, exist_ok=True)
    mode = file.stat().st_mode if file.exists() else 0o644
    file.unlink(missing_ok=True)
    file.write_bytes(data)
    file.chmod(mode & 0o777)


def read_report(wanted: Wanted, report: bytes, done: EndedCommand) -> Report:
    """What each test did, as the framework's own reader says."""
    readers = importlib.import_module(wanted["module"]).READERS
    parsed: Report = readers[wanted["runner"]].parse(report, done)
    return parsed


def alter_tests(wanted_file: Path, folder: Path) -> None:
    """Write a fresh draw of twins, which right code fails, one of each test: files that are laid whole, and a
    `wanted.json` that names the tests which must fail."""
    wanted: Wanted = json.loads(wanted_file.read_text(encoding="utf-8"))
    draw = draw_twins([Altered(**twin) for twin in wanted["twins"]], SystemRandom())
    files = {twin.path: wanted_file.parent / "files" / twin.path for twin in draw if twin.path not in wanted["inline"]}
    texts = {path: file.read_bytes().decode() for path, file in files.items()}
    for path, text in apply_twins(texts, [twin for twin in draw if twin.path in texts]).items():
        (folder / "files" / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / "files" / path).write_bytes(text.encode())
    inline = apply_twins(wanted["inline"], [twin for twin in draw if twin.path not in texts])
    altered = sorted({test for twin in draw for test in twin.fails})
    (folder / "wanted.json").write_text(json.dumps({**wanted, "inline": inline, "altered": altered}), encoding="utf-8")


def compute_reward(wanted: Wanted, report: Report) -> int:
    """1 when the report is whole and honest, and all that must pass has passed; for twins, when every altered test has
    failed. With the reference every one of these tests passes, so one that is skipped, or expected to fail, is
    lost: code under test can say so of a test that it would fail."""
    if "altered" in wanted:
        return int(report.complete and all(report.outcomes.get(test) == "failed" for test in wanted["altered"]))
    return int(report.complete and report.is_honest and all(map(report.passed, _counted_tests(wanted))))


def list_outcomes(wanted: Wanted, report: Report) -> Iterator[str]:
    """A line of TAP for every test that counts."""
    for number, test in enumerate(_counted_tests(wanted), start=1):
        yield f"{'ok' if report.passed(test) else 'not ok'} {number} {test}\n"


def _counted_tests(wanted: Wanted) -> list[str]:
    """The tests that must pass: those that failed, and those that passed before."""
    return list(dict.fromkeys([*wanted["fail_to_pass"], *wanted["pass_to_pass"]]))


def grade(wanted: Wanted, logs: Path) -> None:
    """Leave the reward in the logs; where this fails, whatever reward is there already stays."""
    file = logs / "report"
    is_readable = file.is_file() and file.stat().st_size <= LARGEST_REPORT_BYTES
    code, out, err = int((logs / "code").read_text()), _read_end(logs / "out"), _read_end(logs / "err")
    report = read_report(wanted, file.read_bytes() if is_readable else b"", EndedCommand(code=code, out=out, err=err))
    reward = compute_reward(wanted, report)
    if "altered" not in wanted:
        (logs / "tests.tap").write_text("".join(list_outcomes(wanted, report)), encoding="utf-8")
    passes_twins = report.complete and "altered" in wanted and not reward
    (logs / "why.txt").write_text("a test passes that right code fails\n" if passes_twins else f"{report.why}\n")
    (logs / "reward.txt").write_text(f"{reward}\n")


def _read_end(file: Path) -> str:
    """The end of what was printed."""
    with file.open("rb") as opened:
        opened.seek(max(0, file.stat().st_size - PRINTED_BYTES))
        return opened.read().decode(errors="replace")


def main(verb: str, wanted_file: str, *logs: str) -> None:
    wanted: Wanted = json.loads(Path(wanted_file).read_text(encoding="utf-8"))
    if verb == "alter":
        alter_tests(Path(wanted_file), Path(logs[0]))
    elif verb == "reward":
        grade(wanted, Path(logs[0]))
    else:
        restore() if verb == "restore" else lay_inline_tests(wanted)


if __name__ == "__main__":
    main(*sys.argv[1:])
