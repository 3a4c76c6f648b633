"""What a Python project declares for its tests: dependency groups, extras, Poetry's groups, tox."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pipelines.swe.recipes.tree import Tree, table, words


def group_names(tree: Tree) -> list[str]:
    """Dependency groups, by whatever tool."""
    project = tree.toml("pyproject.toml")
    poetry = table(project, "tool", "poetry")
    old = ["dev"] if table(poetry, "dev-dependencies") else []
    return [
        *table(project, "dependency-groups"),
        *table(project, "tool", "pdm", "dev-dependencies"),
        *table(poetry, "group"),
        *old,
    ]


def groups(tree: Tree, names: Sequence[str]) -> list[str]:
    """The requirements of these groups, each once."""
    project = tree.toml("pyproject.toml")
    standard = table(project, "dependency-groups")
    poetry = table(project, "tool", "poetry")
    found: list[str] = []
    for name in names:
        found += _group(standard, name, ())
        found += words(table(project, "tool", "pdm", "dev-dependencies").get(name))
        found += _poetry(table(poetry, "group", name, "dependencies"))
        found += _poetry(table(poetry, "dev-dependencies")) if name == "dev" else []
    return [one for one in dict.fromkeys(found) if not one.startswith("-")]


def extras(tree: Tree) -> list[str]:
    """The optional dependencies a project declares."""
    project = tree.toml("pyproject.toml")
    names = [*table(project, "project", "optional-dependencies"), *table(project, "tool", "poetry", "extras")]
    section = tree.ini("setup.cfg").get("options.extras_require", {})
    written = re.search(r"extras_require\s*=\s*(?:dict\(|\{)(.*?)\n\s*[)}],?\s*\n", tree.text("setup.py"), re.DOTALL)
    quoted = re.findall(r"^\s*['\"]?(\w[\w-]*)['\"]?\s*[:=]", written[1], re.MULTILINE) if written else []
    return list(dict.fromkeys([*names, *section, *quoted]))


def tox(tree: Tree) -> list[str]:
    """What tox installs in every environment; a line for one of its environments only is left out."""
    sections = tree.ini("tox.ini")
    lines = sections.get("testenv", {}).get("deps", "").splitlines()
    return [one for line in lines if (one := _tox_line(line.strip()))]


def _tox_line(line: str) -> str:
    line = re.sub(r"\{(toxinidir|tox_root)\}/?", "", line)
    if not line or line.startswith("#") or "{" in line or re.match(r"[\w!,{}.-]+:\s", line):
        return ""
    listed = re.match(r"(?:-r|--requirement)[\s=]*(\S+)", line)
    if listed:
        return f"-r{listed[1]}"
    return "" if line.startswith("-") else line


def _group(all_groups: dict[str, object], name: str, above: tuple[str, ...]) -> Iterator[str]:
    """One group with the groups it includes; a circle ends where it began."""
    listed = all_groups.get(name)
    for one in listed if isinstance(listed, list) else ():
        inner = one.get("include-group") if isinstance(one, dict) else None
        if isinstance(one, str):
            yield one
        elif isinstance(inner, str) and inner not in (*above, name):
            yield from _group(all_groups, inner, (*above, name))


def _poetry(dependencies: dict[str, object]) -> list[str]:
    return [_requirement(name, wanted) for name, wanted in dependencies.items() if name != "python"]


def _requirement(name: str, wanted: object) -> str:
    """Poetry's way of saying it, in pip's: `^1.2` is at least 1.2."""
    version = wanted.get("version", "*") if isinstance(wanted, dict) else wanted
    chosen = ",".join(words(wanted.get("extras"))) if isinstance(wanted, dict) else ""
    name = f"{name}[{chosen}]" if chosen else name
    low = re.match(r"[\^~]\s*([\d.]+)", version) if isinstance(version, str) else None
    if low:
        return f"{name}>={low[1]}"
    plain = isinstance(version, str) and re.fullmatch(r"[<>=!,.\d\s]+", version) and version[0] in "<>=!"
    return f"{name}{version}" if plain else name
