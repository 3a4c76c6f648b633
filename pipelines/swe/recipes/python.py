"""Plans for Python: what the repository declares, installed into one virtual environment, tested by pytest.

pytest runs `unittest` classes too, so it is the one runner; what a plugin's missing option needs is mended later.
"""

from __future__ import annotations

import re
import shlex
from functools import cache
from pathlib import Path

from crucible.datafile import read_file
from crucible.domains.code.suite import Suite
from crucible.record import Record
from pipelines.swe.recipes import python_dependencies
from pipelines.swe.recipes.plan import Plan
from pipelines.swe.recipes.pytest_paths import find_pytest_paths
from pipelines.swe.recipes.python_declarations import list_declared
from pipelines.swe.recipes.toolchains import toolchain_versions
from pipelines.swe.recipes.tree import Tree, strings_in, table_at
from pipelines.swe.recipes.version_requirements import choose_version

HERE = Path(__file__).parent

INSTALL = "/opt/venv/bin/pip install --quiet --no-cache-dir --disable-pip-version-check"
PYTHON_REQUIRES = re.compile(r"python_requires\s*=\s*['\"]?([^'\"\n]+)")
# matches: python_requires=">=3.8"  python_requires = >=3.8


class Translations(Record):
    """How texts in other languages are compiled, where the repository holds only what translators write."""

    source: str
    """Pathspec of the files that translators write."""
    compiled: str
    """Pathspec of the files that programs read."""
    packages: tuple[str, ...]
    build: str


class PythonRules(Record):
    """`python.toml`."""

    dependencies: tuple[str, ...]
    requirements: tuple[str, ...]
    working_requirements: tuple[str, ...]
    declaring: tuple[str, ...]
    calling_pip: tuple[str, ...]
    value_options: tuple[str, ...]
    ci: tuple[str, ...]
    extras: tuple[str, ...]
    working_extras: tuple[str, ...]
    not_features: tuple[str, ...]
    most_features: int
    stand_in_versions: dict[str, str]
    native: dict[str, tuple[str, ...]]
    translations: Translations


@cache
def load_rules() -> PythonRules:
    """The rules of `python.toml`, read once."""
    return read_file(HERE / "python.toml", PythonRules)


def write_plans(tree: Tree) -> list[Plan]:
    """The plans for a Python repository: with all that is declared for tests and the package's optional features;
    without these features; with the package alone; and, where it has extensions, without compiling them again. Where
    the project gives pytest paths, so do they all, and the first is there once more without."""
    if not tree.suffixes & {".py", ".pyx"}:
        return []
    requirements = _test_requirements(tree)
    extras = _choose_for_tests(python_dependencies.list_extras(tree))
    ways = [
        (
            requirements,
            [*extras, *_features(tree, extras)],
            "everything that is declared for tests, and optional features",
        ),
        (requirements, extras, "everything that is declared for tests"),
        ([], [], "the package alone, since what is declared does not install"),
    ]
    proposed = [_plan(tree, *way) for way in ways]
    if _is_compiled(tree):
        proposed.append(_without_rebuild(proposed[0], tree))
    distinct = [
        plan for place, plan in enumerate(proposed) if plan.commands not in [p.commands for p in proposed[:place]]
    ]
    declared = list_declared(tree, load_rules().declaring, load_rules().calling_pip)
    paths = find_pytest_paths(tree, load_rules().value_options, load_rules().ci)
    narrowed = [_narrow(plan, paths) for plan in distinct] if paths else []
    return [plan.model_copy(update={"declared": declared}) for plan in (*narrowed, *distinct[: 1 if paths else None])]


def _narrow(plan: Plan, paths: tuple[str, ...]) -> Plan:
    """The plan that gives pytest the paths which the project gives it."""
    return plan.model_copy(
        update={
            "suite": plan.suite.model_copy(update={"paths": paths}),
            "why": f"{plan.why}; tests in {' '.join(paths)}",
        }
    )


def _plan(tree: Tree, requirements: list[str], extras: list[str], why: str) -> Plan:
    """The plan that installs these requirements, and the package with these extras if the repository is a package."""
    backend = [_install_backend(tree)] if _is_compiled(tree) else []
    package = [_install_editable("", f".[{','.join(extras)}]" if extras else ".")] if _is_package(tree) else []
    return Plan(
        language="python",
        toolchain="python",
        version=_version(tree),
        packages=(*_compilers(tree), *(load_rules().translations.packages if _needs_translations(tree) else ())),
        commands=(f"{INSTALL} {shlex.join(['pytest', *requirements])}", *backend, *package),
        suite=Suite(runner="pytest", command=_test_command(tree), build=_build(tree)),
        dependencies=load_rules().dependencies,
        why=why,
    )


def _without_rebuild(plan: Plan, tree: Tree) -> Plan:
    """The plan that tests the package as it was installed, for where its extensions cannot be compiled again."""
    commands = tuple(command for command in plan.commands if command != _install_backend(tree))
    suite = plan.suite.model_copy(update={"build": _compile_translations(tree)})
    return plan.model_copy(update={"commands": commands, "suite": suite, "why": "as it was installed, compiled once"})


