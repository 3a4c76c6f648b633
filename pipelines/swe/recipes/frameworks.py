"""Which of JavaScript's test frameworks a project runs, how, and what is built before."""

from __future__ import annotations

import re
import shlex
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

from crucible.datafile import whole
from crucible.domains.code.suite import Suite
from crucible.record import Record
from pipelines.swe.paths import sort_of
from pipelines.swe.recipes import scripts
from pipelines.swe.recipes.tree import Tree, table

HERE = Path(__file__).parent
CODE = {".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts"}
MOST_READ = 80
NODE = ("test.js", "test.mjs", "**/*.test.js", "**/*.test.mjs", "test/*.js", "test/*.mjs")


class Framework(Record):
    """One test framework."""

    runner: str
    programs: tuple[str, ...]
    command: str
    everything: str = ""
    """What it is told where the project does not say what to run."""
    usual: tuple[str, ...] = ()
    """With one of these it knows by itself."""


class Rules(Record):
    """`frameworks.toml`."""

    wrappers: tuple[str, ...]
    loader: str
    reporting: tuple[str, ...]
    taking: tuple[str, ...]
    inherited: tuple[str, ...]
    plain: tuple[str, ...]
    compilers: tuple[str, ...]
    checkers: tuple[str, ...]
    frameworks: tuple[Framework, ...]


@cache
def _rules() -> Rules:
    return whole(HERE / "frameworks.toml", Rules)


def suite(tree: Tree, package: dict[str, Any], run: str) -> Suite | None:
    """The framework's own command, out of the test script; otherwise the framework that is installed. `run` is how the
    package manager runs a script."""
    known = table(package, "scripts")
    chain = scripts.chain(known, "test", _rules().wrappers)
    build = _build(tree, package, chain, run)
    started = [(words, found) for words in chain if (found := _framework(words))]
    if started:
        words, (runner, command) = started[0]
        more = [other for _, (also, other) in started[1:] if also == runner == "node"]
        loader = _rules().loader if "nyc" in words and _loads(tree, package) else ""
        told = _together([command, *more]) if more else command
        return Suite(runner=runner, command=f"{loader} {told}".strip(), build=build, timeout=600)
    return _installed(tree, package, chain, build)


def _together(commands: list[str]) -> str:
    """Commands that differ in nothing but the files they are given, as one; the first, where they differ in more."""
    options = [[word for word in shlex.split(one) if word.startswith("-")] for one in commands]
    files = [word for one in commands[1:] for word in shlex.split(one)[1:] if not word.startswith("-")]
    alike = all(one == options[0] for one in options) and all(one.startswith("node ") for one in commands)
    return scripts.joined((), files, commands[0]) if alike else commands[0]


def _loads(tree: Tree, package: dict[str, Any]) -> bool:
    """Whether what measures coverage is also what makes the code loadable."""
    return any("require" in one for one in (table(package, "nyc"), tree.json(".nycrc"), tree.json(".nycrc.json")))


def _installed(tree: Tree, package: dict[str, Any], chain: list[list[str]], build: str) -> Suite | None:
    """By the framework that is installed: a script that loads it itself, otherwise all that it finds."""
    installed = {**table(package, "devDependencies"), **table(package, "dependencies")}
    for framework in _rules().frameworks:
        if set(framework.programs) & installed.keys():
            plain = next((words for words in map(_plain, chain) if words and framework.runner == "tap"), "")
            knows = framework.runner in package or tree.matching(*framework.usual)
            command = plain or f"{framework.command} {'' if knows else framework.everything}".strip()
            return Suite(runner=framework.runner, command=command, build=build, timeout=600)
    return Suite(runner="node", command="node --test", build=build, timeout=600) if tree.matching(*NODE) else None


def _plain(words: list[str]) -> str:
    """`node test`, where these words come to that."""
    settings, rest = scripts.settings(words, _rules().wrappers)
    is_test = len(rest) > 1 and rest[0] in _rules().plain and re.match(r"(?:\./)?tests?\b", rest[1])
    return scripts.joined(settings, ["node", *rest[1:]]) if is_test else ""


