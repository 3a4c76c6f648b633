"""Finds the files that a page takes from public content networks in packages of the registry.

A library may ask for more files once it runs: what its text names beside itself (style sheets, fonts, modules) comes
along, and a small folder comes as a whole. Everything is bounded, for the addresses are written by whoever made the
page. What cannot be had is told with the reason, and stays out of reach.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import unescape
from posixpath import basename, dirname, normpath, splitext
from typing import Protocol
from urllib.parse import quote, urljoin

from crucible.browsing import Provided
from crucible.domains.web.content_networks import WantedFile, find_wanted_file, read_address, read_library_rules
from crucible.record import Json

MOST_ADDRESSES, MOST_PACKAGES = 60, 24
MOST_FILES, MOST_BYTES = 3000, 32 << 20
"""What one application is provided with at most."""
SMALL_FOLDER_FILES, SMALL_FOLDER_BYTES = 1600, 2 << 20
"""A folder that comes as a whole: icons and parts of a library that it asks for by names which it makes up."""
READ_BYTES = 4 << 20
"""A longer text is not looked through for files that it names."""
NAMED = re.compile(
    r"""url\(\s*["']?(?P<sheet>[^"')\s]+)|@import\s+["'](?P<style>[^"']+)"""
    r"""|(?:\bfrom|\bimport)\s*\(?\s*["'](?P<module>\.{1,2}/[^"']+)["']"""
)
# matches: url(../webfonts/fa.woff2)   @import "base.css"   from"./core.js"   import('./part.js')
BARE_IMPORT = re.compile(r"""(?:^|[;}\s])(?:import|export)\b[^;"'()]{0,2000}?\bfrom\s*["'](?![./]|https?:)[^"']+["']""")
# matches: import { h } from "preact"
EXPORT = re.compile(r"(?:^|[;}\s])export\s*(?:\{|\*|default\b|const\b|let\b|var\b|function\b|class\b|async\b)")
# matches: export { nanoid }   export default h
LOADING_SCRIPT = (
    """document.head.append(Object.assign(document.createElement("link"), {rel: "stylesheet", href: %s}))"""
)


class Package(Protocol):
    """A package of the registry, as far as pages can load it."""

    @property
    def title(self) -> str:
        """Its name and version: `jquery@3.6.0`."""

    @property
    def sizes(self) -> Mapping[str, int]:
        """The bytes of each file, by its path."""

    def read(self, *paths: str) -> list[bytes]:
        """The bytes of files, in this order; KeyError where it has no such file."""


class Packages(Protocol):
    """The service `libraries`."""

    async def fetch(self, wanted: Sequence[tuple[str, str]]) -> Mapping[tuple[str, str], Package | str]:
        """Packages by name and version (a range or a tag will do, or nothing), or why one cannot be had. Undecided
        when the registry does not answer."""


@dataclass
class Libraries:
    """What became of the addresses that an application names."""

    provided: dict[str, Provided] = field(default_factory=dict)
    origins: dict[str, str] = field(default_factory=dict)
    """Addresses that the application names: the file of the package that answers each."""
    reasons: dict[str, str] = field(default_factory=dict)
    """Addresses that stay out of reach: why."""
    size: int = 0
    """The bytes of all that is provided."""

    def add(self, address: str, path: str, data: bytes) -> bool:
        """Provide a file at an address, while there is room for it."""
        kind = read_library_rules().types.get(splitext(path)[1].lower(), "")
        if not kind or len(self.provided) >= MOST_FILES or self.size + len(data) > MOST_BYTES:
            return False
        self.provided[address] = Provided(address, kind, data)
        self.size += len(data)
        return True


async def gather_libraries(addresses: Iterable[str], packages: Packages) -> Libraries:
    """The files that these addresses mean, and those that they ask for in turn."""
    libraries = Libraries()
    wanted = dict(_list_wanted(addresses, libraries))
    keys = dict.fromkeys((each.package, each.version) for each in wanted.values())
    fetched = await packages.fetch(list(keys)[:MOST_PACKAGES]) if keys else {}

    def add_all() -> None:
        for address, each in wanted.items():
            package = fetched.get((each.package, each.version), f"more than {MOST_PACKAGES} packages are asked for")
            if isinstance(package, str):
                libraries.reasons[address] = package
            else:
                _add_library(libraries, address, each, package)

    await asyncio.to_thread(add_all)
    return libraries


def _list_wanted(addresses: Iterable[str], libraries: Libraries) -> Iterator[tuple[str, WantedFile]]:
    """What each address means; a script that only brings a style sheet is provided at once."""
    for address in list(dict.fromkeys(read_address(unescape(text)) for text in addresses))[:MOST_ADDRESSES]:
        wanted = find_wanted_file(address)
        if wanted is not None and wanted.loads:
            libraries.add(address, "loads.js", (LOADING_SCRIPT % json.dumps(wanted.loads)).encode())
            libraries.origins[address] = f"a script that brings {wanted.loads}"
            address = read_address(wanted.loads)
            wanted = find_wanted_file(address)
        if wanted is None and address.partition("/")[0] not in read_library_rules().unmissed:
            libraries.reasons[address] = "it is no file of a package that is known"
        elif wanted is not None:
            yield address, wanted


def _add_library(libraries: Libraries, address: str, wanted: WantedFile, package: Package) -> None:
    if wanted.file.endswith("/"):
        _add_folder(libraries, address, wanted.file, package)
        return
    path = find_file(package, wanted)
    if path is None:
        libraries.reasons[address] = f"{package.title} has no {wanted.file or 'file for pages'}"
        return
    [data] = package.read(path)
    if "exports" in wanted.entries and not wanted.file and not is_module(data.decode(errors="replace")):
        libraries.reasons[address] = f"{package.title}/{path} is no module that a page could import as it is"
    elif not libraries.add(address, path, data):
        libraries.reasons[address] = f"{package.title}/{path} is too large, or of a kind that pages do not load"
    else:
        libraries.origins[address] = f"{package.title}/{path}"
        _add_named_files(libraries, address, path, package)
        _add_folder(libraries, address, f"{dirname(path)}/".lstrip("/"), package, whole=True)


def _add_named_files(libraries: Libraries, address: str, path: str, package: Package) -> None:
    """Provide what a text names beside itself, and what that names in turn."""
    waiting = [(address, path)]
    while waiting:
        address, path = waiting.pop()
        if package.sizes[path] > READ_BYTES or splitext(path)[1] not in (".css", ".js", ".mjs"):
            continue
        [data] = package.read(path)
        for match in NAMED.finditer(data.decode(errors="replace")):
            name = match["sheet"] or match["style"] or match["module"]
            beside = normpath(f"{dirname(path)}/{name.partition('?')[0].partition('#')[0]}").lstrip("/")
            there = read_address(urljoin(f"https://{address}", name)) if beside in package.sizes else address
            if there in libraries.provided or f"{splitext(beside)[0]}.woff2" in package.sizes.keys() - {beside}:
                continue  # a font is there in other formats for browsers that are gone
            if libraries.add(there, beside, *package.read(beside)):
                waiting.append((there, beside))


def is_module(text: str) -> bool:
    """Whether a page can import a script: it exports something, and asks for no other package by name, which only a
    bundler resolves."""
    return bool(EXPORT.search(text)) and not BARE_IMPORT.search(text)


def _add_folder(libraries: Libraries, address: str, folder: str, package: Package, *, whole: bool = False) -> None:
    """Provide the files of a folder below an address; with `whole` only if it is small."""
    files = {path: size for path, size in package.sizes.items() if path.startswith(folder)}
    if whole and (len(files) > SMALL_FOLDER_FILES or sum(files.values()) > SMALL_FOLDER_BYTES):
        return
    if sum(files.values()) > MOST_BYTES:
        libraries.reasons[address] = f"{package.title}/{folder} is too large"
        return
    for path, data in zip(files, package.read(*files), strict=True):
        there = read_address(urljoin(f"https://{address}", quote(path.removeprefix(folder))))
        if there not in libraries.provided:
            libraries.add(there, path, data)
    if files and not whole:
        libraries.origins[address] = f"{package.title}/{folder}"


def find_file(package: Package, wanted: WantedFile) -> str | None:
    """The path of the file that is meant. Where a network has folders of its own, the end of a path will do, but
    not of what a file was built from."""
    paths = package.sizes
    if not wanted.file:
        return _find_entry(package, wanted.entries)
    spellings = [wanted.file, f"{wanted.file}.js"]
    if not wanted.entries or "jsdelivr" in wanted.entries:  # which makes a small copy where the package has none
        spellings.append(wanted.file.replace(".min.", "."))
    for spelling in spellings:
        ends = () if wanted.entries else (f"/{spelling.lower()}", f"/{basename(spelling).lower()}")
        fitting = [[path for path in paths if f"/{path}".lower().endswith(end)] for end in ends]
        if found := next(filter(None, [[spelling] if spelling in paths else [], *fitting]), None):
            return min(found, key=lambda path: (path.startswith("src/"), path.count("/"), len(path), path))
    return None


def _find_entry(package: Package, entries: Sequence[str]) -> str | None:
    """The file that package.json names in the first of these fields that it has."""
    try:
        [text] = package.read("package.json")
        manifest: Json = json.loads(text)
    except (KeyError, ValueError):
        return None
    named = [_read_entry(manifest.get(entry)) for entry in entries] if isinstance(manifest, dict) else []
    for name in [*filter(None, named), "index.js"]:
        path = normpath(name).lstrip("/")
        for spelling in (path, f"{path}.js", f"{path}/index.js"):
            if spelling in package.sizes:
                return spelling
    return None


def _read_entry(value: Json, depth: int = 0) -> str:
    """The path that a field names; of a map of conditions, the one that holds for modules in a browser."""
    if isinstance(value, dict) and depth < 6:
        chosen = next((value[key] for key in (".", "browser", "import", "module", "default") if key in value), None)
        return _read_entry(chosen, depth + 1)
    return value if isinstance(value, str) else ""
