"""Whether an export is as its manifest says: every file there, whole, and nothing beside them in its data folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from crucible.errors import SettingsError
from crucible.record import Record
from crucible.shards.files import DATA, Shard, describe_file
from crucible.shards.manifest import NAME, Manifest


class Fault(Record):
    """One file that is not as the manifest says."""

    file: str
    what: str


class Checked(Record):
    """What came of checking a folder."""

    out: str
    format: str
    files: int
    faults: tuple[Fault, ...] = ()


def check_folder(out: Path) -> Checked:
    """Hold every file of an export against its manifest."""
    written = _read_manifest(out / NAME)
    listed = (*written.shards, written.lineage, *written.ready)
    faults = [fault for shard in listed for fault in _check_file(out, shard)]
    strays = [Fault(file=name, what="not in the manifest") for name in _stray_files(out, listed)]
    return Checked(out=str(out), format=written.request.format, files=len(listed), faults=(*faults, *strays))


def _read_manifest(path: Path) -> Manifest:
    try:
        return Manifest.model_validate_json(path.read_bytes())
    except OSError as fault:
        raise SettingsError(f"{path} cannot be read: {fault.strerror}", "give the folder of an export") from fault
    except ValidationError as fault:
        raise SettingsError(f"{path} is no manifest of ours", "export again into an empty folder") from fault


def _check_file(out: Path, shard: Shard) -> Iterator[Fault]:
    path = out / shard.name
    if not path.is_file():
        yield Fault(file=shard.name, what="missing")
    elif path.stat().st_size != shard.bytes:
        yield Fault(file=shard.name, what=f"{path.stat().st_size} bytes instead of {shard.bytes}")
    elif describe_file(out, path, shard.rows).sha256 != shard.sha256:
        yield Fault(file=shard.name, what="its content is another")


def _stray_files(out: Path, listed: tuple[Shard, ...]) -> list[str]:
    """Files in the data folder that a trainer would read though no manifest lists them."""
    there = {path.relative_to(out).as_posix() for path in (out / DATA).rglob("*") if path.is_file()}
    return sorted(there - {shard.name for shard in listed})
