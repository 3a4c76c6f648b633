"""Programs that stay in the office suite's box: run as asked, with the asker's files, and one that is brought down."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from services.office.worker import GONE
from tests.patience import wait_until

BOX = Path("services/office/box").absolute()
PROGRAM = """import os, sys
print(sys.stdin.read(), os.getcwd(), sys.argv[1:])
if "crash" in sys.argv:
    os.kill(os.getpid(), 9)
sys.exit(4 if "fails" in sys.argv else None)
"""

Ask = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(params=[("--fork",), ()], ids=["in a process of its own", "in the one that stays"])
def ask(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Ask]:
    place, program = tmp_path / "socket", tmp_path / "program.py"
    program.write_text(PROGRAM)
    server = subprocess.Popen([sys.executable, BOX / "serve.py", place, *request.param, "json"])
    wait_until(place.exists)

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-IS", BOX / "ask.py", place, program, *words]
        return subprocess.run(command, input="told", capture_output=True, text=True, cwd=tmp_path, timeout=60)

    yield run
    server.kill()
    server.wait()


def test_a_program_has_the_askers_files_and_folder_and_its_exit_code_comes_back(ask: Ask, tmp_path: Path) -> None:
    for words, code in ((("one",), 0), (("fails",), 4), (("two",), 0)):
        done = ask(*words)
        assert (done.returncode, done.stdout) == (code, f"told {tmp_path} {list(words)}\n")


def test_a_program_that_is_brought_down_is_told_from_one_that_fails(ask: Ask) -> None:
    done = ask("crash")
    assert done.returncode == GONE
    assert "nobody answers" in done.stderr
