"""What a Python project declares for its tests: dependency groups, extras, Poetry's groups, tox."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pipelines.swe.recipes.tree import Tree, strings_in, table_at

SETUP_EXTRAS = re.compile(r"extras_require\s*=\s*(?:dict\(|\{)(.*?)\n\s*[)}],?\s*\n", re.DOTALL)
# matches, over several lines: extras_require={ "test": ["pytest"], },
EXTRA_NAME = re.compile(r"^\s*['\"]?(\w[\w-]*)['\"]?\s*[:=]", re.MULTILINE)
# matches the beginning of: "test": ["pytest"],  test=["pytest"]
TOX_ROOT = re.compile(r"\{(toxinidir|tox_root)\}/?")
# matches: {toxinidir}/
TOX_FACTOR = re.compile(r"[\w!,{}.-]+:\s")
# matches the beginning of: py38: typing-extensions
REQUIREMENT_FILE = re.compile(r"(?:-r|--requirement)[\s=]*(\S+)")
# matches: -r requirements.txt  --requirement=requirements.txt
AT_LEAST = re.compile(r"[\^~]\s*([\d.]+)")
# matches: ^1.2  ~ 3.4.5
PIP_VERSION = re.compile(r"[<>=!,.\d\s]+")
# matches: >=1.2,<2


def list_groups(tree: Tree) -> list[str]:
    """The names of the project's dependency groups, whichever tool they are declared for."""
    project = tree.toml("pyproject.toml")
    poetry = table_at(project, "tool", "poetry")
    old = ["dev"] if table_at(poetry, "dev-dependencies") else []
    return [
        *table_at(project, "dependency-groups"),
        *table_at(project, "tool", "pdm", "dev-dependencies"),
        *table_at(poetry, "group"),
        *old,
    ]


def group_requirements(tree: Tree, names: Sequence[str]) -> list[str]:
    """The requirements of the dependency groups of these names, each once, as pip takes them."""
    project = tree.toml("pyproject.toml")
    standard = table_at(project, "dependency-groups")
    poetry = table_at(project, "tool", "poetry")
    requirements: list[str] = []
    for name in names:
        requirements += _expand_group(standard, name, ())
        requirements += strings_in(table_at(project, "tool", "pdm", "dev-dependencies").get(name))
        requirements += poetry_requirements(table_at(poetry, "group", name, "dependencies"))
        requirements += poetry_requirements(table_at(poetry, "dev-dependencies")) if name == "dev" else []
    return [requirement for requirement in dict.fromkeys(requirements) if not requirement.startswith("-")]


def list_extras(tree: Tree) -> list[str]:
    """The names of the optional dependencies that a project declares."""
    project = tree.toml("pyproject.toml")
    names = [*table_at(project, "project", "optional-dependencies"), *table_at(project, "tool", "poetry", "extras")]
    section = tree.ini("setup.cfg").get("options.extras_require", {})
    in_setup = SETUP_EXTRAS.search(tree.text("setup.py"))
    return list(dict.fromkeys([*names, *section, *(EXTRA_NAME.findall(in_setup[1]) if in_setup else [])]))


def tox_requirements(tree: Tree) -> list[str]:
    """What tox installs in every environment; a line for one of its environments only is left out."""
    lines = tree.ini("tox.ini").get("testenv", {}).get("deps", "").splitlines()
    return [requirement for line in lines if (requirement := _tox_requirement(line.strip()))]


def _tox_requirement(line: str) -> str:
    """One line of tox's `deps` as pip takes it, a requirement file as `-rfile`; empty where it cannot be taken over."""
    line = TOX_ROOT.sub("", line)
    if not line or line.startswith("#") or "{" in line or TOX_FACTOR.match(line):
        return ""
    file = REQUIREMENT_FILE.match(line)
    if file:
        return f"-r{file[1]}"
    return "" if line.startswith("-") else line


def _expand_group(groups: dict[str, object], name: str, above: tuple[str, ...]) -> Iterator[str]:
    """The requirements of one group and of the groups it includes; a circle ends where it began."""
    entries = groups.get(name)
    for entry in entries if isinstance(entries, list) else ():
        included = entry.get("include-group") if isinstance(entry, dict) else None
        if isinstance(entry, str):
            yield entry
        elif isinstance(included, str) and included not in (*above, name):
            yield from _expand_group(groups, included, (*above, name))


def poetry_requirements(dependencies: dict[str, object]) -> list[str]:
    """The requirements in one of Poetry's tables, as pip takes them."""
    return [_poetry_requirement(name, value) for name, value in dependencies.items() if name != "python"]


def _poetry_requirement(name: str, value: object) -> str:
    """A requirement of Poetry as pip takes it: `^1.2` is at least 1.2; a version that pip has no word for is any."""
    version = value.get("version", "*") if isinstance(value, dict) else value
    extras = ",".join(strings_in(value.get("extras"))) if isinstance(value, dict) else ""
    name = f"{name}[{extras}]" if extras else name
    if not isinstance(version, str):
        return name
    if at_least := AT_LEAST.match(version):
        return f"{name}>={at_least[1]}"
    return f"{name}{version}" if PIP_VERSION.fullmatch(version) and version[0] in "<>=!" else name
