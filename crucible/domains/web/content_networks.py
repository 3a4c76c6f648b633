"""Tells which file of which npm package an address of a public content network means.

The rules are data (`libraries.toml`). An address is written by whoever made the page: a name that npm would not take, a
version that is none, or a path that leads out of its package means nothing here.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

from pydantic import Field

from crucible.datafile import read_file
from crucible.record import Record

PACKAGE = re.compile(r"(?:@[a-z0-9~][a-z0-9._~-]*/)?[a-z0-9~][a-z0-9._~-]*")
# matches: jquery   @popperjs/core   chart.js
VERSION = re.compile(r"[a-zA-Z0-9^~<>=|*. +-]{0,60}")
# matches: 3.6.0   ^1.0   5   next   6.0.0-beta3
LONGEST_NAME = 214
"""The most characters that the name of an npm package may have."""


class ContentNetwork(Record):
    """One rule; see libraries.toml."""

    hosts: tuple[str, ...]
    path: str
    package: str = ""
    version: str = ""
    file: str = ""
    entries: tuple[str, ...] = ()
    renamed: bool = False
    loads: str = ""


class LibraryRules(Record):
    """The file `libraries.toml`."""

    unmissed: tuple[str, ...]
    networks: tuple[ContentNetwork, ...]
    names: dict[str, str]
    types: dict[str, str]


class WantedFile(Record):
    """What an address means."""

    package: str = ""
    version: str = ""
    """A version, a range or a tag; empty for the latest."""
    file: str = ""
    """Its path in the package, or the end of it; a folder where it ends with a slash; empty for an entry."""
    entries: tuple[str, ...] = Field(default=())
    """Fields of package.json that name the file where the address does not. A network that knows these has the files
    under the paths that they have in the package; others have folders of their own."""
    loads: str = ""
    """The address of a style sheet that a script at this address would bring, and nothing else."""


@cache
def read_library_rules() -> LibraryRules:
    return read_file(Path(__file__).with_name("libraries.toml"), LibraryRules)


@cache
def list_network_hosts() -> tuple[str, ...]:
    """The hosts that any rule speaks of."""
    return tuple(sorted({host for network in read_library_rules().networks for host in network.hosts}))


def read_address(text: str) -> str:
    """An address as pages ask for it, without its scheme and what stands after `#`: `unpkg.com/vue@3`."""
    parts = urlsplit(text if "://" in text else f"https:{text}")
    query = f"?{parts.query}" if parts.query else ""
    return f"{parts.netloc.lower()}{unquote(parts.path) or '/'}{query}"


def find_wanted_file(address: str) -> WantedFile | None:
    """What an address means by the first rule that fits; None where none does, or no package can be called so."""
    host, _, rest = address.partition("/")
    for network in read_library_rules().networks:
        match = re.fullmatch(network.path, f"/{rest}") if host in network.hosts else None
        if match is None and host in network.hosts and "?" in rest:
            match = re.fullmatch(network.path, f"/{rest.partition('?')[0]}")
        if match is not None:
            groups = {name: value or "" for name, value in match.groupdict().items()}
            return _read_match(network, groups)
    return None


def _read_match(network: ContentNetwork, groups: dict[str, str]) -> WantedFile | None:
    if network.loads:
        return WantedFile(loads=network.loads)
    package = network.package.format(**groups) or groups.get("package", "")
    if network.renamed:
        package = read_library_rules().names.get(package.lower(), package.lower())
    version = network.version.format(**groups) if network.version else groups.get("version", "")
    file = network.file.format(**groups) if network.file else groups.get("file", "")
    named = PACKAGE.fullmatch(package) and len(package) <= LONGEST_NAME and VERSION.fullmatch(version)
    if not named or ".." in file.split("/") or "\\" in file or file.startswith("/"):
        return None
    return WantedFile(package=package, version=version, file=file, entries=network.entries)
