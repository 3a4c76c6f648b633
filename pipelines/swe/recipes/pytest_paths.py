"""The paths that a project gives to pytest: in tox, nox, a Makefile, its scripts or its CI. Pure.

Started without them, pytest looks into every folder, and a `conftest.py` for benchmarks or examples may stop it.
"""

from __future__ import annotations

import ast
import posixpath
import re
import shlex
from collections.abc import Iterator, Sequence

from crucible.domains.code.definitions import parse_python
from pipelines.swe.recipes.tree import Tree, strings_in, table_at

Block = list[str]
"""Commands that are run together, as a shell reads them."""

PYTEST = ("pytest", "py.test")
NOT_A_START = frozenset({"install", "add", "echo", "cd", "uninstall"})
"""After one of these words, or after a key of YAML, pytest is only named, or started somewhere else."""
POSARGS = re.compile(r"\{posargs:?([^{}]*)\}")
# matches: {posargs:tests}
TOX_ROOT = re.compile(r"\{(?:toxinidir|tox_root)\}/?")
# matches: {toxinidir}/
CONTINUED = re.compile(r"\\\n\s*")
# matches a backslash at the end of a line, and what the next line begins with
COMMANDS = re.compile(r"&&|\|\||;|\|")
# splits: make build && pytest tests
YAML_START = re.compile(r"^\s*(?:-\s+)?(?:(?:run|script|command)\s*:\s*[|>]?)?-?\s*")
# matches the beginning of: - run: pytest tests
TARGET = re.compile(r"^(?P<name>[\w./-]+)\s*:(?!=)[^\n]*\n(?P<lines>(?:\t[^\n]*\n?)*)", re.MULTILINE)
# matches: test: build\n\tpytest tests\n
OTHER_PURPOSE = re.compile(
    r"bench|perf|lint|doc|type|mypy|example|release|publish|coverage-html|nightly", re.IGNORECASE
)
# matches in the name of: [testenv:benchmarks]
OTHER_FOLDER = re.compile(r"(?:bench\w*|perf\w*|docs?|examples?)(?:/|$)")
# matches the beginning of: benchmarks/test_speed.py
TEST_FILES = ("**/test_*.py", "**/*_test.py", "*/**/conftest.py")
"""Pathspecs of what pytest looks at; a `conftest.py` at the root is read in any case."""


def find_pytest_paths(tree: Tree, value_options: Sequence[str], ci_files: Sequence[str]) -> tuple[str, ...]:
    """The paths that pytest is given by the first place that starts it; none where it is started without any, where
    its configuration names them, or where all tests are below them anyhow. `value_options` are the options of pytest
    that are followed by a value, `ci_files` the pathspecs of CI configurations."""
    if _configures_paths(tree):
        return ()
    for block in _blocks(tree, ci_files):
        starts = [arguments for line in block for arguments in _pytest_arguments(line)]
        given = [_paths_in(tree, arguments, value_options) for arguments in starts]
        paths = [group for group in given if not group or not all(map(OTHER_FOLDER.match, group))]
        if paths:
            chosen = tuple(dict.fromkeys(path for group in paths for path in group)) if all(paths) else ()
            return chosen if _leaves_out(tree, chosen) else ()
    return ()


def is_below(path: str, folders: Sequence[str]) -> bool:
    """Whether a path is one of these, or lies below one of them."""
    return any(path == folder or path.startswith(f"{folder}/") for folder in folders)


def _leaves_out(tree: Tree, paths: Sequence[str]) -> bool:
    """Whether there are tests below these paths, and others elsewhere."""
    below = [is_below(path, paths) for path in tree.matching(*TEST_FILES)]
    return any(below) and not all(below)


def _configures_paths(tree: Tree) -> bool:
    """Whether pytest's own configuration says where the tests are."""
    sections = (
        *(tree.ini(path).get("pytest", {}) for path in ("pytest.ini", "tox.ini")),
        tree.ini("setup.cfg").get("tool:pytest", {}),
        table_at(tree.toml("pyproject.toml"), "tool", "pytest", "ini_options"),
    )
    return any("testpaths" in section for section in sections)


