"""Blobs on the page of an attempt: pictures that the teacher saw, and what verdicts point at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from crucible.errors import StoreError
from crucible.mining import BlobStore
from crucible.pictures import data_uri
from crucible.report.clip import Clipped, Clipper

PICTURES = 12
"""Pictures of verdicts on one page, and as many that the teacher saw."""


@dataclass(frozen=True)
class Attachment:
    """A blob that a verdict points at, or a picture that the teacher saw."""

    name: str
    digest: str
    picture: str = ""
    """A data URI."""
    text: Clipped | None = None
    note: str = ""
    """Why neither is shown."""


@dataclass
class PictureViews:
    """Shows what the teacher saw: each picture once, where it comes first, and no more than a page can take."""

    blobs: BlobStore
    left: int = PICTURES
    shown: set[str] = field(default_factory=set)

    def view(self, digests: Sequence[str]) -> tuple[Attachment, ...]:
        """The pictures of these digests; one that is not shown is a note that says why."""
        return tuple(self._view_one(digest) for digest in digests)

    def _view_one(self, digest: str) -> Attachment:
        name = f"picture {digest[:12]}"
        if digest in self.shown:
            return Attachment(name, digest, note="shown above")
        if not self.left:
            return Attachment(name, digest, note="not shown: the page has as many pictures as it can take")
        try:
            uri = data_uri(self.blobs.get(digest))
        except StoreError as gone:
            return Attachment(name, digest, note=gone.line())
        if not uri:
            return Attachment(name, digest, note="no PNG, JPEG, WebP or GIF of a size that a page can take")
        self.left -= 1
        self.shown.add(digest)
        return Attachment(name, digest, picture=uri)


def view_attachment(blobs: BlobStore, name: str, digest: str, clip: Clipper, pictures: bool) -> Attachment:
    """A blob as its picture, its text, or a note that says why neither is shown."""
    try:
        data = blobs.get(digest)
    except StoreError as gone:
        return Attachment(name, digest, note=gone.line())
    if picture := data_uri(data) if pictures else "":
        return Attachment(name, digest, picture=picture)
    if _is_binary(data):
        return Attachment(name, digest, note=f"{len(data):,} bytes that are neither text nor a picture to show here")
    return Attachment(name, digest, text=clip(data.decode("utf-8", "replace")))


def _is_binary(data: bytes) -> bool:
    """More than one byte in ten is no text; a log with a stray NUL is still a log."""
    sample = data[:8000].decode("utf-8", "replace")
    odd = sum(char == "�" or (ord(char) < 32 and char not in "\n\r\t\x1b") for char in sample)
    return odd * 10 > len(sample)
