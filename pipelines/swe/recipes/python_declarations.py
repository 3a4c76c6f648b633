"""Every package that a Python repository declares anywhere, for whatever purpose. Pure.

A plan does not install all of it: documentation and linters are no part of what tests need. But a test that is skipped
because a module is missing may have it from here.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence

from crucible.domains.code.definitions import parse_python
from pipelines.swe.recipes import python_dependencies
from pipelines.swe.recipes.tree import Tree, strings_in, table_at

REQUIREMENT = re.compile(
    r"(?P<name>[A-Za-z\d](?:[\w.-]*[A-Za-z\d])?)(?P<extras>\[[\w, .-]*\])?\s*"
    r"(?P<version>(?:[<>=!~]=?=?\s*[\w.*+!-]+\s*,?\s*)*)(?:;.*|@.*|\s#.*)?"
)
# matches: pytz  pytz>=2023.3,<2025  PyYAML[all] ; python_version < "3.9"
FACTOR = re.compile(r"[\w!,{}.-]+:\s+(?=\S)")
# matches the beginning of: py38,py39: typing-extensions
PIP_INSTALL = re.compile(r"\bpip3? install +([^\n&|;#]+)")
# matches: pip install -U pytz numpy
QUOTES = "\"'"
MOST_FILES = 60
"""Files that are read at most."""


def list_declared(tree: Tree, files: Sequence[str], scripts: Sequence[str]) -> tuple[str, ...]:
    """The requirements that a repository declares, each package once, as pip takes them. `files` are the pathspecs of
    its requirement files, `scripts` those of the files in which somebody may call pip."""
    texts = [tree.text(path) for path in tree.matching(*files)[:MOST_FILES]]
    called = [tree.text(path) for path in tree.matching(*scripts)[:MOST_FILES]]
    lines = [
        *(line for text in texts for line in text.splitlines()),
        *_tables(tree),
        *_tox_lines(tree),
        *_strings_in_lists(tree.text("setup.py")),
        *_installed_by_nox(tree.text("noxfile.py")),
        *(word.strip(QUOTES) for text in called for words in PIP_INSTALL.findall(text) for word in words.split()),
    ]
    return tuple(_unique(lines))


def normalise_name(name: str) -> str:
    """A package's name as the index compares it: `Ruamel_Yaml` is `ruamel-yaml`."""
    return re.sub(r"[-_.]+", "-", name).lower()


def name_of_requirement(requirement: str) -> str:
    """The package's name in a requirement, with nothing around it."""
    match = REQUIREMENT.fullmatch(requirement)
    return match["name"] if match else ""


def _unique(lines: Iterable[str]) -> Iterator[str]:
    """The requirements among these lines; of a package that is declared twice, the first."""
    seen: set[str] = set()
    for line in lines:
        match = REQUIREMENT.fullmatch(line.strip())
        if match and normalise_name(match["name"]) not in seen:
            seen.add(normalise_name(match["name"]))
            # Conditions and addresses are left out: the one who asks wants it here and now, from the index.
            yield f"{match['name']}{match['extras'] or ''}{match['version'].replace(' ', '').rstrip(',')}"


def _tables(tree: Tree) -> list[str]:
    """What pyproject.toml, setup.cfg and a Pipfile declare, for use and for working on it."""
    project, pipfile, setup = tree.toml("pyproject.toml"), tree.toml("Pipfile"), tree.ini("setup.cfg")
    optional = table_at(project, "project", "optional-dependencies")
    poetry = (table_at(project, "tool", "poetry", "dependencies"), pipfile.get("packages"), pipfile.get("dev-packages"))
    options = setup.get("options", {})
    in_setup = (*setup.get("options.extras_require", {}).values(), options.get("tests_require", ""))
    return [
        *(requirement for extra in optional.values() for requirement in strings_in(extra)),
        *python_dependencies.group_requirements(tree, python_dependencies.list_groups(tree)),
        *(line for table in poetry for line in python_dependencies.poetry_requirements(table_at(table))),
        *(line for text in in_setup for line in text.splitlines()),
    ]


def _tox_lines(tree: Tree) -> list[str]:
    """What any of tox's environments installs, whatever factor asks for it."""
    sections = [values for name, values in tree.ini("tox.ini").items() if name.startswith("testenv")]
    lines = [line.strip() for values in sections for line in values.get("deps", "").splitlines()]
    return [FACTOR.sub("", line, count=1) for line in lines]


def _strings_in_lists(source: str) -> list[str]:
    """The strings in the lists of a `setup.py`: its requirements are among them, under whatever name."""
    lists = (node for node in _walk(source) if isinstance(node, ast.List | ast.Tuple | ast.Set))
    return [text for node in lists for text in _strings(node.elts)]


def _installed_by_nox(source: str) -> list[str]:
    """What sessions of nox install: the arguments of `session.install(...)`."""
    calls = (node for node in _walk(source) if isinstance(node, ast.Call))
    return [text for call in calls if getattr(call.func, "attr", "") == "install" for text in _strings(call.args)]


def _walk(source: str) -> Iterator[ast.AST]:
    try:
        yield from ast.walk(parse_python(source))
    except (SyntaxError, ValueError, RecursionError):  # of Python 2, for example
        return


def _strings(nodes: Sequence[ast.expr]) -> list[str]:
    return [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