def _blocks(tree: Tree, ci_files: Sequence[str]) -> Iterator[Block]:
    """The places that may start pytest, first those that say most clearly how tests are run."""
    yield from _tox_blocks(tree)
    yield from _nox_blocks(tree.text("noxfile.py"))
    targets = {match["name"]: match["lines"] for match in TARGET.finditer(CONTINUED.sub(" ", tree.text("Makefile")))}
    yield from ([line.strip().lstrip("@-") for line in targets[name].splitlines()] for name in _by_purpose(targets))
    yield from _script_blocks(tree)
    for path in _by_purpose(tree.matching(*ci_files)):
        lines = CONTINUED.sub(" ", tree.text(path)).splitlines()
        yield [YAML_START.sub("", line) for line in lines]


def _by_purpose(names: Iterator[str] | Sequence[str] | dict[str, str]) -> list[str]:
    """The names of targets, sessions or files that may be for tests, those with `test` in them first."""
    chosen = [name for name in names if not OTHER_PURPOSE.search(posixpath.basename(name))]
    return sorted(chosen, key=lambda name: "test" not in name.lower())


def _tox_blocks(tree: Tree) -> Iterator[Block]:
    """The commands of tox's environments, those of `testenv` itself first. One that changes the folder says nothing."""
    project = tree.toml("pyproject.toml")
    for base in (tree.toml("tox.toml"), table_at(project, "tool", "tox")):
        commands = table_at(base, "env_run_base").get("commands")
        yield [shlex.join(strings_in(words)) for words in commands] if isinstance(commands, list) else []
    sections = tree.ini("tox.ini")
    names = [name for name in sections if name == "testenv" or name.startswith("testenv:")]
    for name in sorted(_by_purpose(names), key=lambda name: name != "testenv"):
        if not {"changedir", "change_dir"} & sections[name].keys():
            text = POSARGS.sub(r"\1", TOX_ROOT.sub("", CONTINUED.sub(" ", sections[name].get("commands", ""))))
            yield [line.strip().removeprefix("-").strip() for line in text.splitlines()]


def _nox_blocks(source: str) -> Iterator[Block]:
    """What the sessions of nox run: the words of `session.run(...)` that are written out."""
    try:
        module = parse_python(source)
    except (SyntaxError, ValueError, RecursionError):
        return
    sessions = {node.name: node for node in module.body if isinstance(node, ast.FunctionDef)}
    for name in _by_purpose(list(sessions)):
        calls = (node for node in ast.walk(sessions[name]) if isinstance(node, ast.Call))
        runs = [call.args for call in calls if getattr(call.func, "attr", "") == "run"]
        yield [shlex.join(_written_words(words)) for words in runs]


def _written_words(nodes: Sequence[ast.expr]) -> list[str]:
    return [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]


def _script_blocks(tree: Tree) -> Iterator[Block]:
    """The scripts of Hatch, PDM and Poe."""
    tool = table_at(tree.toml("pyproject.toml"), "tool")
    environments = table_at(tool, "hatch", "envs").values()
    tables = [table_at(env, "scripts") for env in environments]
    for table in (*tables, table_at(tool, "pdm", "scripts"), table_at(tool, "poe", "tasks")):
        for name in _by_purpose(list(table)):
            value = table[name]
            command = table_at(value).get("cmd", value)
            yield [command] if isinstance(command, str) else strings_in(command)


def _pytest_arguments(line: str) -> Iterator[list[str]]:
    """What stands after pytest in the commands of a line that start it."""
    for command in COMMANDS.split(line):
        try:
            words = shlex.split(command, comments=True)
        except ValueError:  # an open quotation mark
            continue
        start = next((n for n, word in enumerate(words) if posixpath.basename(word) in PYTEST), None)
        if start is not None and not any(word in NOT_A_START or word.endswith(":") for word in words[:start]):
            yield words[start + 1 :]


def _paths_in(tree: Tree, arguments: Sequence[str], value_options: Sequence[str]) -> list[str]:
    """The arguments that name files or folders of the repository; none where one of them is the repository itself."""
    words = [
        word
        for before, word in zip(("", *arguments), arguments, strict=False)
        if not word.startswith("-") and before not in value_options
    ]
    paths = [posixpath.normpath(word.partition("::")[0]) for word in words if word]
    folders = [posixpath.dirname(path) if "*" in path else path for path in paths]
    if "." in folders or "" in folders:
        return []
    return [path for path in folders if tree.has(path) or any(other.startswith(f"{path}/") for other in tree.paths)]
