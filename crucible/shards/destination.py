"""Where an export goes: written beside its place, moved there whole, never over what is not ours."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from crucible.errors import SettingsError
from crucible.shards.manifest import MARK, NAME
from crucible.store import faults

PART = ".crucible-part"


@contextmanager
def open_destination(out: Path) -> Iterator[Path]:
    """A folder to write into. It becomes `out` when the block ends well, and is gone when it does not."""
    out = out.absolute()
    refuse_foreign_folder(out)
    part = out.with_name(f".{out.name}.{os.getpid()}{PART}")
    with faults.translate_disk_faults(f"the folder {out.parent}"):
        out.parent.mkdir(parents=True, exist_ok=True)
        _sweep(out)
        part.mkdir()
        try:
            yield part
            refuse_foreign_folder(out)
            _move(part, out)
        finally:
            shutil.rmtree(part, ignore_errors=True)


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
    old = out.with_name(f"{part.name}.old")
    if out.exists():
        out.rename(old)
    part.rename(out)
    shutil.rmtree(old, ignore_errors=True)


def _sweep(out: Path) -> None:
    """What a killed export to the same place left behind."""
    for left in out.parent.glob(f".{_escape_glob(out.name)}.*{PART}*"):
        process = left.name.removeprefix(f".{out.name}.").partition(".")[0]
        if process.isdigit() and not Path(f"/proc/{process}").exists():
            shutil.rmtree(left, ignore_errors=True)


def _escape_glob(name: str) -> str:
    return "".join(f"[{char}]" if char in "*?[" else char for char in name)
