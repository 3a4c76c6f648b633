"""Where an export goes: written beside its place, then moved there. Only what an earlier export listed is replaced."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath

from crucible.errors import SettingsError
from crucible.shards.card import NAME as CARD
from crucible.shards.manifest import MARK, NAME, Manifest
from crucible.store import faults

PART = ".crucible-part"


@contextmanager
def open_destination(out: Path) -> Iterator[Path]:
    """A folder to write into. It becomes `out` when the block ends well, and is gone when it does not."""
    out = out.absolute()
    part = _make_part(out)
    with faults.translate_disk_faults(f"the folder {out.parent}"):
        try:
            yield part
            with _lock(out.parent):  # two exports to one place come one after the other
                refuse_foreign_folder(out)
                _move(part, out)
        finally:
            shutil.rmtree(part, ignore_errors=True)


@contextmanager
def _lock(folder: Path) -> Iterator[None]:
    """Nobody else who asks for this folder gets it during the block."""
    held = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield
    finally:
        os.close(held)


def _make_part(out: Path) -> Path:
    """The folder to write into, beside its place. A place that cannot be is told before anything is read."""
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with _lock(out.parent):  # while another export is moved there, the place is neither empty nor an export
            refuse_foreign_folder(out)
        part = out.with_name(f".{out.name}.{os.getpid()}{PART}")
        _sweep(out)
        part.mkdir()
    except OSError as fault:
        raise SettingsError(f"{out} cannot be made: {fault.strerror}", "give another folder with --out") from fault
    return part


def refuse_foreign_folder(out: Path) -> None:
    """Only an empty folder, or an earlier export, may be replaced."""
    if out.is_dir() and not out.is_symlink():
        if not any(out.iterdir()) or _is_ours(out / NAME):
            return
        raise SettingsError(f"{out} is not empty and not an export of ours", "give another folder with --out")
    if out.exists() or out.is_symlink():
        raise SettingsError(f"{out} is not a folder", "give another one with --out")


def _is_ours(manifest: Path) -> bool:
    try:
        written = json.loads(manifest.read_bytes())
    except (OSError, ValueError):
        return False
    return isinstance(written, dict) and written.get("made_by") == MARK


def _move(part: Path, out: Path) -> None:
    """The new files to their place: the whole folder at once where all there is ours, file by file where it is not."""
    if not out.exists():
        part.rename(out)
        return
    listed = _list_written(out)
    if foreign := _list_files(out) - listed:
        _refuse_collision(foreign & _list_files(part), out)
        _move_files(part, out, listed)
        return
    old = out.with_name(f"{part.name}.old")
    out.rename(old)
    part.rename(out)
    shutil.rmtree(old, ignore_errors=True)


def _move_files(part: Path, out: Path, listed: set[str]) -> None:
    """File by file, so that what is not ours stays where it is. Killed at any point, no file of ours is unlisted: what
    is outdated goes first, and the new manifest comes before what it lists."""
    fresh = _list_files(part)
    for name in listed - fresh:
        (out / name).unlink(missing_ok=True)
        _remove_empty_folders(out, PurePosixPath(name))
    for name in [NAME, *sorted(fresh - {NAME})]:
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        (part / name).replace(out / name)


def _remove_empty_folders(out: Path, name: PurePosixPath) -> None:
    for folder in name.parents[:-1]:
        with suppress(OSError):
            (out / folder).rmdir()


def _refuse_collision(names: set[str], out: Path) -> None:
    if names:
        raise SettingsError(
            f"{out / min(names)} is in the way and not ours", "move it, or give another folder with --out"
        )


def _list_files(folder: Path) -> set[str]:
    """Every file and link below the folder, by its path there."""
    walked = os.walk(folder)
    return {
        (Path(above) / name).relative_to(folder).as_posix()
        for above, folders, files in walked
        for name in (*files, *(one for one in folders if (Path(above) / one).is_symlink()))
    }


def _list_written(out: Path) -> set[str]:
    """The files of the export that is there, by its own manifest. A damaged manifest lists nothing but itself."""
    try:
        written = Manifest.model_validate_json((out / NAME).read_bytes())
    except ValueError:
        return {NAME, CARD}
    listed = (*written.shards, written.lineage, *written.ready)
    return {NAME, CARD, *(shard.name for shard in listed)}


def _sweep(out: Path) -> None:
    """What a killed export to the same place left behind."""
    for left in out.parent.glob(f".{_escape_glob(out.name)}.*{PART}*"):
        process = left.name.removeprefix(f".{out.name}.").partition(".")[0]
        if process.isdigit() and not Path(f"/proc/{process}").exists():
            shutil.rmtree(left, ignore_errors=True)


def _escape_glob(name: str) -> str:
    return "".join(f"[{char}]" if char in "*?[" else char for char in name)