def _framework(words: list[str]) -> tuple[str, str] | None:
    """Runner and command, when these words start a framework that is known."""
    settings, rest = scripts.settings(words, _rules().wrappers)
    if "node" in rest[:1] and any(word == "--test" for word in rest):
        return "node", scripts.joined(settings, [w for w in rest if not w.startswith("--test-reporter")])
    known = ((place, one) for place, word in enumerate(rest) for one in _rules().frameworks if _starts(word, one))
    place, framework = next(known, (0, None))
    return (framework.runner, _command(framework, settings, rest, place)) if framework else None


def _starts(word: str, framework: Framework) -> bool:
    """Whether a word is the framework's program: by its name, or as `./node_modules/vitest/cli.js`."""
    path = word.rpartition("node_modules/")[2].removeprefix(".bin/")
    program = path.partition("/")[0].removesuffix(".js") if "node_modules/" in word else word
    return program in framework.programs


def _command(framework: Framework, settings: list[str], rest: list[str], place: int) -> str:
    """The command of a framework whose program stands at this place, without what says how to report."""
    words = scripts.without(rest[place + 1 :], _rules().reporting, _rules().taking)
    words = [w for w in words if framework.runner != "vitest" or w not in ("run", "watch", "--run")]
    flags = [w for w in rest[:place] if w.startswith("-")]
    if all(w.startswith(_rules().inherited) for w in flags):
        told = [*settings, f"NODE_OPTIONS={' '.join(flags)}"] if flags else settings
        return scripts.joined(told, words, framework.command)
    started = " ".join([shlex.join(rest[: place + 1]), *framework.command.split(" ", 2)[2:]])
    return scripts.joined(settings, words, started)


def _build(tree: Tree, package: dict[str, Any], chain: list[list[str]], run: str) -> str:
    """The build, where the tests ask for it or load what only it makes; else what they compile by themselves."""
    known = table(package, "scripts")
    entry = str(package.get("main", "")).removeprefix("./")
    folder = re.match(r"(dist|lib|build|out|es|cjs)(?=/)", entry)
    made = folder and not tree.has(entry, f"{entry}.js", f"{entry}/index.js") and _loads_made(tree, package, folder[0])
    asked = any(word in ("build", "tsc") for words in chain for word in words)
    asked = asked or any(words in chain for words in scripts.chain(known, "build", _rules().wrappers))
    if "build" in known and (asked or made):
        return _unchecked(scripts.chain(known, "build", _rules().wrappers)) or f"{run} build"
    return " && ".join(filter(None, map(_compiles, chain)))


def _loads_made(tree: Tree, package: dict[str, Any], folder: str) -> bool:
    """Whether a test names what a build makes: its folder, the package, or the folder above. If none can be read, it
    may."""
    name = re.escape(str(package.get("name", folder)))
    wanted = re.compile(rf"""["'](?:(?:\.{{1,2}}/)*{folder}\b|(?:\.\./)*\.{{1,2}}/?["']|{name}["'/])""")
    tests = [path for path in tree.paths if sort_of(path) == "test" and PurePosixPath(path).suffix in CODE][:MOST_READ]
    return not tests or any(wanted.search(tree.text(path)) for path in tests)


def _unchecked(chain: list[list[str]]) -> str:
    """A build without its linters, which may not run as it does and whose word tests do not need; empty where it has
    none."""
    kept = [(told, rest) for told, rest in map(_bare, chain) if rest and rest[0] not in _rules().checkers]
    commands = ['export PATH="$PWD/node_modules/.bin:$PATH"', *(scripts.joined(*one) for one in kept)]
    return " && ".join(commands) if 0 < len(kept) < len(chain) else ""


def _bare(words: list[str]) -> tuple[list[str], list[str]]:
    return scripts.settings(words, (*_rules().wrappers, "yarn", "pnpm", "exec"))


def _compiles(words: list[str]) -> str:
    """The command, where its program is a compiler."""
    settings, rest = scripts.settings(words, _rules().wrappers)
    compiles = rest[:1] and rest[0] in _rules().compilers and "--noEmit" not in rest
    return scripts.joined(settings, rest, "npx") if compiles else ""
