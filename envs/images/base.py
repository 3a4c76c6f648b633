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

from crucible.datafile import read_rows
from crucible.errors import EngineMissing, RecipeError, SandboxError
from crucible.record import Record
from crucible.running.scratch import open_scratch_folder
from crucible.settings import Settings
from envs.engine import Engine
from envs.images.dockerfile import CERTIFICATES

log = logging.getLogger(__name__)

PULL_SECONDS = 600
"""How long a registry may take to give a base image."""
CERTIFICATE_BUNDLES = (CERTIFICATES, "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem")
"""Where distributions keep the certificates that a host trusts."""


class Base(Record):
    """A base image that recipes may name: one entry of bases.toml."""

    name: str
    image: str
    suite: str
    usual: tuple[str, ...] = ()

    @property
    def tag(self) -> str:
        return f"crucible/base:{self.name}-{self.suite}"


def load_bases() -> dict[str, Base]:
    """The base images that recipes may name, by those names."""
    return {base.name: base for base in read_rows(Path(__file__).parent / "bases.toml", "bases", Base)}


async def ensure_base(engine: Engine, settings: Settings, name: str) -> str:
    """The name of the image that a recipe with this base is built on, fetched or made if it is not there yet."""
    base = load_bases().get(name)
    image = settings.docker.base or (base.image if base else name)
    for present in (image, base.tag) if base else (image,):
        if await engine.has_image(present):
            return present
    try:
        log.info("pulling %s", image)
        async with asyncio.timeout(PULL_SECONDS):
            await engine.call(_pull, engine.api, image)
        return image
    except (SandboxError, NotFound, TimeoutError) as refused:
        if base is None or settings.docker.base:
            raise RecipeError(f"the base image {image} cannot be had: {refused}") from refused
    log.info("no registry gives %s: bootstrapping %s from packages", image, base.suite)
    await engine.call(_bootstrap, engine.api, base.suite, base.tag)
    return base.tag


def host_certificates() -> bytes:
    """The host's certificate bundle, so that a box trusts what the host trusts."""
    configured = os.environ.get("SSL_CERT_FILE")
    for path in (configured, *CERTIFICATE_BUNDLES):
        if path and Path(path).is_file():
            return Path(path).read_bytes()
    return b""


def _pull(api: docker.APIClient, image: str) -> None:
    repository, _, tag = image.partition(":")
    for entry in api.pull(repository, tag=tag or "latest", stream=True, decode=True):
        if "error" in entry:
            raise docker.errors.APIError(entry["error"])


def _bootstrap(api: docker.APIClient, suite: str, tag: str) -> None:
    """Make a base image by debootstrap in a scratch folder and import it; needs root, once per machine."""
    tool = shutil.which("debootstrap")
    if tool is None or os.geteuid() != 0:
        raise EngineMissing(
            "no image registry answers, and a base image can only be bootstrapped by root with debootstrap",
            "as root: apt-get install debootstrap && crucible setup",
        )
    with open_scratch_folder("base") as folder:
        bootstrapped = subprocess.run(
            [tool, "--variant=minbase", suite, str(folder / "root"), *_debian_mirror()],
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
        if bootstrapped.returncode != 0:
            raise RecipeError(f"debootstrap failed: {bootstrapped.stdout.strip()[-300:]}", bootstrapped.stdout[-4000:])
        packed = folder / "root.tar"
        subprocess.run(["tar", "-C", str(folder / "root"), "-cf", str(packed), "."], check=True)
        repository, _, version = tag.partition(":")
        with packed.open("rb") as stream:
            api.import_image_from_data(stream, repository=repository, tag=version)


def _debian_mirror() -> list[str]:
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
