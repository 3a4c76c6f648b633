"""Kinds of applications, as data: what is looked for in a workdir, and rules on how each kind is started."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from urllib.parse import unquote_plus

from pydantic import Field

from crucible.datafile import read_file
from crucible.record import Record

PYTHON = "/usr/bin/python3 -I"
"""The image's own interpreter, which an application's packages cannot have replaced."""
SERVER = "/tmp/.serve.py"
"""Where in the box the program that hands out folders is put when it is needed."""
SERVE = f"{PYTHON} {SERVER}"


class Package(Record):
    """What a package.json names."""

    packages: tuple[str, ...] = ()
    scripts: dict[str, str] = Field(default_factory=dict)


class Survey(Record):
    """What was found in a workdir; paths are relative to it."""

    files: tuple[str, ...] = ()
    """Those that tell something first, then the less deep."""
    manifests: dict[str, Package] = Field(default_factory=dict)
    """Every package.json, by its path."""
    requirements: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    """What every pyproject.toml and Pipfile asks for, by its path."""
    processes: dict[str, str] = Field(default_factory=dict)
    """Every Procfile, by its path."""
    marks: dict[str, dict[str, str]] = Field(default_factory=dict)
    """Programs by their path: the marks that each has, with the variable that a mark names."""
    pages: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    """Pages by their path: what each asks for or leads to of its own host, as it is written there."""
    styles: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    """Style sheets by their path: what each asks for by a path that begins with a dot."""
    addresses: tuple[str, ...] = ()
    """Addresses of content networks that stand in its texts."""


class StartRule(Record):
    """One way in which applications are told and started; see stacks.toml."""

    name: str
    stack: str
    files: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    script: str = ""
    matches: str = ""
    mark: str = ""
    programs: tuple[str, ...] = ()
    page: bool = False
    """Fits where a folder holds a page."""
    files_only: bool = False
    """What it starts hands out files and keeps nothing: whoever uses it has no part in what others see."""
    build: str = ""
    start: str
    port: int = 0


class Installer(Record):
    """A package manager of Node, told by its lock file."""

    lock: str
    commands: tuple[str, ...]
    """Commands that install what a package.json and the lock ask for, each tried when the one before it fails."""


class Seconds(Record):
    """How long each step may take."""

    syntax: float
    dependencies: float
    build: float
    ready: float


class Outages(Record):
    """What a registry that does not answer looks like, and commands that ask it whether it is there."""

    signs: str
    npm: str
    pip: str


class OlderPython(Record):
    """What pip prints where a package has no wheel for the Python there is, what a program prints where it asks for a
    module that Python no longer brings, and what puts an older one in its place."""

    signs: str
    gone: str
    command: str


class Typefaces(Record):
    """What a build prints where it asks in vain for the style sheets of typefaces, and how it is told of others."""

    asked: str
    """Matches the address of such a style sheet; its group is the name of the typeface."""
    style: str
    """The style sheet that stands in for it."""
    variable: str
    """Names the file to the build that holds style sheets by their addresses."""
    file: str

    def find_asked(self, output: str) -> set[str]:
        """The addresses of style sheets that an output names."""
        return {found[0] for found in re.finditer(self.asked, output)}

    def write_style(self, address: str) -> str:
        """The style sheet that stands in for the one at an address."""
        found = re.match(self.asked, address)
        return self.style.format(family=unquote_plus(found[1]) if found else "")


class Stacks(Record):
    """The file `stacks.toml`."""

    skipped: tuple[str, ...]
    page_folders: tuple[str, ...]
    application_folders: tuple[str, ...]
    program_names: tuple[str, ...]
    page_names: tuple[str, ...]
    """Of several pages, the first of these names is the one to begin with."""
    watches: str
    """An option by which a build goes on whenever a file changes."""
    seconds: Seconds
    marks: dict[str, str]
    starts: tuple[StartRule, ...]
    windows: tuple[StartRule, ...]
    installers: tuple[Installer, ...]
    """The last one is taken where there is no lock file."""
    older_python: OlderPython
    typefaces: Typefaces
    outages: Outages


class Plan(Record):
    """How an application is brought to life."""

    rule: str
    """The name of the rule that fits."""
    stack: str
    folder: str = ""
    """Where its commands are run, below the workdir."""
    installs: tuple[tuple[str, ...], ...] = ()
    """Commands that install what it depends on, each with others that are tried when it fails."""
    build: str = ""
    start: str
    port: int = 0
    """Where it is expected to listen."""
    path: str = "/"
    """Its first page."""
    program: str = ""
    """The file by which the rule fits, if by one."""
    files_only: bool = False
    """As in its rule, where nothing else runs beside it."""
    companions: tuple[Plan, ...] = ()
    """What else runs: a page and its server may stand in a folder each."""


@cache
def load_stacks() -> Stacks:
    return read_file(Path(__file__).with_name("stacks.toml"), Stacks)
