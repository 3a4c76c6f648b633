"""Runs siblings without a test framework, as any program would use the code. Laid into the workdir beside the tests.

Code that is right only while it is tested finds no framework here. What needs one, a fixture or a plug-in, is not run.
"""

import contextlib
import inspect
import json
import os
import sys
import types
from pathlib import Path

SIBLINGS = json.loads(r"""FILES""")
"""By file: the classes and the name of each sibling."""


class Anything(types.ModuleType):
    """Stands for a test framework while a test file is read: all that can be done with it is to decorate."""

    def __getattr__(self, name: str) -> object:
        """Whatever is asked for."""
        if name.startswith("__"):
            raise AttributeError(name)
        return Case if name == "TestCase" else Anything(name)

    def __call__(self, *handed: object, **named: object) -> object:
        """What is decorated; or what decorates."""
        return handed[0] if len(handed) == 1 and callable(handed[0]) and not named else Anything("any")


class Case:
    """What a test class has of its framework, as far as a sibling uses it."""

    @contextlib.contextmanager
    def subTest(self, *_handed: object, **_named: object):  # type: ignore[no-untyped-def]
        """Nothing is told apart."""
        yield


def read_module(path: str) -> types.ModuleType:
    """The test file as a module, which bears this program's name, as its functions do."""
    module = types.ModuleType(__name__)
    module.__file__ = path
    stubs = {name: Anything(name) for name in ("pytest", "unittest")}
    sys.modules.update(stubs)
    try:
        exec(compile(Path(path).read_text(encoding="utf-8"), __file__, "exec"), module.__dict__)
    finally:
        for name in stubs:
            del sys.modules[name]
    return module


def run_sibling(module: types.ModuleType, names: list[str]) -> None:
    """Call it, after what prepares it."""
    owner = module
    for name in names[:-1]:
        owner = getattr(owner, name)
    if owner is not module:
        owner = owner()  # type: ignore[operator]
        for prepare in ("setUp", "setup_method"):
            getattr(owner, prepare, lambda: None)()
    sibling = getattr(owner, names[-1])
    function = getattr(sibling, "__func__", sibling)
    if hasattr(function, "__code__"):
        function.__code__ = function.__code__.replace(co_name=main.__name__)
    if not inspect.iscoroutinefunction(sibling) and not inspect.signature(sibling).parameters:
        sibling()


def main() -> None:
    """Run them all, whatever becomes of each."""
    sys.argv[1:] = []
    added = os.environ.pop("PYTHONPATH", "").split(os.pathsep)
    sys.path[:] = [place for place in sys.path if place not in added]
    for path, siblings in SIBLINGS.items():
        sys.path.insert(1, str(Path(path).parent.resolve()))
        with contextlib.suppress(Exception):
            module = read_module(path)
            for names in siblings:
                with contextlib.suppress(Exception):
                    run_sibling(module, names)


main()
