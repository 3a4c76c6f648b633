"""System packages: installed where we are root and apt is there, otherwise named exactly."""

from __future__ import annotations

import os
import shutil
import subprocess

from crucible.errors import EngineMissing
from crucible.record import Record
from crucible.setup.needs import Need, is_ubuntu, read_needs


class Plan(Record):
    """What is missing, and what can be done about it."""

    install: tuple[str, ...] = ()
    """Packages that apt has."""
    by_hand: tuple[str, ...] = ()
    """What only the user can do."""


def plan_packages(engine_answers: bool, for_tests: bool = False) -> Plan:
    """Only what is missing; an engine that answers needs no daemon here."""
    absent = [need for need in read_needs(for_tests) if not need.program()]
    missing = [need for need in absent if not (need.name == "docker" and engine_answers)]
    by_hand = [need for need in missing if need.ubuntu and is_ubuntu()]
    packages = [package for need in missing if need not in by_hand for package in need.packages]
    return Plan(install=tuple(packages), by_hand=tuple(_format_need(need) for need in by_hand))


def install_packages(plan: Plan) -> str:
    """Install what is missing, or say what to run; returns what was done."""
    if not plan.install:
        return "system packages are all there"
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        return f"not installed, run as root: {' '.join(('apt-get install', *plan.install))}"
    if _run_apt("install", *plan.install) != 0:  # the package lists may be absent or old
        _run_apt("update")
        if _run_apt("install", *plan.install) != 0:
            raise EngineMissing(f"apt-get could not install {' '.join(plan.install)}", "see its output above")
    return f"installed {' '.join(plan.install)}"


def _run_apt(verb: str, *packages: str) -> int:
    """Its output goes to standard error: standard output is for results."""
    quiet = {"DEBIAN_FRONTEND": "noninteractive"}
    command = (
        "apt-get",
        "-q",
        "-y",
        verb,
        *(["--no-install-recommends"] if packages else []),
        *packages,
    )
    return subprocess.run(command, env=os.environ | quiet, stdin=subprocess.DEVNULL, stdout=2).returncode


def _format_need(need: Need) -> str:
    return f"{need.name}: {need.ubuntu}"
