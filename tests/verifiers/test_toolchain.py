"""A run that writes to the packages of its image is not accepted; a build that installs the project itself is."""

from __future__ import annotations

import pytest

from crucible.domains.code.suite import Suite, SuiteParams
from crucible.model import Check, Reference, Task, Verdict
from crucible.sandbox import Env, Recipe, World
from crucible.store.blobs import Blobs
from tests.patience import HUNG
from tests.verifiers.attempts import SEALED, judge_script, unmet_criteria
from verifiers.toolchain import find_packages

SITE = "/opt/venv/lib/python3.11/site-packages"
PIP = "/opt/venv/bin/pip install --quiet --no-cache-dir --disable-pip-version-check"
BUILD = f"{PIP} --no-build-isolation --no-deps --no-index --editable ."
SETUP = """
from setuptools import Extension, setup

setup(name="quick", version="1", packages=["brisk"], ext_modules=[Extension("brisk.quick", ["quick.c"])])
"""
QUICK = """
#include <Python.h>
static PyObject *f(PyObject *self, PyObject *none) { return PyLong_FromLong(1); }
static PyMethodDef methods[] = {{"f", f, METH_NOARGS, ""}, {NULL, NULL, 0, NULL}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "quick", "", -1, methods};
PyMODINIT_FUNC PyInit_quick(void) { return PyModule_Create(&module); }
"""
TEST = "from brisk import quick\n\n\ndef test_f():\n    assert quick.f() == 2\n\n\ndef test_g():\n    pass\n"
RECIPE = Recipe(
    packages=("ca-certificates", "git", "python3", "python3-venv", "gcc", "g++", "libc6-dev", "python3-dev"),
    tools=("python3 -m venv /opt/venv && chown -R agent:agent /opt/venv",),
    files={
        "/workspace/setup.py": SETUP,
        "/workspace/quick.c": QUICK,
        "/workspace/brisk/__init__.py": "",
        "/workspace/test_f.py": TEST,
        "/workspace/.gitignore": "build/\n*.so\n*.egg-info/\n",
    },
    commands=(
        f"chown -R agent . && runuser -u agent -- {PIP} pytest setuptools && runuser -u agent -- {BUILD}",
        f"chown root . && {SEALED}",
    ),
    environment={
        "PATH": "/opt/venv/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        "PYTHONDONTWRITEBYTECODE": "1",
    },
)
FIX = "sed -i 's/FromLong(1)/FromLong(2)/' quick.c"
PATCH = """diff --git a/quick.c b/quick.c
--- a/quick.c
+++ b/quick.c
@@ -1,4 +1,4 @@
 
 #include <Python.h>
-static PyObject *f(PyObject *self, PyObject *none) { return PyLong_FromLong(1); }
+static PyObject *f(PyObject *self, PyObject *none) { return PyLong_FromLong(2); }
 static PyMethodDef methods[] = {{"f", f, METH_NOARGS, ""}, {NULL, NULL, 0, NULL}};
"""
RELEASED = f"""{FIX}
sed -i 's/version="1"/version="2.0rc1", entry_points={{"console_scripts": ["brisk=brisk:main"]}}/' setup.py
echo 'def main(): print("brisk")' > brisk/__init__.py"""

REPLACED_BY_BUILD = f"""cat >> setup.py <<'PYTHON'

with open("{SITE}/_pytest/python.py", "a") as file:
    file.write("\\n\\nFunction.runtest = lambda self: None\\n")
PYTHON"""
ADDED_BY_BUILD = f"""cat >> setup.py <<'PYTHON'

with open("{SITE}/zz.pth", "w") as file:
    file.write("import sys\\n")
with open("/opt/venv/bin/env", "w") as file:
    file.write("#!/bin/sh\\nexec /usr/bin/env $@\\n")
PYTHON
{FIX}"""
REPLACED_BY_TESTS = f"""cat > brisk/__init__.py <<'PYTHON'
import os
import shutil

shutil.copy("/opt/venv/bin/python3", "/opt/venv/bin/python4")
os.replace("/opt/venv/bin/python4", "/opt/venv/bin/python3")
with open("{SITE}/pluggy/__init__.py", "a") as file:
    file.write("pass\\n")
PYTHON
{FIX}"""


def task() -> Task:
    params = SuiteParams(
        suite=Suite(build=BUILD, timeout=HUNG),
        tests={"test_f.py": TEST},
        fail_to_pass=("test_f.py::test_f",),
        pass_to_pass=("test_f.py::test_g",),
    )
    check = Check(verifier="suite", params=params.model_dump(mode="json"))
    return Task(
        domain="swe",
        kind="bugfix",
        instruction="x",
        env=Env(recipe=RECIPE),
        checks=(check,),
        reference=Reference(patch=PATCH),
    )


async def judge(script: str, world: World, blobs: Blobs) -> Verdict:
    [verdict] = await judge_script(task(), script, world, blobs)
    return verdict


@pytest.mark.slow
async def test_a_change_of_a_compiled_project_passes_with_a_new_version_and_a_new_program(
    world: World, blobs: Blobs
) -> None:
    verdict = await judge(RELEASED, world, blobs)
    assert verdict.outcome == "pass", verdict.detail


@pytest.mark.slow
@pytest.mark.parametrize(
    ("script", "packages"),
    [
        (REPLACED_BY_BUILD, {f"{SITE}/_pytest"}),
        (ADDED_BY_BUILD, {f"{SITE}/zz.pth", "/opt/venv/bin/env"}),
        (REPLACED_BY_TESTS, {f"{SITE}/pluggy", "/opt/venv/bin/python3"}),
    ],
)
async def test_a_run_that_writes_to_the_toolchain_is_not_accepted(
    script: str, packages: set[str], world: World, blobs: Blobs
) -> None:
    verdict = await judge(script, world, blobs)
    assert (verdict.outcome, unmet_criteria(verdict)[-1]) == ("fail", "the run leaves the toolchain alone")
    evidence = verdict.criteria[-1].evidence
    assert packages == {word for word in packages if word in evidence}, evidence
    assert "quick" not in evidence


@pytest.mark.slow
async def test_what_an_attempt_did_to_the_toolchain_of_its_own_box_has_no_effect(world: World, blobs: Blobs) -> None:
    ruined = f"echo 'raise SystemExit(0)' > {SITE}/_pytest/__init__.py; ln -sf /bin/true /opt/venv/bin/python3"
    verdict = await judge(f"{FIX}; {ruined}", world, blobs)
    assert verdict.outcome == "pass", verdict.detail


@pytest.mark.parametrize(
    ("path", "package"),
    [
        (f"{SITE}/shelf-1.2.dist-info/RECORD", f"{SITE}/shelf"),
        (f"{SITE}/__editable___shelf_1_2_finder.py", f"{SITE}/__editable___shelf"),
        (SITE, SITE),
        ("/workspace/node_modules/@jest/core/index.js", "/workspace/node_modules/@jest/core"),
        ("/workspace/node_modules/.pnpm/a@1/node_modules/a/a.js", "/workspace/node_modules/.pnpm/a@1/node_modules/a"),
        ("/workspace/node_modules/.vite/results.json", ""),
        ("/workspace/vendor/mine.go", ""),
        ("/workspace/src/vendored.go", ""),
        ("/tmp/scratch/node_modules/a/a.js", ""),
    ],
)
def test_a_path_of_the_toolchain_is_known_by_its_package(path: str, package: str) -> None:
    assert find_packages([path], "/workspace", {"vendor/mine.go"}) == frozenset([package] if package else [])
