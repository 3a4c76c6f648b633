"""The pieces of software the machine must offer, read from `packages.toml`."""

from __future__ import annotations

import os
import shutil
import tomllib
from pathlib import Path

from crucible.record import Record

SYSTEM_FOLDERS = ("/usr/sbin", "/sbin")
"""Where daemons live; an ordinary user's path may lack them."""


class Need(Record):
    """One piece of software that the machine must offer: a row of `packages.toml`."""

    name: str
    programs: tuple[str, ...]
    packages: tuple[str, ...]
    purpose: str
    required: bool
    ubuntu: str = ""
    """What to do on Ubuntu, where the package is not what it says."""
    folders: tuple[str, ...] = ()
    """Where its programs are, as patterns, when they are not on the path."""
    tests: bool = False
    """Only the tests need it."""

    def program(self) -> str:
        """The path of the first of its programs that is there, else empty."""
        off_path = (str(found) for pattern in self.folders for found in sorted(Path("/").glob(pattern.lstrip("/"))))
        path = os.pathsep.join((os.environ.get("PATH", ""), *SYSTEM_FOLDERS, *off_path))
        return next((found for name in self.programs if (found := shutil.which(name, path=path))), "")


def read_needs(for_tests: bool = False) -> list[Need]:
    """All pieces, in the order they are reported; what only the tests need when asked for."""
    table = tomllib.loads((Path(__file__).parent / "packages.toml").read_text("utf-8"))
    needs = [Need(name=name, **facts) for name, facts in table.items()]
    return [need for need in needs if for_tests or not need.tests]


def is_ubuntu() -> bool:
    release = Path("/etc/os-release")
    return release.exists() and "\nID=ubuntu" in "\n" + release.read_text()
