"""Plans for Python: what the repository declares, installed into one virtual environment, tested by pytest.

pytest runs `unittest` classes too, so it is the one runner; what a plugin's missing option needs is mended later.
"""

from __future__ import annotations

import re
import shlex
from functools import cache
from pathlib import Path

from crucible.datafile import whole
from crucible.domains.code.suite import Suite
from crucible.record import Record
from pipelines.swe.recipes import declared, versions
from pipelines.swe.recipes.plan import Plan
from pipelines.swe.recipes.toolchains import versions as versions_of
from pipelines.swe.recipes.tree import Tree, table, words

HERE = Path(__file__).parent

INSTALL = "/opt/venv/bin/pip install --quiet --no-cache-dir --disable-pip-version-check"


class Translations(Record):
    """How texts in other languages are made ready, where the repository holds only what people write."""

    written: str
    made: str
    packages: tuple[str, ...]
    build: str


class PythonRules(Record):
    """`python.toml`."""

    dependencies: tuple[str, ...]
    requirements: tuple[str, ...]
    working: tuple[str, ...]
    extras: tuple[str, ...]
    working_extras: tuple[str, ...]
    not_features: tuple[str, ...]
    most_features: int
    unversioned: dict[str, str]
    native: dict[str, tuple[str, ...]]
    translations: Translations


@cache
def rules() -> PythonRules:
    """The rules, read once."""
    return whole(HERE / "python.toml", PythonRules)


def plans(tree: Tree) -> list[Plan]:
    """All that is declared for tests, with the package's optional features; without these; the package alone."""
    if not tree.suffixes & {".py", ".pyx"}:
        return []
    wanted = _wanted(tree)
    tests = _choice(declared.extras(tree))
    ways = [
        (wanted, [*tests, *_features(tree, tests)], "everything that is declared for tests, and optional features"),
        (wanted, tests, "everything that is declared for tests"),
        ([], [], "the package alone, since what is declared does not install"),
    ]
    found = [_plan(tree, listed, _own(tree, extras), why) for listed, extras, why in ways]
    if _is_compiled(tree):
        found.append(_plain(found[0], tree))
    return [plan for place, plan in enumerate(found) if plan.commands not in [one.commands for one in found[:place]]]


def _plain(plan: Plan, tree: Tree) -> Plan:
    """Tested as it was installed, where it cannot be compiled again."""
    commands = tuple(command for command in plan.commands if command != _backend(tree))
    suite = plan.suite.model_copy(update={"build": _translated(tree)})
    return plan.model_copy(update={"commands": commands, "suite": suite, "why": "as it was installed, compiled once"})


def _features(tree: Tree, tests: list[str]) -> list[str]:
    known = (*rules().extras, *rules().working_extras, *rules().not_features)
    found = [extra for extra in declared.extras(tree) if extra.lower() not in known and extra not in tests]
    return found if len(found) <= rules().most_features else []


def _plan(tree: Tree, wanted: list[str], own: list[str], why: str) -> Plan:
    backend = [_backend(tree)] if _is_compiled(tree) else []
    return Plan(
        language="python",
        toolchain="python",
        version=_version(tree),
        packages=(*_native(tree), *(rules().translations.packages if _is_translated(tree) else ())),
        commands=(f"{INSTALL} {shlex.join(['pytest', *wanted])}", *backend, *own),
        suite=Suite(runner="pytest", command=_command(tree), build=_build(tree)),
        dependencies=rules().dependencies,
        why=why,
    )


def _command(tree: Tree) -> str:
    """pytest does not look into files called `test.py`, unless it is told to."""
    named = any("python_files" in tree.text(path) for path in ("pytest.ini", "setup.cfg", "tox.ini", "pyproject.toml"))
    found = tree.matching("**/test_*.py", "**/*_test.py")
    plain = sorted({Path(path).name for path in tree.matching("**/test.py", "**/tests.py")})
    if named or found or not plain:
        return "python3 -m pytest"
    return f"python3 -m pytest -o {shlex.quote('python_files=' + ' '.join(plain))}"


def _is_translated(tree: Tree) -> bool:
    known = rules().translations
    return bool(tree.matching(known.written)) and not tree.matching(known.made)


def _build(tree: Tree) -> str:
    """What a change does not show in by itself: translations and extensions are compiled when a package is made."""
    again = _editable("--no-build-isolation --no-deps --no-index", ".")
    return "\n".join(step for step in (_translated(tree), again if _is_compiled(tree) else "") if step)


def _translated(tree: Tree) -> str:
    return rules().translations.build.strip() if _is_translated(tree) else ""


def _is_compiled(tree: Tree) -> bool:
    """Whether the package has extensions, which are compiled from files of the repository."""
    return bool(_native(tree)) and _is_package(tree)


def _backend(tree: Tree) -> str:
    """What builds the package, as new as pip would take it for one build, to stay: there is no network when it is
    built again."""
    asked = words(table(tree.toml("pyproject.toml"), "build-system").get("requires")) or ["setuptools"]
    return f"{INSTALL} --upgrade {shlex.join(dict.fromkeys([*asked, 'wheel']))}"


def _editable(options: str, target: str) -> str:
    stand_in = " ".join(f"{name}={value}" for name, value in rules().unversioned.items())
    return f"env {stand_in} {INSTALL} {options} --editable {shlex.quote(target)}".replace("  ", " ")


def _version(tree: Tree) -> str:
    project = tree.toml("pyproject.toml")
    poetry = table(project, "tool", "poetry", "dependencies").get("python")
    asked = table(project, "project").get("requires-python", poetry)
    stated = re.search(r"python_requires\s*=\s*['\"]?([^'\"\n]+)", tree.text("setup.cfg") + tree.text("setup.py"))
    wanted = asked if isinstance(asked, str) else (stated[1] if stated else "")
    return versions.choose(wanted, versions_of("python"))


def _wanted(tree: Tree) -> list[str]:
    """What is installed beside the package: groups, requirement files, what tox installs."""
    files = [path for path in rules().requirements if tree.has(path)]
    grouped = declared.groups(tree, _choice(declared.group_names(tree)))
    tox = [one for one in declared.tox(tree) if one not in grouped]
    if not grouped and not tox and files in ([], ["requirements.txt"]):
        files += [path for path in rules().working if tree.has(path)]
    listed = [word for path in files if f"-r{path}" not in tox for word in ("-r", path)]
    return [*grouped, *(word for one in tox for word in _split(one)), *listed]


def _split(requirement: str) -> list[str]:
    return ["-r", requirement[2:]] if requirement.startswith("-r") else [requirement]


def _choice(names: list[str]) -> list[str]:
    tests = [name for name in names if name.lower() in rules().extras]
    return tests or [name for name in names if name.lower() in rules().working_extras]


def _own(tree: Tree, extras: list[str]) -> list[str]:
    """The repository's own package, if it is one."""
    return [_editable("", f".[{','.join(extras)}]" if extras else ".")] if _is_package(tree) else []


def _is_package(tree: Tree) -> bool:
    project = tree.toml("pyproject.toml")
    packaged = {"project", "build-system"} & project.keys() or table(project, "tool", "poetry")
    return bool(packaged or tree.has("setup.py") or "[metadata]" in tree.text("setup.cfg"))


def _native(tree: Tree) -> tuple[str, ...]:
    """Compilers, where the build files speak of something to compile."""
    text = "".join(tree.text(path) for path in ("setup.py", "setup.cfg", "pyproject.toml"))
    found = [packages for word, packages in rules().native.items() if re.search(rf"\b{word}\b", text)]
    return tuple(dict.fromkeys(package for packages in found for package in packages))
