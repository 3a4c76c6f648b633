"""The pictures of an attempt: which turn each stands in, and its bytes as trainers load them.

A picture stands in the turn that it came with: the prompt, or what a tool returned. Formats without pictures refuse
such an attempt; to be told that there are none costs one search in the attempt's text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, TypedDict

from crucible.errors import Rejected, StoreError
from crucible.exporting import Judged, LightTrajectory
from crucible.mining import BlobStore
from crucible.pictures import identify_picture


class PictureFile(TypedDict):
    """A picture as Hugging Face `datasets` stores one."""

    bytes: bytes
    path: str


Picture = Annotated[PictureFile, "image"]
"""A picture that the card declares as one: `datasets` hands it over decoded."""


def has_pictures(judged: Judged) -> bool:
    """Whether a picture was shown in the attempt. Within a JSON text the quotes around `images` would be escaped."""
    if '"images":' not in judged.body:
        return False
    observations = (observation for step in judged.light.steps for observation in step.observations)
    return bool(judged.light.images) or any(observation.images for observation in observations)


def refuse_pictures(judged: Judged) -> None:
    """Rejected when the attempt has pictures: without them its answers make no sense."""
    if has_pictures(judged):
        raise Rejected("has_pictures", "this format has no place for them")


def pictures_by_turn(judged: Judged) -> dict[int, tuple[str, ...]]:
    """The digests of the pictures by the place of their turn among the attempt's chat messages."""
    if not has_pictures(judged):
        return {}
    by_turn = {at: digests for at, digests in enumerate(_turn_pictures(judged.light)) if digests}
    if not by_turn:
        raise Rejected("picture_without_turn", "a picture came back without a word")
    return by_turn


def pack_pictures(by_turn: Mapping[int, Sequence[str]], turns: int, blobs: BlobStore) -> list[PictureFile]:
    """The pictures of the first so many turns as files, in their order; Rejected when one is gone or no picture."""
    return read_pictures([digest for at in sorted(by_turn) if at < turns for digest in by_turn[at]], blobs)


def read_pictures(digests: Iterable[str], blobs: BlobStore) -> list[PictureFile]:
    """The pictures as files; Rejected when one is gone or no picture."""
    return [_read_picture(digest, blobs) for digest in digests]


def picture_parts(digests: Sequence[str], blobs: BlobStore) -> Iterator[tuple[str, bytes]]:
    """The media type and the bytes of each picture."""
    for file in read_pictures(digests, blobs):
        kind = file["path"].rpartition(".")[2]
        yield f"image/{kind}", file["bytes"]


def _read_picture(digest: str, blobs: BlobStore) -> PictureFile:
    try:
        data = blobs.get(digest)
    except StoreError as gone:
        raise Rejected("picture_gone", str(gone)) from gone
    picture = identify_picture(data)
    if picture is None:
        raise Rejected("picture_unreadable", digest)
    return {"bytes": data, "path": f"{digest}.{picture.kind}"}


def _turn_pictures(light: LightTrajectory) -> Iterator[tuple[str, ...]]:
    """The pictures of every turn, in the order of `exporters.messages.chat_messages`."""
    if light.system:
        yield ()
    yield light.images
    for step in light.steps:
        yield ()
        if light.form != "text":
            yield from (observation.images for observation in step.observations)
        elif "\n\n".join(observation.content for observation in step.observations):
            yield tuple(digest for observation in step.observations for digest in observation.images)
