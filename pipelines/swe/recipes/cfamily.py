"""Plans for C and C++: CMake, Meson, Autotools; the build is made once, and made again where the tests are judged."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from crucible.datafile import rows
from crucible.domains.code.suite import Suite
from crucible.record import Record
from pipelines.swe.recipes.plan import Plan
from pipelines.swe.recipes.tree import Tree

HERE = Path(__file__).parent

DEPENDENCIES = (
    *("CMakeLists.txt", "**/CMakeLists.txt", "**/*.cmake", "meson.build", "**/meson.build", "meson_options.txt"),
    *("meson.options", "configure.ac", "configure", "Makefile.am", "**/Makefile.am", "subprojects/*.wrap"),
)


class System(Record):
    """One build system."""

    name: str
    file: str
    packages: tuple[str, ...]
    commands: tuple[str, ...]
    runner: str
    command: str
    rebuild: str
    option: str = ""
    """How the project's files declare a switch for its tests."""
    switch: str = ""


@cache
def _systems() -> tuple[System, ...]:
    return rows(HERE / "cfamily.toml", "systems", System)


def plans(tree: Tree) -> list[Plan]:
    """One for each build system whose file is there; then again without the switches that were found."""
    found = [system for system in _systems() if tree.has(system.file)]
    switched = [_plan(tree, system, _switches(tree, system)) for system in found]
    plain = [_plan(tree, system, "") for system in found]
    return switched + [plan for plan in plain if plan not in switched]


def _plan(tree: Tree, system: System, options: str) -> Plan:
    def fill(text: str) -> str:
        return text.replace("{build}", build).replace("{options}", options).rstrip()

    build = "build" if not any(path.startswith("build/") for path in tree.paths) else "_crucible_build"
    return Plan(
        language="c",
        toolchain="c",
        packages=system.packages,
        commands=tuple(fill(command) for command in system.commands),
        suite=Suite(runner=system.runner, command=fill(system.command), build=fill(system.rebuild), timeout=900),
        dependencies=DEPENDENCIES,
        why=f"{system.name} {options}".rstrip(),
    )


def _switches(tree: Tree, system: System) -> str:
    if not system.option:
        return ""
    files = (system.file, "meson_options.txt", "meson.options")
    names = [name for file in files for name in re.findall(system.option, tree.text(file))]
    return " ".join(system.switch.replace("{name}", name) for name in dict.fromkeys(names))
