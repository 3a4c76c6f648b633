"""A Python package whose extension is written in C is tested with the change's own C, in real boxes."""

from collections.abc import Callable

import pytest

from crucible.mining import MiningContext
from crucible.sandbox import World
from crucible.store.blobs import Blobs
from pipelines.swe.environment.stage import prepare_environment
from pipelines.swe.model import Candidate
from pipelines.swe.rewards.fail_to_pass import build_task

Files = dict[str, str]

SETUP = """
from setuptools import Extension, setup
setup(name="a", version="1", py_modules=["a"], ext_modules=[Extension("quick", ["quick.c"])])
"""
QUICK = """
#include <Python.h>
static PyObject *f(PyObject *self, PyObject *none) { return PyLong_FromLong(ANSWER); }
static PyMethodDef methods[] = {{"f", f, METH_NOARGS, ""}, {NULL, NULL, 0, NULL}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "quick", "", -1, methods};
PyMODINIT_FUNC PyInit_quick(void) { return PyModule_Create(&module); }
"""
TEST = "import a\ndef test_f(): assert a.quick.f() == ANSWER\ndef test_g(): pass\n"


def files(answer: str) -> Files:
    return {"quick.c": QUICK.replace("ANSWER", answer), "test_a.py": TEST.replace("ANSWER", answer)}


@pytest.mark.slow
async def test_a_change_in_c_is_compiled_before_the_tests_run(
    world: World, blobs: Blobs, change: Callable[[Files, Files], Candidate]
) -> None:
    context = MiningContext(world=world, blobs=blobs, repeats=1)
    build_system = '[build-system]\nrequires = ["setuptools"]\nbuild-backend = "setuptools.build_meta"\n'
    asks = change(
        {"pyproject.toml": build_system, "setup.py": SETUP, "a.py": "import quick\n", **files("1")}, files("2")
    )
    [made] = await prepare_environment(asks, context)
    assert (await build_task(made, context)).fail_to_pass == ("test_a.py::test_f",)
