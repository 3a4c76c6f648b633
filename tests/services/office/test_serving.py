"""Programs that stay in the office suite's box: run as asked, one after the other, and one that is brought down."""

from __future__ import annotations

import subprocess
import sys
from base64 import b64encode
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from services.office.worker import GONE
from tests.patience import wait_until

BOX = Path("services/office/box").absolute()
PROGRAM = """import os, sys
from pathlib import Path
print(Path("in.txt").read_text(), os.getcwd(), sys.argv[1:], file=sys.stderr)
if "crash" in sys.argv:
    os.kill(os.getpid(), 9)
sys.exit(4 if "fails" in sys.argv else None)
"""

Ask = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(params=[("--fork",), ()], ids=["in a process of its own", "in the one that stays"])
def ask(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Ask]:
    place, program, folder = tmp_path / "socket", tmp_path / "program.py", tmp_path / "folder"
    program.write_text(PROGRAM)
    folder.mkdir()
    (folder / "left.txt").write_text("of the document before")
    server = subprocess.Popen([sys.executable, BOX / "serve.py", place, *request.param, "json"], cwd=folder)
    wait_until(place.exists)

    def run(*programs: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
        words = [word for arguments in programs for word in (",", str(place), str(program), *arguments)]
        command = [sys.executable, "-IS", BOX / "ask.py", *words[1:]]
        files = f"in.txt {b64encode(b'told').decode()}\n"
        return subprocess.run(command, input=files, capture_output=True, text=True, cwd=folder, timeout=60)

    yield run
    server.kill()
    server.wait()


def test_files_are_laid_in_an_empty_folder_and_a_programs_end_comes_back(ask: Ask, tmp_path: Path) -> None:
    for words, code in ((("one",), 0), (("fails",), 4), (("two",), 0)):
        done = ask(words)
        assert (done.returncode, done.stderr) == (code, f"told {tmp_path / 'folder'} {list(words)}\n")
    assert [file.name for file in (tmp_path / "folder").iterdir()] == ["in.txt"]


def test_programs_run_one_after_the_other_until_one_fails(ask: Ask) -> None:
    done = ask(("one",), ("fails",), ("two",))
    assert done.returncode == 4
    assert [line.partition("[")[2] for line in done.stderr.splitlines()] == ["'one']", "'fails']"]


def test_a_program_that_is_brought_down_is_told_from_one_that_fails(ask: Ask) -> None:
    done = ask(("crash",))
    assert done.returncode == GONE
    assert "nobody answers" in done.stderr
