"""Base images: pulled where a registry answers, otherwise bootstrapped from Debian packages."""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import subprocess
from pathlib import Path

import docker
from docker.errors import NotFound

from crucible.datafile import rows
from crucible.errors import EngineMissing, RecipeError, SandboxError
from crucible.record import Record
from crucible.running.scratch import scratch
from crucible.settings import Settings
from envs.engine import Engine
from envs.images.dockerfile import CERTIFICATES

log = logging.getLogger(__name__)

PULL_SECONDS = 600
BUNDLES = (CERTIFICATES, "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem")


class Base(Record):
    """One entry of bases.toml."""

    name: str
    image: str
    suite: str
    usual: tuple[str, ...] = ()

    @property
    def tag(self) -> str:
        return f"crucible/base:{self.name}-{self.suite}"


def bases() -> dict[str, Base]:
    """The bases that recipes may name."""
    return {base.name: base for base in rows(Path(__file__).parent / "bases.toml", "bases", Base)}


async def base_image(engine: Engine, settings: Settings, name: str) -> str:
    """The image to build on, fetched or made if it is not there yet."""
    known = bases().get(name)
    wanted = settings.docker.base or (known.image if known else name)
    for present in (wanted, known.tag) if known else (wanted,):
        if await engine.has_image(present):
            return present
    try:
        log.info("pulling %s", wanted)
        async with asyncio.timeout(PULL_SECONDS):
            await engine.call(_pull, engine.api, wanted)
        return wanted
    except (SandboxError, NotFound, TimeoutError) as refused:
        if known is None or settings.docker.base:
            raise RecipeError(f"the base image {wanted} cannot be had: {refused}") from refused
    log.info("no registry gives %s: bootstrapping %s from packages", wanted, known.suite)
    await engine.call(_bootstrap, engine.api, known.suite, known.tag)
    return known.tag


def host_certificates() -> bytes:
    """The host's certificate bundle, so that a box trusts what the host trusts."""
    named = os.environ.get("SSL_CERT_FILE")
    for path in (named, *BUNDLES):
        if path and Path(path).is_file():
            return Path(path).read_bytes()
    return b""


def _pull(api: docker.APIClient, image: str) -> None:
    repository, _, tag = image.partition(":")
    for entry in api.pull(repository, tag=tag or "latest", stream=True, decode=True):
        if "error" in entry:
            raise docker.errors.APIError(entry["error"])


def _bootstrap(api: docker.APIClient, suite: str, tag: str) -> None:
    """debootstrap into a scratch folder and import it; needs root, once per machine."""
    tool = shutil.which("debootstrap")
    if tool is None or os.geteuid() != 0:
        raise EngineMissing(
            "no image registry answers, and a base image can only be bootstrapped by root with debootstrap",
            "as root: apt-get install debootstrap && crucible setup",
        )
    with scratch("base") as folder:
        made = subprocess.run(
            [tool, "--variant=minbase", suite, str(folder / "root"), *_mirror()],
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
        if made.returncode != 0:
            raise RecipeError(f"debootstrap failed: {made.stdout.strip()[-300:]}", made.stdout[-4000:])
        packed = folder / "root.tar"
        subprocess.run(["tar", "-C", str(folder / "root"), "-cf", str(packed), "."], check=True)
        repository, _, version = tag.partition(":")
        with packed.open("rb") as stream:
            api.import_image_from_data(stream, repository=repository, tag=version)


def _mirror() -> list[str]:
    """The Debian mirror this host itself installs from, if it is a Debian host."""
    release = Path("/etc/os-release")
    if not release.exists() or "\nID=debian" not in "\n" + release.read_text():
        return []
    places = [Path("/etc/apt/sources.list"), *sorted(Path("/etc/apt/sources.list.d").glob("debian*"))]
    lines = [line.split() for place in places if place.is_file() for line in place.read_text().splitlines()]
    for words in lines:
        if words[:1] == ["URIs:"] and len(words) > 1:
            return [words[1]]
        if words[:1] == ["deb"]:
            return [next(word for word in words[1:] if "://" in word)]
    return []
