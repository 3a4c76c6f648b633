"""Lays programs that run siblings without a test framework, as any program would use the code.

Code that is right only while it is tested finds no framework there, no file and, where the language shows them, no
function that is called like a test. What needs a framework, a fixture or a plug-in, is not run by them.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath

from crucible.domains.code.siblings import Sibling
from crucible.domains.code.suite import Suite
from verifiers.siblings.plan import MARK

PROGRAMS = Path(__file__).parent / "programs"
INTERPRETERS = {
    "node": "env -u NODE_OPTIONS node",
    "mocha": "env -u NODE_OPTIONS node",
    "jest": "env -u NODE_OPTIONS node",
    "minitest": "env -u MT_REPORT -u RUBYOPT -u RUBYLIB {bundle}ruby -Ilib -Itest",
    "test-unit": "env -u MT_REPORT -u RUBYLIB {bundle}ruby -Ilib -Itest",
}
"""By the test framework."""
PLAIN_SCRIPTS = (".js", ".mjs", ".cjs")
IMPORTED = re.compile(r"""(\bfrom\s*|\brequire\(\s*)(['"])(?:node:test|mocha|@jest/globals)\2""")
# matches: from 'node:test'  require("mocha"
NOTING = re.compile(r"\b_(?:note|NOTES)")
# matches what a test notes with, up to: _note_answer  _noteAnswer  _NOTES
IS_MODULE = re.compile(r"^\s*(?:import|export)\b", re.MULTILINE)
GLOBALS = (
    *("test", "it", "specify", "describe", "suite"),
    *("before", "beforeAll", "beforeEach", "after", "afterAll", "afterEach"),
)
"""What frameworks for JavaScript offer without an import."""


def find_interpreter(suite: Suite) -> str:
    """What runs such a program; empty where it is not known."""
    if suite.runner == "pytest":
        words = suite.command.partition(" -m pytest")
        return words[0] if words[1] else ""
    bundle = "bundle exec " if "bundle exec" in suite.command else ""
    return INTERPRETERS.get(suite.runner, "").replace("{bundle}", bundle)


def lay_program(suite: Suite, siblings: Sequence[Sibling], laid: Mapping[str, str]) -> tuple[dict[str, str], str]:
    """Such a program beside the tests, which have their siblings already, and the command that runs it."""
    token = secrets.token_hex(4)
    paths = list(dict.fromkeys(each.path for each in siblings))
    laid = {**laid, **{path: NOTING.sub(f"_{token}", laid[path]) for path in paths}}
    if suite.runner == "pytest":
        name, files = f"main_{token}.py", {f"main_{token}.py": _write_python(siblings)}
    elif suite.runner in ("minitest", "test-unit"):
        name, files = f"main_{token}.rb", _lay_ruby(token, paths, laid)
    else:
        name, files = f"main_{token}.mjs", _lay_javascript(token, paths, laid)
    return {**laid, **files}, f"{find_interpreter(suite)} {name}"


def _write_python(siblings: Sequence[Sibling]) -> str:
    """The program for Python, which reads the test files as they are."""
    files: dict[str, list[list[str]]] = {}
    for each in siblings:
        files.setdefault(each.path, []).append([*each.test.split("::")[:-1], each.name])
    return (PROGRAMS / "program.py").read_text().replace("FILES", json.dumps(files))


def _lay_ruby(token: str, paths: Sequence[str], laid: Mapping[str, str]) -> dict[str, str]:
    """The test files under other names, and their siblings as well."""
    names = _name_parts(paths, token)
    files = {name: re.sub(rf"\bdef test_{MARK}", "def part", laid[path]) for path, name in names.items()}
    listed = json.dumps([f"./{name}" for name in files])
    return {**files, f"main_{token}.rb": (PROGRAMS / "program.rb").read_text().replace("FILES", listed)}


def _lay_javascript(token: str, paths: Sequence[str], laid: Mapping[str, str]) -> dict[str, str]:
    """The test files under other names, with what stands for their framework."""
    framework = f"main_{token}.cjs"
    names = _name_parts([path for path in paths if path.endswith(PLAIN_SCRIPTS)], token)
    files = {
        name: _import_framework(laid[path], "../" * path.count("/") or "./", framework) for path, name in names.items()
    }
    program = (PROGRAMS / "program.mjs").read_text().replace("FRAMEWORK", framework)
    return {
        **files,
        framework: (PROGRAMS / "framework.cjs").read_text().replace("MARK", MARK),
        f"main_{token}.mjs": program.replace("FILES", json.dumps([f"./{name}" for name in files])),
    }


def _name_parts(paths: Sequence[str], token: str) -> dict[str, str]:
    """Other names in the same folders, where the same files can be loaded."""
    return {
        path: str(PurePosixPath(path).with_name(f"part{at}_{token}{PurePosixPath(path).suffix}"))
        for at, path in enumerate(paths)
    }


def _import_framework(text: str, up: str, framework: str) -> str:
    """A test file that gets its framework there."""
    if IMPORTED.search(text):
        return IMPORTED.sub(lambda found: f"{found[1]}{found[2]}{up}{framework}{found[2]}", text)
    used = [name for name in GLOBALS if re.search(rf"^\s*{name}(?:\.\w+)*\(", text, re.MULTILINE)]
    names = ", ".join(used)
    if IS_MODULE.search(text):
        return f"import {{ {names} }} from '{up}{framework}'\n{text}"
    return f"const {{ {names} }} = require('{up}{framework}')\n{text}"
