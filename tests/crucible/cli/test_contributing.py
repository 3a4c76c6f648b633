"""The proof and the policy that CONTRIBUTING shows do what it says."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path
from typing import Any

import pytest

from crucible import parts
from crucible.choosing import sort_candidates
from crucible.model import Task
from tests.exporters import attempts

TEXT = (Path(__file__).parents[3] / "CONTRIBUTING.md").read_text("utf-8")
IMPORTS = """
from __future__ import annotations
from collections.abc import *
from crucible.model import *
from crucible.parts import *
from crucible.proving import *
from crucible.choosing import *
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


async def test_the_policy_that_is_shown_ranks_by_calls() -> None:
    load_example("exporters/policies/calls.py")
    task = attempts.task()
    many = attempts.attempt(task, attempts.step("", "", *(attempts.call(str(n), f"{{{n}}}") for n in range(3))), seed=0)
    few = attempts.attempt(task, attempts.step("", "", attempts.call("a")), seed=1)
    candidates = sort_candidates([attempts.accepted(task, many), attempts.accepted(task, few)])
    ranked = [(one.id, why) async for one, why in parts.find("policy", "calls").make(candidates)]
    assert ranked == [(few.id, "1 different calls"), (many.id, "3 different calls")]
