"""A small repository with a bug, the task to fix it, and a box to do it in."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from crucible.model import Reference, Task
from crucible.sandbox import Env
from tests.agents.directory import DirectoryBox

BUG = "def add(a, b):\n    return a - b\n"
TEST = "from shelf import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n"
PATCH = """diff --git a/shelf/__init__.py b/shelf/__init__.py
--- a/shelf/__init__.py
+++ b/shelf/__init__.py
@@ -1,2 +1,2 @@
 def add(a, b):
-    return a - b
+    return a + b
"""


def git(folder: Path, *arguments: str) -> str:
    """Run git in a folder, as somebody with a name."""
    who = ("-c", "user.name=a", "-c", "user.email=a@b.c")
    return subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    for path, text in {"shelf/__init__.py": BUG, "tests/test_add.py": TEST, ".gitignore": "*.pyc\n"}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "start")
    return folder


@pytest.fixture
def box(repository: Path) -> DirectoryBox:
    return DirectoryBox(repository)


@pytest.fixture
def task(repository: Path) -> Task:
    return Task(
        domain="swe",
        kind="bugfix",
        instruction="add() subtracts. Make it add. Leave {workdir} and {braces} alone.",
        env=Env(workdir=str(repository)),
        reference=Reference(patch=PATCH),
    )


@pytest.fixture
def applied(repository: Path, tmp_path: Path) -> Callable[[bytes], Path]:
    """Lay a diff over a fresh clone of the base, as a grader would."""

    def apply(patch: bytes) -> Path:
        clone = tmp_path / "clone"
        base = git(repository, "rev-list", "--max-parents=0", "HEAD").strip()
        git(tmp_path, "clone", "-q", str(repository), str(clone))
        git(clone, "checkout", "-q", base)
        subprocess.run(["git", "apply", "--binary", "-"], cwd=clone, input=patch, check=True)
        return clone

    return apply
