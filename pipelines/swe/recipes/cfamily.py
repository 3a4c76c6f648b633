"""Plans for C and C++: CMake, Meson, Autotools. What the image holds is built; a change is built again before tests."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from crucible.datafile import read_rows
from crucible.domains.code.suite import Suite
from crucible.record import Record
from pipelines.swe.recipes.plan import Plan
from pipelines.swe.recipes.tree import Tree

HERE = Path(__file__).parent

DEPENDENCIES = (
    *("CMakeLists.txt", "**/CMakeLists.txt", "**/*.cmake", "meson.build", "**/meson.build", "meson_options.txt"),
    *("meson.options", "configure.ac", "configure", "Makefile.am", "**/Makefile.am", "subprojects/*.wrap"),
)
"""Pathspecs of the files whose change means another image."""
OPTION_FILES = ("meson_options.txt", "meson.options")
"""Files in which Meson's projects declare their switches, beside the build file."""


class System(Record):
    """One row of `cfamily.toml`: a build system."""

    name: str
    file: str
    """A repository that has it uses this system."""
    packages: tuple[str, ...]
    commands: tuple[str, ...]
    runner: str
    command: str
    rebuild: str
    """What compiles the change again before the tests."""
    option: str = ""
    """The pattern by which the project's files declare a switch for its tests; its group is the switch's name."""
    switch: str = ""
    """How such a switch is turned on; `{name}` is filled in."""


@cache
def _systems() -> tuple[System, ...]:
    return read_rows(HERE / "cfamily.toml", "systems", System)


def write_plans(tree: Tree) -> list[Plan]:
    """One plan for each build system whose file is there, with the switches for tests that the project declares; then
    again without these switches."""
    systems = [system for system in _systems() if tree.has(system.file)]
    switched = [_plan(tree, system, _test_switches(tree, system)) for system in systems]
    plain = [_plan(tree, system, "") for system in systems]
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


def _test_switches(tree: Tree, system: System) -> str:
    """The options that turn on all switches for tests which the project's build files declare."""
    if not system.option:
        return ""
    names = [name for file in (system.file, *OPTION_FILES) for name in re.findall(system.option, tree.text(file))]
    return " ".join(system.switch.replace("{name}", name) for name in dict.fromkeys(names))
