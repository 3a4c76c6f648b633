"""Code that is wrong only where the base was: tests must notice it by what is wrong."""

from __future__ import annotations

import pytest

from crucible.domains.code.check_params import NewTestsParams
from crucible.model import Check, Task
from crucible.sandbox import Env, Recipe, World
from crucible.store.blobs import Blobs
from pipelines.swe.transforms.rewrite import rewrite_file
from pipelines.swe.transforms.rewrite.beside import write_beside
from tests.verifiers.attempts import SEALED, judge_script, unmet_criteria

pytestmark = pytest.mark.slow

BASE = "def double(x):\n    return float(x + x) if x < 3 else x + x + 1\n"
RIGHT = "def double(x):\n    return x + x\n"
ENV = Env(
    recipe=Recipe(
        packages=("git", "python3", "python3-pytest"),
        files={"/workspace/calc.py": BASE, "/workspace/tests/test_none.py": "def test_none():\n    pass\n"},
        commands=(f"chown root . && {SEALED}",),
        environment={"PYTHONDONTWRITEBYTECODE": "1"},
    )
)
ATTEMPT = """cat > tests/test_double.py <<'PYTHON'
from calc import double


def test_double():
{lines}
PYTHON"""


async def write_task(world: World) -> Task:
    """The task of testing a fix, of which one fault is known."""
    apart = write_beside("calc.py", RIGHT, BASE, own_acts=False, run="apart") or ""
    texts = [RIGHT, rewrite_file("calc.py", apart, "deep") or "", RIGHT.replace("+", "-")]
    async with world.open(ENV) as box:
        patches = []
        for text in texts:
            await box.write("calc.py", text.encode())
            patches.append((await box.exec("git diff --full-index")).out)
        commit = "git -c user.name=x -c user.email=x@x commit -qam x"
        await box.exec(f"printf '{RIGHT}' > calc.py; {commit}; printf '{texts[2]}' > calc.py")
        fault = (await box.exec("git diff --full-index")).out
    params = NewTestsParams(
        right=patches[0],
        wrong=("", patches[1]),
        mutants=(fault,),
        patterns=("tests/", "test_*.py"),
        pass_to_pass=("tests/test_none.py::test_none",),
        changed={"calc.py": (2,)},
    )
    check = Check(verifier="newtests", params=params.model_dump(mode="json"))
    return Task(domain="swe", kind="test", instruction="x", env=ENV, checks=(check,))


async def test_tests_that_know_right_code_by_the_type_of_its_answers_fail(world: World, blobs: Blobs) -> None:
    task = await write_task(world)
    right = "    assert double(3) == 6"
    by_type = "    assert double(3) != 0\n    assert isinstance(double(1), int)"
    for lines, unmet in ((right, []), (by_type, ["they fail with wrong code"])):
        [found] = await judge_script(task, ATTEMPT.format(lines=lines), world, blobs)
        assert unmet_criteria(found) == unmet, found.detail
