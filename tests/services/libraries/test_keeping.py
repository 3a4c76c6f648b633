"""What is kept of a package that anybody may have published."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pytest

from services.libraries import keeping
from services.libraries.keeping import PackageShelf


def pack(files: dict[str, bytes], links: dict[str, str] | None = None) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for path, data in files.items():
            entry = tarfile.TarInfo(path)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
        for path, target in (links or {}).items():
            entry = tarfile.TarInfo(path)
            entry.type, entry.linkname = tarfile.SYMTYPE, target
            archive.addfile(entry)
    return buffer.getvalue()


def open_shelf(folder: Path, disk_bytes: int = 1 << 20) -> PackageShelf:
    return PackageShelf(folder / "libraries", disk_bytes, (".js", ".css", ".json"))


def test_a_package_is_kept_with_the_files_that_pages_load(tmp_path: Path) -> None:
    shelf = open_shelf(tmp_path)
    assert shelf.find("@a/b@1.0.0") is None
    shelf.keep("@a/b@1.0.0", pack({"package/dist/b.js": b"b()", "package/README.md": b"#", "package/b.ts": b""}))
    kept = shelf.find("@a/b@1.0.0")
    assert kept is not None
    assert kept.sizes == {"dist/b.js": 3}
    assert kept.read("dist/b.js") == [b"b()"]


def test_files_that_lead_out_of_a_package_links_and_huge_ones_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "LARGEST_FILE_BYTES", 5)
    files = {"package/a.js": b"a", "package/../../b.js": b"b", "/etc/c.js": b"c", "package/d.js": b"larger"}
    kept = open_shelf(tmp_path).keep("a@1.0.0", pack(files, {"package/e.js": "/etc/passwd"}))
    assert set(kept.sizes) == {"a.js"}
    assert [path.parent.name for path in tmp_path.rglob("*.*")] == ["libraries"]


def test_what_is_no_package_is_refused_and_what_was_not_used_for_longest_makes_room(tmp_path: Path) -> None:
    shelf = open_shelf(tmp_path, disk_bytes=1)
    with pytest.raises(ValueError, match="cannot be read"):
        shelf.keep("a@1.0.0", b"not a package")
    shelf.keep("a@1.0.0", pack({"package/a.js": b"a"}))
    shelf.keep("b@1.0.0", pack({"package/b.js": b"b"}))
    assert shelf.find("a@1.0.0") is None
    assert shelf.find("b@1.0.0")
