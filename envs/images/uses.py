"""When each image was last used, as the time stamps of empty files; the engine does not keep that."""

from __future__ import annotations

from pathlib import Path


def note_use(home: Path, image: str) -> None:
    """Remember that the image is used now."""
    folder = home / "images"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / image.replace("/", "_").replace(":", "_")).touch()


def last_use(home: Path, image: str) -> float:
    """When the image was last used, in seconds since 1970; 0 when nobody noted it."""
    stamp = home / "images" / image.replace("/", "_").replace(":", "_")
    return stamp.stat().st_mtime if stamp.exists() else 0.0
