"""What a run has written to the toolchain: the packages of the image that tests are run with, by its folders.

Code under test has the user that the image's packages belong to, so it may replace an assertion library, or add a
module that Python loads by itself, for whatever starts after it. Nothing in the box is asked: the engine knows what was
written, and a folder from which an added file was taken away again. A build may install the project itself: what the
reference's run writes is no trick.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Iterable
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

from crucible.datafile import read_file
from crucible.domains.code.path_patterns import expand_braces
from crucible.record import Record
from crucible.sandbox import Sandbox

TABLE = Path(__file__).with_name("toolchain.toml")
VERSION = re.compile(r"[-_]\d.*")
# matches: the "-1.2.dist-info" of "shelf-1.2.dist-info", the "_1_2_finder.py" of "__editable___shelf_1_2_finder.py"
PROGRAMS = "/opt/venv/bin/"
"""Where a build puts the programs of the project."""


class ToolchainRules(Record):
    """`toolchain.toml`."""

    folders: tuple[str, ...]
    caches: tuple[str, ...]


def find_packages(paths: Iterable[str], workdir: str, tracked: Collection[str]) -> frozenset[str]:
    """The packages of the toolchain that these absolute paths belong to, each by its folder and its name without a
    version. What the repository itself tracks is none of it."""
    own = f"{workdir}/"
    foreign = [path for path in paths if path.removeprefix(own) not in tracked or not path.startswith(own)]
    return frozenset(package for path in foreign if (package := _find_package(path)))


def _find_package(path: str) -> str:
    """The package that a path belongs to; empty for a path outside the toolchain, or of a cache in it."""
    place = max(_end_of(folder, f"{path}/") for folder in _load_rules().folders)
    if not place or any(fnmatchcase(path, cache) for cache in _load_rules().caches):
        return ""
    name = path[place:].split("/")
    scope, first = (name[0] + "/", name[1]) if name[0].startswith("@") and len(name) > 1 else ("", name[0])
    return path[:place] + scope + VERSION.sub("", first)


def _end_of(folder: str, path: str) -> int:
    """Where this folder of the toolchain ends in the path; zero if it is not there."""
    if folder.startswith("/"):
        return len(folder) if path.startswith(folder) else 0
    place = path.rfind(f"/{folder}")
    return place + 1 + len(folder) if place >= 0 else 0


async def may_be_used(box: Sandbox, package: str, by_build: bool) -> bool:
    """Whether a run may use what was written there in the place of what the image has. A program of a name that is new
    to the image is the project's own; a folder that is new to it, and not there before the tests, is a fixture of
    theirs. `box` is one that the attempt never was in."""
    folder, _, name = package.rpartition("/")
    if f"{folder}/" == PROGRAMS:
        return (await box.exec(f"command -v {shlex.quote(name)}")).ok
    return by_build or (await box.exec(f"test -e {shlex.quote(folder)}")).ok


@cache
def _load_rules() -> ToolchainRules:
    rules = read_file(TABLE, ToolchainRules)
    caches = tuple(plain for pattern in rules.caches for plain in expand_braces(pattern))
    return rules.model_copy(update={"caches": caches})
