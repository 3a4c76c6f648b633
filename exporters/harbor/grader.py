"""The files of the grader that a Harbor folder ships: a program, and every module that it imports, all as they are.

For a suite these are `grade/__main__.py` and the reader of the task's test framework, so that a test has one name and
one outcome, here and there. For a script they are `script/__main__.py` and the modules that `script-effects` judges by,
with stand-ins for records and boxes. What needs more than Python's standard library and our own modules cannot be
shipped; its framework is refused.
"""

from __future__ import annotations

import ast
import json
import sys
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path, PurePosixPath

from crucible import parts
from crucible.domains.code.suite import Runner
from crucible.errors import Rejected, UnknownPart
from crucible.exporting import File

HERE = Path(__file__).parent
PROGRAM = HERE / "grade" / "__main__.py"
SCRIPT_PROGRAM = HERE / "script" / "__main__.py"
STAND_INS = {
    "crucible.record": HERE / "script" / "record.py",
    "crucible.sandbox": HERE / "script" / "local_box.py",
    "pydantic": HERE / "script" / "fields.py",
}
"""What is shipped in a module's place with the grader of scripts."""
INLINE_TESTS = "crucible.domains.code.inline_tests"
"""The module that the program imports only where tests are within source files."""
TABLES = {
    "crucible.domains.code.path_patterns": "path_patterns.toml",
    "verifiers.protected_files": "protected.toml",
}
"""The table that lies beside a shipped module, by the module's name."""
OUR_PACKAGES = ("crucible", "verifiers")
"""What is gathered, besides the package that a framework's reader is in."""


def find_runner(name: str) -> Runner:
    """The test framework of that name; Rejected when there is none."""
    try:
        runner: Runner = parts.find("runner", name).make()
    except UnknownPart as unknown:
        raise Rejected("no_harbor_runner", str(unknown)) from unknown
    return runner


def reader_module(runner: str) -> str:
    """The module that reads a framework's reports."""
    return find_runner(runner).reader.module


@cache
def grader_files(runner: str, inline: bool) -> tuple[File, ...]:
    """Every file of the grader, by its path below the grader's folder; `inline` where tests are within source files."""
    module = reader_module(runner)
    sources: dict[str, Path] = {}
    for name in (module, *_imported_modules(PROGRAM, "__main__"), *([INLINE_TESTS] if inline else [])):
        _gather(name, module.partition(".")[0], sources)
    return (
        File("__main__.py", PROGRAM.read_bytes()),
        *(File(path, source.read_bytes()) for path, source in sorted(sources.items())),
        *(_json_table(module, table) for module, table in TABLES.items()),
    )


@cache
def script_grader_files() -> tuple[File, ...]:
    """Every file of the grader of scripts, by its path below the grader's folder."""
    sources: dict[str, Path] = {}
    for name in _imported_modules(SCRIPT_PROGRAM, "__main__"):
        _gather(name, "crucible", sources, STAND_INS)
    return (
        File("__main__.py", SCRIPT_PROGRAM.read_bytes()),
        *(File(path, source.read_bytes()) for path, source in sorted(sources.items())),
    )


def _gather(name: str, home: str, sources: dict[str, Path], stand_ins: Mapping[str, Path] = {}) -> None:
    """Add a module, or what stands in for it, the packages it is in, and what they import to `sources`."""
    top, _, below = name.partition(".")
    if top in sys.stdlib_module_names:
        return
    if name in stand_ins:
        path, source = name.replace(".", "/") + ".py", stand_ins[name]
    elif top in (*OUR_PACKAGES, home):
        path, source = _locate(name)
    else:
        raise Rejected("no_harbor_runner", f"the grader needs {top}, which is not Python's own")
    if path in sources:
        return
    sources[path] = source
    for other in (*([name.rpartition(".")[0]] if below else ()), *_imported_modules(source, name)):
        _gather(other, home, sources, stand_ins)


def _locate(name: str) -> tuple[str, Path]:
    """Where a module goes in the grader's folder, and where it comes from."""
    spec = find_spec(name)
    if spec is None or not spec.origin or not spec.origin.endswith(".py"):
        raise Rejected("no_harbor_runner", f"the reader needs {name}, which has no source")
    is_package = spec.submodule_search_locations is not None
    return name.replace(".", "/") + ("/__init__.py" if is_package else ".py"), Path(spec.origin)


def _imported_modules(source: Path, name: str) -> Iterator[str]:
    """The modules that one imports when it is loaded; what a function imports is its own business."""
    for node in ast.parse(source.read_text("utf-8")).body:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            if node.level or not node.module:
                raise Rejected("no_harbor_runner", f"{name} imports by a relative name")
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names if _is_module(node.module, alias.name))


def _is_module(package: str, name: str) -> bool:
    """Whether what is imported from a package is a module of it."""
    if package.partition(".")[0] in sys.stdlib_module_names:
        return False
    spec = find_spec(package)
    is_package = spec is not None and spec.submodule_search_locations is not None
    return is_package and find_spec(f"{package}.{name}") is not None


def _json_table(module: str, table: str) -> File:
    """The TOML file beside a module, as JSON: `crucible.domains.code.tables` reads that in its place."""
    path, source = _locate(module)
    content = json.dumps(tomllib.loads(source.with_name(table).read_text("utf-8")), sort_keys=True, indent=1)
    return File(str(PurePosixPath(path).with_name(table).with_suffix(".json")), f"{content}\n".encode())
