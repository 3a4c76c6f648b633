"""The rows of a `Posts.xml`, streamed: from the file itself, or from within the `.7z` that dumps come in.

The dump has one element per post and nothing nested, so rows are cut apart by where elements begin, and only those
that somebody wants are parsed. No raw `<` can stand within an attribute: a broken row never takes its neighbour along.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple

from lxml import etree

from crucible.errors import EngineMissing, SettingsError

CHUNK_BYTES = 1 << 20
LONGEST_ROW_BYTES = 16 << 20
"""A longer row is broken: its site allows 30,000 characters."""
ELEMENT_START = b"<row "
MEMBER = "Posts.xml"

POST_TYPE = re.compile(rb'\bPostTypeId="(\d+)"')  # matches: PostTypeId="1"
PARENT = re.compile(rb'\bParentId="(\d+)"')  # matches: ParentId="4711"
TAGS = re.compile(rb'\bTags="([^"]*)"')  # matches: Tags="&lt;bash&gt;&lt;sed&gt;"
TAG = re.compile(r"[^<>|]+")  # matches: bash and sed in <bash><sed> and in |bash|sed|
NUMBER = re.compile(rb'\bId="(\d+)"')  # matches: Id="4711"

UNTYPED, QUESTION, ANSWER = 0, 1, 2
"""The types of posts that matter; a row that tells no type is broken."""


class RawRow(NamedTuple):
    """One row as it stands in the file, and where the next one begins."""

    text: bytes
    next_offset: int

    @property
    def post_type(self) -> int:
        match = POST_TYPE.search(self.text)
        return int(match[1]) if match else UNTYPED

    @property
    def number(self) -> int:
        match = NUMBER.search(self.text)
        return int(match[1]) if match else 0

    @property
    def parent(self) -> int:
        match = PARENT.search(self.text)
        return int(match[1]) if match else 0

    @property
    def tags(self) -> list[str]:
        match = TAGS.search(self.text)
        return split_tags(match[1].decode(errors="replace")) if match else []


class BrokenRow(ValueError):
    """A row that is not well-formed."""


def split_tags(text: str) -> list[str]:
    """The tags of a row, in either of the ways that dumps have written them."""
    return TAG.findall(text.replace("&lt;", "<").replace("&gt;", ">"))


def parse_row(text: bytes) -> Mapping[str, str]:
    """The attributes of a row; BrokenRow when it is not well-formed."""
    try:
        return dict(etree.fromstring(text, _parser()).attrib)
    except (etree.XMLSyntaxError, ValueError) as fault:
        raise BrokenRow(str(fault)) from None


def _parser() -> etree.XMLParser:
    """Rows come from anybody: no entities, no network."""
    return etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True)


def read_rows(stream: IO[bytes], offset: int = 0) -> Iterator[RawRow]:
    """The rows of a stream that stands at `offset`, in the order of the file, in constant memory. The offset of a row's
    `next_offset` is a place to go on from."""
    rest, cut_bytes, in_rows = b"", 0, False
    while chunk := stream.read(CHUNK_BYTES):
        *pieces, rest = (rest + chunk).split(ELEMENT_START)
        for piece in pieces:
            offset, cut_bytes = offset + len(piece) + cut_bytes, 0
            if in_rows:
                yield RawRow(_cut_row(piece), offset)
            offset, in_rows = offset + len(ELEMENT_START), True
        if len(rest) > LONGEST_ROW_BYTES:  # the end is kept: the next row may begin within it
            cut_bytes += len(rest) - LONGEST_ROW_BYTES - len(ELEMENT_START)
            rest = rest[:LONGEST_ROW_BYTES] + rest[-len(ELEMENT_START) :]
    if in_rows:
        yield RawRow(_cut_row(rest), offset + len(rest) + cut_bytes)


def _cut_row(piece: bytes) -> bytes:
    """A row out of all that stands before the next one begins."""
    end = piece.rfind(b"/>")
    return ELEMENT_START + (piece[: end + 2] if end >= 0 else piece)


@contextmanager
def open_posts(path: Path, offset: int = 0) -> Iterator[IO[bytes]]:
    """The bytes of a dump's posts from `offset` on; an archive is unpacked on the way, never as a whole."""
    if path.suffix == ".7z":
        with _unpack(path) as stream:
            _skip(stream, offset)
            yield stream
        return
    try:
        stream = path.open("rb")
    except OSError as fault:
        raise SettingsError(f"{path} cannot be read: {fault}") from None
    with stream:
        stream.seek(offset)
        yield stream


@contextmanager
def _unpack(path: Path) -> Iterator[IO[bytes]]:
    tool = shutil.which("bsdtar")
    if tool is None:
        raise EngineMissing("bsdtar, which unpacks .7z archives, is not installed", "apt-get install libarchive-tools")
    with subprocess.Popen(
        [tool, "-xOf", str(path), MEMBER], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        try:
            yield process.stdout
            if not process.stdout.read(1) and process.wait() != 0:
                said = process.stderr.read(500).decode(errors="replace").strip()
                raise SettingsError(f"{path} cannot be unpacked: {said}", f"it must hold a {MEMBER}")
        finally:
            process.kill()


def _skip(stream: IO[bytes], count: int) -> None:
    while count > 0 and (chunk := stream.read(min(count, CHUNK_BYTES))):
        count -= len(chunk)
