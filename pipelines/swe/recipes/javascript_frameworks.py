"""The test suite of a JavaScript project: which framework it runs, how that is started, and what is built before."""

from __future__ import annotations

import re
import shlex
from functools import cache
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Any

from crucible.datafile import read_file
from crucible.domains.code.suite import Suite
from crucible.record import Record
from pipelines.swe.paths import sort_of
from pipelines.swe.recipes.package_scripts import drop_options, join_command, resolve_script, split_assignments
from pipelines.swe.recipes.tree import Tree, table_at

HERE = Path(__file__).parent
CODE_SUFFIXES = {".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts"}
MOST_TESTS_READ = 80
"""Test files that are read to see whether they load what a build makes."""
TIMEOUT = 600
"""Seconds for the whole suite."""
BUILD_FOLDER = re.compile(r"(dist|lib|build|out|es|cjs)(?=/)")
# matches the beginning of: dist/index.js
TEST_FILE = re.compile(r"(?:\./)?tests?\b")
# matches the beginning of: ./test/index.js  tests
NODE_TESTS = ("test.js", "test.mjs", "**/*.test.js", "**/*.test.mjs", "test/*.js", "test/*.mjs")


class Framework(Record):
    """One row of `javascript_frameworks.toml`: a test framework."""

    runner: str
    programs: tuple[str, ...]
    """The names of its program, which are those of its package too."""
    command: str
    everything: str = ""
    """Arguments with which it runs all tests, where the project does not say what to run."""
    usual: tuple[str, ...] = ()
    """Pathspecs: where one of them matches, the framework finds the tests without such arguments."""


class Rules(Record):
    """`javascript_frameworks.toml`, which says of each list what it is for."""

    wrappers: tuple[str, ...]
    loader: str
    reporting: tuple[str, ...]
    reporting_with_value: tuple[str, ...]
    inherited: tuple[str, ...]
    plain: tuple[str, ...]
    compilers: tuple[str, ...]
    checkers: tuple[str, ...]
    frameworks: tuple[Framework, ...]


@cache
def _rules() -> Rules:
    return read_file(HERE / "javascript_frameworks.toml", Rules)


def find_suite(tree: Tree, package: dict[str, Any], run: str) -> Suite | None:
    """The framework's own command, out of the test script; otherwise the framework that is installed. `run` is how the
    package manager runs a script. None where no framework is to be seen."""
    commands = resolve_script(table_at(package, "scripts"), "test", _rules().wrappers)
    build = _build(tree, package, commands, run)
    started = [(words, start) for words in commands if (start := _framework_start(words))]
    if not started:
        return _installed_suite(tree, package, commands, build)
    words, (runner, command) = started[0]
    more = [other for _, (other_runner, other) in started[1:] if other_runner == runner == "node"]
    loader = _rules().loader if "nyc" in words and _compiles_on_load(tree, package) else ""
    joined = _join_node_commands([command, *more]) if more else command
    return Suite(runner=runner, command=f"{loader} {joined}".strip(), build=build, timeout=TIMEOUT)


def _join_node_commands(commands: list[str]) -> str:
    """Commands of Node that differ in nothing but the files they are given, as one; the first, where they differ in
    more."""
    options = [[word for word in shlex.split(command) if word.startswith("-")] for command in commands]
    files = [word for command in commands[1:] for word in shlex.split(command)[1:] if not word.startswith("-")]
    are_alike = all(each == options[0] for each in options) and all(each.startswith("node ") for each in commands)
    return join_command((), files, commands[0]) if are_alike else commands[0]


def _compiles_on_load(tree: Tree, package: dict[str, Any]) -> bool:
    """Whether nyc, which measures coverage, is also what makes the code loadable."""
    settings = (table_at(package, "nyc"), tree.json(".nycrc"), tree.json(".nycrc.json"))
    return any("require" in each for each in settings)


def _installed_suite(tree: Tree, package: dict[str, Any], commands: list[list[str]], build: str) -> Suite | None:
    """The suite by the framework that is installed: a script that loads it itself, otherwise all that it finds; Node's
    own runner where there are files for it."""
    installed = {**table_at(package, "devDependencies"), **table_at(package, "dependencies")}
    for framework in _rules().frameworks:
        if set(framework.programs) & installed.keys():
            plain = next((test for test in map(_plain_test, commands) if test and framework.runner == "tap"), "")
            finds_tests = framework.runner in package or tree.matching(*framework.usual)
            command = plain or f"{framework.command} {'' if finds_tests else framework.everything}".strip()
            return Suite(runner=framework.runner, command=command, build=build, timeout=TIMEOUT)
    if not tree.matching(*NODE_TESTS):
        return None
    return Suite(runner="node", command="node --test", build=build, timeout=TIMEOUT)


