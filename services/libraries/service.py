"""Fetches packages whose files pages take from public content networks: from the registry, by npm, in a box of its own.

No attempt is ever in that box, so what it fetched can be shared by all of them; nothing of a package is run. A package
is fetched once and kept between runs. A range or a tag (`3`, `latest`) is looked up once in a run.
"""

from __future__ import annotations

import asyncio
import json
import re
import shlex
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager

from crucible import parts
from crucible.domains.web.content_networks import read_library_rules
from crucible.domains.web.libraries import Package
from crucible.domains.web.stacks import load_stacks
from crucible.domains.web.world import app_env
from crucible.errors import Undecided
from crucible.mining import BlobStore
from crucible.sandbox import Done, Sandbox
from crucible.serving import OpenWorld
from crucible.settings import Settings
from services.libraries.keeping import PackageShelf
from services.libraries.settings import LibrarySettings

PACK = "mkdir -p /tmp/packed && cd /tmp/packed && npm pack --json --ignore-scripts {spec}"
EXACT = re.compile(r"\d+\.\d+\.\d+(?:-[\w.-]+)?")
# matches: 3.6.0   6.0.0-beta3
Key = tuple[str, str]


class RegistryPackages:
    """Packages of the registry. Implements `crucible.domains.web.libraries.Packages`."""

    def __init__(self, open_world: OpenWorld, shelf: PackageShelf, settings: LibrarySettings) -> None:
        self._open_world = open_world
        self._shelf = shelf
        self._settings = settings
        self._resolved: dict[Key, str] = {}
        """The versions that ranges and tags stand for."""
        self._refused: dict[Key, str] = {}
        """Why packages cannot be had."""
        self._fetching = asyncio.Lock()

    async def fetch(self, wanted: Sequence[Key]) -> Mapping[Key, Package | str]:
        """The packages that are wanted, or why one cannot be had."""
        async with self._fetching:  # who waited finds what the one before has fetched
            found = {key: self._find(*key) for key in wanted}
            if missing := [key for key in wanted if found[key] is None]:
                found |= await self._fetch_missing(missing)
        return {key: package for key, package in found.items() if package is not None}

    def _find(self, name: str, version: str) -> Package | str | None:
        """What is known of a package, or kept; None where the registry has to be asked."""
        exact = version if EXACT.fullmatch(version) else self._resolved.get((name, version), "")
        return self._refused.get((name, version)) or (self._shelf.find(f"{name}@{exact}") if exact else None)

    async def _fetch_missing(self, missing: Sequence[Key]) -> dict[Key, Package | str]:
        world = await self._open_world("docker")
        async with world.open(app_env()) as box:
            fetched = {key: await self._fetch_one(box, *key) for key in missing}
        self._refused |= {key: found for key, found in fetched.items() if isinstance(found, str)}
        return fetched

    async def _fetch_one(self, box: Sandbox, name: str, version: str) -> Package | str:
        """A package, or why the registry has none."""
        spec = f"{name}@{version or 'latest'}"
        done = await box.exec(PACK.format(spec=shlex.quote(spec)), timeout=self._settings.seconds)
        if not done.ok:
            return await self._explain(box, spec, done)
        [told, *_] = json.loads(done.out)
        title = f"{name}@{told['version']}"
        self._resolved[name, version] = told["version"]
        if kept := self._shelf.find(title):
            return kept
        try:
            packed = await box.read(f"/tmp/packed/{told['filename']}", limit=self._settings.package_mb << 20)
            return await asyncio.to_thread(self._shelf.keep, title, packed)
        except ValueError as unfit:
            return f"{title} cannot be taken: {unfit}"[:200]

    async def _explain(self, box: Sandbox, spec: str, done: Done) -> str:
        """Why a package was not packed. A registry that is down says nothing of the page: Undecided."""
        if done.stopped or re.search(load_stacks().outages.signs, done.err):
            if not (await box.exec(load_stacks().outages.npm, timeout=self._settings.seconds)).ok:
                raise Undecided(f"the package registry does not answer when it is asked for {spec}")
            return f"{spec} did not come within {self._settings.seconds:g} s"
        return f"the registry has no {spec}"


@parts.service("libraries", version=1, identity=lambda settings: read_library_rules())
@asynccontextmanager
async def libraries(settings: Settings, blobs: BlobStore, open_world: OpenWorld) -> AsyncIterator[RegistryPackages]:
    """Packages of the registry that stand in for content networks: `crucible.domains.web.libraries.Packages`."""
    options = settings.section(LibrarySettings)
    suffixes = tuple(read_library_rules().types)
    shelf = PackageShelf(settings.home / "libraries", options.disk_mb << 20, suffixes)
    yield RegistryPackages(open_world, shelf, options)
