"""Programs with a window: a display in the box of the application, and pictures of what is on it.

The display server writes its screen to a file, which is read through the engine: no program takes the picture.
"""

from __future__ import annotations

import asyncio
import io
import struct
import time

from PIL import Image, ImageChops

from crucible.domains.web.blankness import measure_blankness
from crucible.domains.web.launching import PAUSE_SECONDS, Launched, read_exit
from crucible.errors import Undecided
from crucible.sandbox import Sandbox

DISPLAY = ":77"
FOLDER = "/tmp/.crucible-display"
SIZE = "1280x800x24"
START = (
    f"mkdir -p {FOLDER} && setsid Xvfb {DISPLAY} -screen 0 {SIZE} -fbdir {FOLDER} -nolisten tcp "
    ">/dev/null 2>&1 </dev/null &"
)
READY = f"test -S /tmp/.X11-unix/X{DISPLAY[1:]}"
DISPLAY_SECONDS = 60.0
GONE_SECONDS = 5.0
HEADER_FIELDS = 25
"""Numbers at the beginning of a dump of a screen (XWD), each of four bytes."""


async def open_display(box: Sandbox) -> None:
    """Start a display, unless there is one. Undecided when it does not come up."""
    if (await box.exec(READY)).ok:
        return
    await box.exec(START)
    ends = time.monotonic() + DISPLAY_SECONDS
    while not (await box.exec(READY)).ok:
        if time.monotonic() > ends:
            raise Undecided("no display can be started in the box")
        await asyncio.sleep(PAUSE_SECONDS)


async def wait_for_window(box: Sandbox, launched: Launched, seconds: float) -> bool:
    """Whether the program shows something within the time; one that ended shows nothing."""
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        if not measure_blankness(await take_picture(box)).is_blank:
            return True
        if await read_exit(box, launched):
            return False
        await asyncio.sleep(PAUSE_SECONDS)
    return False


async def wait_until_gone(box: Sandbox) -> None:
    """Wait until the windows of a program that was ended have left the display."""
    ends = time.monotonic() + GONE_SECONDS
    while not measure_blankness(await take_picture(box)).is_blank and time.monotonic() < ends:
        await asyncio.sleep(PAUSE_SECONDS)


async def take_picture(box: Sandbox) -> bytes:
    """What is on the display, as PNG."""
    return convert_dump(await box.read(f"{FOLDER}/Xvfb_screen0"))


def count_changed_pixels(before: bytes, after: bytes) -> int:
    """How many pixels are not the same in two pictures of one size."""
    first, second = (Image.open(io.BytesIO(picture)).convert("L") for picture in (before, after))
    return sum(ImageChops.difference(first, second).histogram()[1:])


def convert_dump(dump: bytes) -> bytes:
    """A dump of a screen with 24 bits of colour as PNG."""
    header = struct.unpack(f">{HEADER_FIELDS}I", dump[: 4 * HEADER_FIELDS])
    width, height, stride, colours = header[4], header[5], header[12], header[19]
    pixels = dump[header[0] + 12 * colours :][: stride * height]
    buffer = io.BytesIO()
    Image.frombuffer("RGB", (width, height), pixels, "raw", "BGRX", stride, 1).save(buffer, "PNG")
    return buffer.getvalue()
