"""The grader that a Harbor folder ships: the reader of its test framework, as it is, with all that this imports.

So a test has one name and one outcome, here and there. What needs more than Python's library is exchanged for the
modules of the same name under `grade/`. A framework whose reader needs yet more cannot be shipped, and is refused.
"""

from __future__ import annotations

import ast
import json
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path, PurePosixPath

from crucible import parts
from crucible.errors import Rejected, UnknownPart
from crucible.exporting import File

STAND_INS = Path(__file__).parent / "grade"
OURS = ("crucible", "verifiers")
"""What is gathered, besides the package that a framework's reader is in."""
GUARD = "verifiers.protection"


def part_of(runner: str) -> parts.Part:
    """The framework."""
    try:
        return parts.find("runner", runner)
    except UnknownPart as unknown:
        raise Rejected("no_harbor_runner", str(unknown)) from unknown


def module_of(runner: str) -> str:
    """Where a framework's reader is."""
    return part_of(runner).make.__module__


@cache
def files(runner: str, inline: bool) -> tuple[File, ...]:
    """Every file of it, by its path below the grader's folder; `inline` where tests are within source files."""
    module = module_of(runner)
    sources: dict[str, Path] = {}
    lazy = ["crucible.domains.code.inline_tests"] if inline else []
    for name in (module, *_imported(STAND_INS / "__main__.py", "__main__"), *lazy):
        _gather(name, module.partition(".")[0], sources)
    made = [File(path, source.read_bytes()) for path, source in sorted(sources.items())]
    return (
        File("__main__.py", (STAND_INS / "__main__.py").read_bytes()),
        *made,
        *_tables(module, "*.toml"),
        *_tables(GUARD, "protected.toml"),
    )


def _gather(name: str, home: str, sources: dict[str, Path]) -> None:
    """A module, the packages it is in, and what they import."""
    top, _, below = name.partition(".")
    if top in sys.stdlib_module_names:
        return
    if top not in (*OURS, home):
        raise Rejected("no_harbor_runner", f"the reader needs {top}, which is not Python's own")
    path, source = _source(name)
    if path in sources:
        return
    sources[path] = source
    for other in (*([name.rpartition(".")[0]] if below else ()), *_imported(source, name)):
        _gather(other, home, sources)


def _source(name: str) -> tuple[str, Path]:
    """Where a module goes, and where it comes from: its stand-in if it has one."""
    path = f"{name.replace('.', '/')}.py"
    if (STAND_INS / path).exists():
        return path, STAND_INS / path
    found = find_spec(name)
    if found is None or not found.origin or not found.origin.endswith(".py"):
        raise Rejected("no_harbor_runner", f"the reader needs {name}, which has no source")
    package = found.submodule_search_locations is not None
    return (path.removesuffix(".py") + "/__init__.py" if package else path), Path(found.origin)


def _imported(source: Path, name: str) -> Iterator[str]:
    """The modules that one imports when it is loaded; what a function imports is its own business."""
    for node in ast.parse(source.read_text("utf-8")).body:
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom):
            if node.level or not node.module:
                raise Rejected("no_harbor_runner", f"{name} imports by a relative name")
            yield node.module
            yield from (f"{node.module}.{one.name}" for one in node.names if _is_module(node.module, one.name))


def _is_module(package: str, name: str) -> bool:
    if package.partition(".")[0] in sys.stdlib_module_names:
        return False
    found = find_spec(package)
    inside = found is not None and found.submodule_search_locations is not None
    return inside and find_spec(f"{package}.{name}") is not None


def _tables(module: str, name: str) -> Iterator[File]:
    """The data beside a module, as the stand-in for `crucible.datafile` reads it."""
    path, source = _source(module)
    for table in sorted(source.parent.glob(name)):
        data = json.dumps(tomllib.loads(table.read_text("utf-8")), sort_keys=True, indent=1)
        yield File(str(PurePosixPath(path).with_name(f"{table.stem}.json")), f"{data}\n".encode())
