"""A row without a clone and with an image: the image's own tree is the base, with nothing of its history."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from crucible.domains.code.suite import SuiteParams
from crucible.mining import MiningContext
from crucible.sandbox import Env, Recipe, World
from crucible.settings import Settings
from crucible.store.blobs import Blobs
from pipelines.swe.imports import importer
from pipelines.swe.imports.reward import build_draft
from pipelines.swe.imports.rows import Row
from pipelines.swe.settings import SourceSettings

pytestmark = pytest.mark.slow

GIT = "git -c user.name=a -c user.email=a@x"
FIX = (
    "diff --git a/calc.py b/calc.py\n--- a/calc.py\n+++ b/calc.py\n@@ -1,2 +1,2 @@\n"
    " def one():\n-    return 2\n+    return 1\n"
)
TESTS = (
    "diff --git a/test_calc.py b/test_calc.py\n--- a/test_calc.py\n+++ b/test_calc.py\n@@ -1,2 +1,6 @@\n"
    " def test_kept():\n     pass\n+\n+def test_one():\n+    from calc import one\n+    assert one() == 1\n"
)
IMAGE = Recipe(
    packages=("git", "python3", "python3-pytest"),
    files={
        "/testbed/calc.py": "def one():\n    return 2\n",
        "/testbed/test_calc.py": "def test_kept():\n    pass\n",
        "/testbed/.gitignore": "*.pyc\n__pycache__\n",
    },
    commands=(
        f"cd /testbed && git init -q . && git add -A && {GIT} commit -qm base && echo future > fix.txt && git add -A"
        f" && {GIT} commit -qm future && git tag answer && git reset -q --hard HEAD~1",
    ),
)


async def test_a_row_with_an_image_becomes_a_draft(world: World, blobs: Blobs, tmp_path: Path) -> None:
    context = MiningContext(
        world=world, blobs=blobs, repeats=1, settings=Settings(sections={"sources": SourceSettings(cache=tmp_path)})
    )
    row = {
        "repo": "a/calc",
        "instance_id": "a__calc-1",
        "base_commit": "0" * 40,
        "patch": FIX,
        "test_patch": TESTS,
        "problem_statement": "one() is wrong: it gives two.",
        "FAIL_TO_PASS": ["test_calc.py::test_one"],
        "PASS_TO_PASS": ["test_calc.py::test_kept"],
        "image": await world.prepare(Env(recipe=IMAGE)),
    }
    [found] = await importer.make_candidate(Row(name="x", text=json.dumps(row)), context)
    [placed] = await importer.add_environment(found, context)
    [task] = await build_draft(placed, context)
    params = SuiteParams.model_validate(task.checks[0].params)
    assert (params.fail_to_pass, params.pass_to_pass) == (("test_calc.py::test_one",), ("test_calc.py::test_kept",))
    assert "one() is wrong" in task.instruction
    async with world.open(task.env) as box:
        assert (await box.exec("git rev-list --all --count; git tag; git status --porcelain; pwd")).out.split() == [
            "1",
            "/testbed",
        ]
