"""The proof that CONTRIBUTING shows does what it says."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path
from typing import Any

import pytest

from crucible import parts
from crucible.model import Task

TEXT = (Path(__file__).parents[3] / "CONTRIBUTING.md").read_text("utf-8")
IMPORTS = """
from __future__ import annotations
from collections.abc import *
from crucible.model import *
from crucible.parts import *
from crucible.proving import *
"""


@pytest.fixture(autouse=True)
def _registry(monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in parts.FOLDERS:
        list(parts.every(kind))
    monkeypatch.setattr(parts, "_known", dict(parts._known))


def load_example(place: str) -> dict[str, Any]:
    """Run the code that is shown for a file."""
    shown = re.search(rf"^    # {re.escape(place)}.*\n((?:    .*\n|\n)+)", TEXT, re.MULTILINE)
    assert shown, f"CONTRIBUTING shows nothing for {place}"
    names: dict[str, Any] = {"__name__": "contributed"}
    exec(compile(IMPORTS + textwrap.dedent(shown[1]), place, "exec"), names)
    return names


def test_the_proof_that_is_shown_is_a_plan() -> None:
    load_example("verifiers/proofs/sketch.py")
    task = Task(domain="toy", kind="sketch", instruction="Sketch it.", proven_by="sketch")
    controls = list(parts.find("proof", task.proven_by).make(task))
    assert [(control.player, control.want) for control in controls] == [
        ("oracle", "pass"),
        ("nop", "fail"),
        ("empty", "fail"),
        ("damaged", "fail"),
    ]
