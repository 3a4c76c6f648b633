"""Repairs by rule: what a diagnosis says is missing is added to the plan, or its toolchain is exchanged. `mends.toml`.

Each rule takes a plan and the name that the diagnosis gives, and returns the mended plan, or None where it cannot help.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path

from crucible.datafile import read_file
from crucible.record import Record
from pipelines.swe.recipes import javascript
from pipelines.swe.recipes.diagnosis import Diagnosis
from pipelines.swe.recipes.plan import Plan
from pipelines.swe.recipes.python import INSTALL
from pipelines.swe.recipes.python_declarations import name_of_requirement, normalise_name
from pipelines.swe.recipes.toolchains import toolchain_versions

HERE = Path(__file__).parent

Rule = Callable[[Plan, str], Plan | None]


class Missing(Record):
    """`mends.toml`: which package brings a header, a tool and so on; empty where none does."""

    headers: dict[str, str]
    tools: dict[str, str]
    libraries: dict[str, str]
    modules: dict[str, str]
    options: dict[str, str]
    hooks: dict[str, str]


@cache
def _missing() -> Missing:
    return read_file(HERE / "mends.toml", Missing)


def mend_plan(plan: Plan, diagnosis: Diagnosis, tried: Sequence[Plan]) -> Plan | None:
    """The plan with what it lacked; None when no rule helps, or when that has been tried."""
    rule = RULES.get(diagnosis.kind)
    better = rule(plan, diagnosis.name) if rule else None
    if better is None or better in tried:
        return None
    return better.model_copy(update={"why": f"{plan.why}; mended: {diagnosis.kind} {diagnosis.name}".rstrip()})


def _install_packages_of(choose: Callable[[Missing], Mapping[str, str]]) -> Rule:
    """The rule that adds the system packages which one table of `mends.toml` names."""

    def rule(plan: Plan, name: str) -> Plan | None:
        listed = choose(_missing()).get(name, "").split()
        packages = [package for package in listed if package not in plan.packages]
        return plan.model_copy(update={"packages": (*plan.packages, *packages)}) if packages else None

    return rule


def _install_python_module(plan: Plan, name: str) -> Plan | None:
    """Install a Python module: the package that the table names for it, otherwise the one of its own name. Names with
    an underscore in front are the repository's own and cannot be had that way."""
    top = name.partition(".")[0]
    return _pip_install(plan, _missing().modules.get(top, top)) if top and not top.startswith("_") else None


def find_declared(plan: Plan, words: Sequence[str], installed: Sequence[str]) -> list[str]:
    """The requirements that the repository declares for these words (names of modules or of packages) and that are not
    installed; `installed` are names of packages."""
    have = {normalise_name(name) for name in installed}
    tops = [top for word in words for top in (word, word.partition(".")[0])]
    wanted = {
        normalise_name(name) for top in tops for name in (top, name_of_requirement(_missing().modules.get(top, "")))
    }
    names = [(normalise_name(name_of_requirement(requirement)), requirement) for requirement in plan.declared]
    return [requirement for name, requirement in names if name in wanted - have]


def install_requirements(plan: Plan, requirements: Sequence[str]) -> Plan:
    """The plan with these Python packages, which skipped tests lack."""
    command = f"{INSTALL} {shlex.join(requirements)}"
    why = f"{plan.why}; mended: skipped_tests {' '.join(requirements)}"
    return plan.model_copy(update={"commands": (*plan.commands, command), "why": why})


def _install_pytest_plugin(plan: Plan, name: str) -> Plan | None:
    """Install the plugin that knows an option of pytest."""
    return _pip_install(plan, _missing().options.get(name, ""))


def _install_plugin_of_hook(plan: Plan, name: str) -> Plan | None:
    """Install the plugin that calls a hook of pytest."""
    return _pip_install(
        plan, next((plugin for start, plugin in _missing().hooks.items() if name.startswith(start)), "")
    )


def _ignore_folder(plan: Plan, name: str) -> Plan | None:
    """Keep pytest out of a folder that is not for tests, whose `conftest.py` stops it."""
    option = f"--ignore={shlex.quote(name)}"
    if plan.suite.runner != "pytest" or option in plan.suite.command:
        return None
    suite = plan.suite.model_copy(update={"command": f"{plan.suite.command} {option}"})
    return plan.model_copy(update={"suite": suite})


def _pip_install(plan: Plan, package: str) -> Plan | None:
    if plan.language != "python" or not package:
        return None
    return _add_last(plan, f"{INSTALL} {shlex.quote(package)}")