def _features(tree: Tree, test_extras: list[str]) -> list[str]:
    """The extras that are optional features of the package, to be tested as well; none where there are too many."""
    others = (*load_rules().extras, *load_rules().working_extras, *load_rules().not_features)
    extras = python_dependencies.list_extras(tree)
    features = [extra for extra in extras if extra.lower() not in others and extra not in test_extras]
    return features if len(features) <= load_rules().most_features else []


def _test_command(tree: Tree) -> str:
    """How pytest is started. It does not look into files called `test.py`, unless it is told to."""
    configurations = ("pytest.ini", "setup.cfg", "tox.ini", "pyproject.toml")
    is_configured = any("python_files" in tree.text(path) for path in configurations)
    usual = tree.matching("**/test_*.py", "**/*_test.py")
    unusual = sorted({Path(path).name for path in tree.matching("**/test.py", "**/tests.py")})
    if is_configured or usual or not unusual:
        return "python3 -m pytest"
    return f"python3 -m pytest -o {shlex.quote('python_files=' + ' '.join(unusual))}"


def _build(tree: Tree) -> str:
    """What is run before the tests, because a change does not show by itself: translations and extensions are compiled
    when a package is made."""
    rebuild = _install_editable("--no-build-isolation --no-deps --no-index", ".") if _is_compiled(tree) else ""
    return "\n".join(step for step in (_compile_translations(tree), rebuild) if step)


def _needs_translations(tree: Tree) -> bool:
    translations = load_rules().translations
    return bool(tree.matching(translations.source)) and not tree.matching(translations.compiled)


def _compile_translations(tree: Tree) -> str:
    """The command that compiles the translations; empty where there are none to compile."""
    return load_rules().translations.build.strip() if _needs_translations(tree) else ""


def _is_compiled(tree: Tree) -> bool:
    """Whether the package has extensions, which are compiled from files of the repository."""
    return bool(_compilers(tree)) and _is_package(tree)


def _install_backend(tree: Tree) -> str:
    """The command that installs what builds the package, as new as pip would take it for one build, to stay: there is
    no network when it is built again."""
    requires = strings_in(table_at(tree.toml("pyproject.toml"), "build-system").get("requires")) or ["setuptools"]
    return f"{INSTALL} --upgrade {shlex.join(dict.fromkeys([*requires, 'wheel']))}"


def _install_editable(options: str, target: str) -> str:
    """The command that installs the package in place, with a version where it would be read from git's tags."""
    versions = " ".join(f"{name}={value}" for name, value in load_rules().stand_in_versions.items())
    return f"env {versions} {INSTALL} {options} --editable {shlex.quote(target)}".replace("  ", " ")


def _version(tree: Tree) -> str:
    """The Python that the project's files ask for."""
    project = tree.toml("pyproject.toml")
    poetry = table_at(project, "tool", "poetry", "dependencies").get("python")
    declared = table_at(project, "project").get("requires-python", poetry)
    in_setup = PYTHON_REQUIRES.search(tree.text("setup.cfg") + tree.text("setup.py"))
    requirement = declared if isinstance(declared, str) else (in_setup[1] if in_setup else "")
    return choose_version(requirement, toolchain_versions("python"))


def _test_requirements(tree: Tree) -> list[str]:
    """pip's arguments for what is installed beside the package: dependency groups, what tox installs, requirement
    files."""
    files = [path for path in load_rules().requirements if tree.has(path)]
    groups = _choose_for_tests(python_dependencies.list_groups(tree))
    grouped = python_dependencies.group_requirements(tree, groups)
    tox = [requirement for requirement in python_dependencies.tox_requirements(tree) if requirement not in grouped]
    if not grouped and not tox and files in ([], ["requirements.txt"]):
        files += [path for path in load_rules().working_requirements if tree.has(path)]
    listed = [word for path in files if f"-r{path}" not in tox for word in ("-r", path)]
    return [*grouped, *(word for requirement in tox for word in _split_option(requirement)), *listed]


def _split_option(requirement: str) -> list[str]:
    """`-rfile` as the two words `-r` and `file`; a package's requirement as it is."""
    return ["-r", requirement[2:]] if requirement.startswith("-r") else [requirement]


def _choose_for_tests(names: list[str]) -> list[str]:
    """Of the names of extras or groups those that are for tests; without any, those for working on the project."""
    tests = [name for name in names if name.lower() in load_rules().extras]
    return tests or [name for name in names if name.lower() in load_rules().working_extras]


def _is_package(tree: Tree) -> bool:
    """Whether the repository can be installed: a folder of scripts cannot."""
    project = tree.toml("pyproject.toml")
    packaged = {"project", "build-system"} & project.keys() or table_at(project, "tool", "poetry")
    return bool(packaged or tree.has("setup.py") or "[metadata]" in tree.text("setup.cfg"))


def _compilers(tree: Tree) -> tuple[str, ...]:
    """The system packages with compilers, where the build files speak of something to compile."""
    text = "".join(tree.text(path) for path in ("setup.py", "setup.cfg", "pyproject.toml"))
    needed = [packages for word, packages in load_rules().native.items() if re.search(rf"\b{word}\b", text)]
    return tuple(dict.fromkeys(package for packages in needed for package in packages))
