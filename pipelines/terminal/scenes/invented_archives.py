"""Archives and compressed files that nobody has shown, with contents of their own for every seed."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
from base64 import b64encode
from posixpath import basename

from crucible.domains.terminal.scenes import FIXED_MTIME, Entry
from pipelines.terminal.scenes.invent import invent_text, pick_words

TAR_MODES = {
    ".tar.gz": "gz",
    ".tgz": "gz",
    ".tar.bz2": "bz2",
    ".tbz2": "bz2",
    ".tar.xz": "xz",
    ".txz": "xz",
    ".tar": "",
}
"""How a tar archive is compressed, by the end of its name."""


def invent_archive(path: str, seed: int) -> Entry | None:
    """An archive that its name asks for; None when the name asks for none."""
    name = basename(path)
    ending = next((ending for ending in TAR_MODES if name.endswith(ending)), "")
    if ending:
        data = _tar(_members(name, seed), TAR_MODES[ending])
    elif name.endswith(".zip"):
        data = _zip(_members(name, seed))
    elif name.endswith(".gz"):
        data = gzip.compress(_content(name.removesuffix(".gz"), seed), mtime=FIXED_MTIME)
    elif name.endswith(".bz2"):
        data = bz2.compress(_content(name.removesuffix(".bz2"), seed))
    elif name.endswith(".xz"):
        data = lzma.compress(_content(name.removesuffix(".xz"), seed))
    else:
        return None
    return Entry(data=b64encode(data).decode())


def _content(name: str, seed: int) -> bytes:
    return invent_text(name, seed).encode()


def _members(name: str, seed: int) -> dict[str, bytes]:
    """Files of other names and contents for every seed, some of them in a folder."""
    first, second, third = pick_words(f"{name} {seed}", 3)
    paths = (f"{first}.txt", f"{second}/{third}.csv", f"{second}/notes.txt")
    return {path: _content(path, seed) for path in paths}


def _tar(members: dict[str, bytes], mode: str) -> bytes:
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w") as tar:
        for path, content in members.items():
            info = tarfile.TarInfo(path)
            info.size, info.mtime, info.mode = len(content), FIXED_MTIME, 0o644
            tar.addfile(info, io.BytesIO(content))
    data = plain.getvalue()
    if mode == "gz":
        return gzip.compress(data, mtime=FIXED_MTIME)
    return bz2.compress(data) if mode == "bz2" else lzma.compress(data) if mode == "xz" else data


def _zip(members: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for path, content in members.items():
            archive.writestr(zipfile.ZipInfo(path, (2024, 1, 1, 0, 0, 0)), content)
    return packed.getvalue()
