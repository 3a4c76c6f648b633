"""Rule repairs: what a diagnosis says is missing is added to the plan, or its toolchain is exchanged. `mends.toml`."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path

from crucible.datafile import whole
from crucible.record import Record
from pipelines.swe.recipes import javascript
from pipelines.swe.recipes.diagnosis import Diagnosis
from pipelines.swe.recipes.plan import Plan
from pipelines.swe.recipes.python import INSTALL
from pipelines.swe.recipes.toolchains import versions

HERE = Path(__file__).parent


class Missing(Record):
    """`mends.toml`: what brings what is missing; empty where nothing does."""

    headers: dict[str, str]
    tools: dict[str, str]
    libraries: dict[str, str]
    modules: dict[str, str]
    options: dict[str, str]


@cache
def _known() -> Missing:
    return whole(HERE / "mends.toml", Missing)


def mend(plan: Plan, diagnosis: Diagnosis, tried: Sequence[Plan]) -> Plan | None:
    """The plan with what it lacked; None when no rule helps, or when that has been tried."""
    rule = RULES.get(diagnosis.kind)
    better = rule(plan, diagnosis.name) if rule else None
    if better is None or better in tried:
        return None
    return better.model_copy(update={"why": f"{plan.why}; mended: {diagnosis.kind} {diagnosis.name}".rstrip()})


def _installs(choice: Callable[[Missing], Mapping[str, str]]) -> Callable[[Plan, str], Plan | None]:
    """A rule that adds the system packages a table names."""

    def rule(plan: Plan, name: str) -> Plan | None:
        packages = [one for one in choice(_known()).get(name, "").split() if one not in plan.packages]
        return plan.model_copy(update={"packages": (*plan.packages, *packages)}) if packages else None

    return rule


def _module(plan: Plan, name: str) -> Plan | None:
    """A Python module: by the table, otherwise by its own name. The repository's own cannot be had that way."""
    top = name.partition(".")[0]
    return _pip(plan, _known().modules.get(top, top)) if top and not top.startswith("_") else None


def _option(plan: Plan, name: str) -> Plan | None:
    return _pip(plan, _known().options.get(name, ""))


def _pip(plan: Plan, package: str) -> Plan | None:
    if plan.language != "python" or not package:
        return None
    return _last(plan, f"{INSTALL} {shlex.quote(package)}")


def _node_module(plan: Plan, name: str) -> Plan | None:
    if plan.language != "javascript" or name.startswith("."):
        return None
    return _last(plan, f"npm install --no-save --legacy-peer-deps --ignore-scripts {shlex.quote(name)}")


def _interface(plan: Plan, name: str) -> Plan | None:
    """Tests in Mocha's other words: which they are was told in a file that it reads no more."""
    if plan.suite.runner != "mocha" or "tdd" in plan.suite.command:
        return None
    suite = plan.suite.model_copy(update={"command": f"{plan.suite.command} --ui tdd"})
    return plan.model_copy(update={"suite": suite})


def _undetected(plan: Plan, name: str) -> Plan | None:
    """Node told to take a file for a module only where it is called one."""
    told = {"NODE_OPTIONS": "--no-experimental-detect-module"}
    if told.items() <= plan.environment.items():
        return None
    return plan.model_copy(update={"environment": plan.environment | told})


def _unbuilt(plan: Plan, name: str) -> Plan | None:
    """Without a build that fails: tests of JavaScript often load the sources."""
    if plan.language != "javascript" or not plan.suite.build:
        return None
    return plan.model_copy(update={"suite": plan.suite.model_copy(update={"build": ""})})


def _relaxed(plan: Plan, name: str) -> Plan | None:
    """Another version of a package, where the one that is asked for is no longer to be had; none, where no other is.
    One more at each time."""
    if plan.language != "javascript":
        return None
    aside, allow, leave, install, back = (one.replace("{name}", name) for one in javascript.rules().relaxed)
    allowed = plan.commands[1:-2] if plan.commands[0] == aside else ()
    more = leave if allow in allowed else allow
    commands = (aside, *allowed, more, install, back)
    return None if more in allowed else plan.model_copy(update={"commands": commands})


def _scriptless(plan: Plan, name: str) -> Plan | None:
    """Without the scripts of packages: one of them fails, often for something it would fetch from elsewhere."""
    if plan.language != "javascript":
        return None
    commands = tuple(one if "--ignore-scripts" in one else f"{one} --ignore-scripts" for one in plan.commands)
    return plan.model_copy(update={"commands": commands}) if commands != plan.commands else None


def _last(plan: Plan, command: str) -> Plan | None:
    """The command after all others: what the repository itself asks for must not undo it."""
    return None if command in plan.commands else plan.model_copy(update={"commands": (*plan.commands, command)})


def _gem(plan: Plan, name: str) -> Plan | None:
    """The distribution's package of a Ruby library, where nothing else is to be had."""
    package = f"ruby-{name.partition('/')[0].replace('_', '-')}"
    if plan.language != "ruby" or not plan.offline or package in plan.packages:
        return None
    return plan.model_copy(update={"packages": (*plan.packages, package)})


def _perl_module(plan: Plan, name: str) -> Plan | None:
    """The distribution's package of a Perl module; it is named by rule."""
    package = f"lib{name.replace('::', '-').replace('/', '-').lower()}-perl"
    if plan.language != "perl" or package in plan.packages:
        return None
    return plan.model_copy(update={"packages": (*plan.packages, package)})


def _other_version(plan: Plan, name: str) -> Plan | None:
    """The next toolchain in the table."""
    known = versions(plan.toolchain)
    place = known.index(plan.version) if plan.version in known else 0
    return plan.model_copy(update={"version": known[place + 1]}) if place + 1 < len(known) else None


RULES: Mapping[str, Callable[[Plan, str], Plan | None]] = {
    "missing_header": _installs(lambda known: known.headers),
    "missing_tool": _installs(lambda known: known.tools),
    "missing_library": _installs(lambda known: known.libraries),
    "missing_module": _module,
    "missing_option": _option,
    "missing_node_module": _node_module,
    "missing_interface": _interface,
    "detected_module": _undetected,
    "build": _unbuilt,
    "network": _unbuilt,
    "script": _scriptless,
    "unpublished": _relaxed,
    "missing_gem": _gem,
    "missing_perl_module": _perl_module,
    "wrong_version": _other_version,
}