def _install_node_module(plan: Plan, name: str) -> Plan | None:
    """Install a package of npm; a relative path is the repository's own."""
    if plan.language != "javascript" or name.startswith("."):
        return None
    return _add_last(plan, f"npm install --no-save --legacy-peer-deps --ignore-scripts {shlex.quote(name)}")


def _use_mocha_tdd(plan: Plan, name: str) -> Plan | None:
    """Start Mocha with its `tdd` interface (`suite`, `test`): older versions read from a file which interface is used,
    newer ones do not."""
    if plan.suite.runner != "mocha" or "tdd" in plan.suite.command:
        return None
    suite = plan.suite.model_copy(update={"command": f"{plan.suite.command} --ui tdd"})
    return plan.model_copy(update={"suite": suite})


def _stop_module_detection(plan: Plan, name: str) -> Plan | None:
    """Tell Node to take a file for an ES module only where its name or its `package.json` says so."""
    options = {"NODE_OPTIONS": "--no-experimental-detect-module"}
    if options.items() <= plan.environment.items():
        return None
    return plan.model_copy(update={"environment": plan.environment | options})


def _skip_build(plan: Plan, name: str) -> Plan | None:
    """Leave out a build that fails: tests of JavaScript often load the sources."""
    if plan.language != "javascript" or not plan.suite.build:
        return None
    return plan.model_copy(update={"suite": plan.suite.model_copy(update={"build": ""})})


def _relax_npm_version(plan: Plan, name: str) -> Plan | None:
    """Take any version of a package, where the one that is asked for is no longer to be had; at the second time leave
    the package out. Packages that were relaxed before stay so."""
    if plan.language != "javascript":
        return None
    relaxed = (command.replace("{name}", name) for command in javascript.load_rules().relaxed)
    set_aside, any_version, leave_out, install, put_back = relaxed
    earlier = plan.commands[1:-2] if plan.commands[0] == set_aside else ()
    edit = leave_out if any_version in earlier else any_version
    commands = (set_aside, *earlier, edit, install, put_back)
    return None if edit in earlier else plan.model_copy(update={"commands": commands})


def _ignore_install_scripts(plan: Plan, name: str) -> Plan | None:
    """Install without the scripts of packages: one of them fails, often for something it would fetch from elsewhere."""
    if plan.language != "javascript":
        return None
    commands = tuple(
        command if "--ignore-scripts" in command else f"{command} --ignore-scripts" for command in plan.commands
    )
    return plan.model_copy(update={"commands": commands}) if commands != plan.commands else None


def _add_last(plan: Plan, command: str) -> Plan | None:
    """The plan with a command after all others: what the repository itself asks for must not undo it. None where the
    plan has that command."""
    return None if command in plan.commands else plan.model_copy(update={"commands": (*plan.commands, command)})


def _install_ruby_package(plan: Plan, name: str) -> Plan | None:
    """Install the distribution's package of a Ruby library, in plans that use nothing but the distribution."""
    package = f"ruby-{name.partition('/')[0].replace('_', '-')}"
    if plan.language != "ruby" or not plan.offline or package in plan.packages:
        return None
    return plan.model_copy(update={"packages": (*plan.packages, package)})


def _install_perl_package(plan: Plan, name: str) -> Plan | None:
    """Install the distribution's package of a Perl module: that of `Foo::Bar` is called `libfoo-bar-perl`."""
    package = f"lib{name.replace('::', '-').replace('/', '-').lower()}-perl"
    if plan.language != "perl" or package in plan.packages:
        return None
    return plan.model_copy(update={"packages": (*plan.packages, package)})


def _use_next_version(plan: Plan, name: str) -> Plan | None:
    """Take the toolchain in the version that comes next in its table."""
    versions = toolchain_versions(plan.toolchain)
    following = versions.index(plan.version) + 1 if plan.version in versions else 1
    return plan.model_copy(update={"version": versions[following]}) if following < len(versions) else None


RULES: Mapping[str, Rule] = {
    "missing_header": _install_packages_of(lambda missing: missing.headers),
    "missing_tool": _install_packages_of(lambda missing: missing.tools),
    "missing_library": _install_packages_of(lambda missing: missing.libraries),
    "missing_module": _install_python_module,
    "foreign_conftest": _ignore_folder,
    "missing_hook": _install_plugin_of_hook,
    "missing_option": _install_pytest_plugin,
    "missing_node_module": _install_node_module,
    "missing_interface": _use_mocha_tdd,
    "detected_module": _stop_module_detection,
    "build": _skip_build,
    "network": _skip_build,
    "script": _ignore_install_scripts,
    "unpublished": _relax_npm_version,
    "missing_gem": _install_ruby_package,
    "missing_perl_module": _install_perl_package,
    "wrong_version": _use_next_version,
}
"""By the kind of a diagnosis."""