def _plain_test(words: list[str]) -> str:
    """The command `node test.js`, where these words only run a test file; empty where they do something else."""
    assignments, rest = split_assignments(words, _rules().wrappers)
    is_test = len(rest) > 1 and rest[0] in _rules().plain and TEST_FILE.match(rest[1])
    return join_command(assignments, ["node", *rest[1:]]) if is_test else ""


def _framework_start(words: list[str]) -> tuple[str, str] | None:
    """Runner and command, when these words start a framework that is known."""
    assignments, rest = split_assignments(words, _rules().wrappers)
    if "node" in rest[:1] and "--test" in rest:
        return "node", join_command(assignments, [word for word in rest if not word.startswith("--test-reporter")])
    for place, word in enumerate(rest):
        for framework in _rules().frameworks:
            if _is_program(word, framework):
                return framework.runner, _framework_command(framework, assignments, rest, place)
    return None


def _is_program(word: str, framework: Framework) -> bool:
    """Whether a word is the framework's program: by its name, or as `./node_modules/vitest/cli.js`."""
    path = word.rpartition("node_modules/")[2].removeprefix(".bin/")
    program = path.partition("/")[0].removesuffix(".js") if "node_modules/" in word else word
    return program in framework.programs


def _framework_command(framework: Framework, assignments: list[str], rest: list[str], place: int) -> str:
    """The command of a framework whose program stands at this place, without what says how to report."""
    words = drop_options(rest[place + 1 :], _rules().reporting, _rules().reporting_with_value)
    words = [word for word in words if framework.runner != "vitest" or word not in ("run", "watch", "--run")]
    flags = [word for word in rest[:place] if word.startswith("-")]
    if all(flag.startswith(_rules().inherited) for flag in flags):
        node_options = [f"NODE_OPTIONS={' '.join(flags)}"] if flags else []
        return join_command([*assignments, *node_options], words, framework.command)
    program = " ".join([shlex.join(rest[: place + 1]), *framework.command.split(" ", 2)[2:]])
    return join_command(assignments, words, program)


def _build(tree: Tree, package: dict[str, Any], commands: list[list[str]], run: str) -> str:
    """What is built before the tests: the project's build, where the tests ask for it or load what only it makes;
    otherwise what the test script compiles by itself."""
    scripts = table_at(package, "scripts")
    build = resolve_script(scripts, "build", _rules().wrappers)
    is_asked = any(word in ("build", "tsc") for words in commands for word in words)
    is_asked = is_asked or any(words in commands for words in build)
    if "build" in scripts and (is_asked or _tests_load_build(tree, package)):
        return _build_without_checks(build) or f"{run} build"
    return " && ".join(filter(None, map(_compiler_command, commands)))


def _tests_load_build(tree: Tree, package: dict[str, Any]) -> bool:
    """Whether the package's main file is made by a build, and a test names that file's folder, the package, or the
    folder above. If no test can be read, one may."""
    entry = str(package.get("main", "")).removeprefix("./")
    folder = BUILD_FOLDER.match(entry)
    if not folder or tree.has(entry, f"{entry}.js", f"{entry}/index.js"):
        return False
    name = re.escape(str(package.get("name", folder[0])))
    # matches: "../dist/index.js"  '../'  "the-package/sub"
    loads = re.compile(rf"""["'](?:(?:\.{{1,2}}/)*{folder[0]}\b|(?:\.\./)*\.{{1,2}}/?["']|{name}["'/])""")
    code = (path for path in tree.paths if PurePosixPath(path).suffix in CODE_SUFFIXES)
    tests = list(islice((path for path in code if sort_of(path) == "test"), MOST_TESTS_READ))
    return not tests or any(loads.search(tree.text(path)) for path in tests)


def _build_without_checks(build: list[list[str]]) -> str:
    """A build without its linters, which may not run as it does and whose word tests do not need; empty where it has
    none."""
    wrappers = (*_rules().wrappers, "yarn", "pnpm", "exec")
    split = (split_assignments(words, wrappers) for words in build)
    steps = [(assignments, rest) for assignments, rest in split if rest and rest[0] not in _rules().checkers]
    commands = ['export PATH="$PWD/node_modules/.bin:$PATH"', *(join_command(*step) for step in steps)]
    return " && ".join(commands) if 0 < len(steps) < len(build) else ""


def _compiler_command(words: list[str]) -> str:
    """The command that starts a compiler, where these words do; empty where they do not."""
    assignments, rest = split_assignments(words, _rules().wrappers)
    is_compiler = rest[:1] and rest[0] in _rules().compilers and "--noEmit" not in rest
    return join_command(assignments, rest, "npx") if is_compiler else ""
