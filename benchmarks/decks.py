"""How fast the office service prints decks, against one `soffice --convert-to` each: `python -m benchmarks.decks 100`.

Both run in the same box, one after the other; the service also reads the words and draws the pages.
"""

from __future__ import annotations

import asyncio
import io
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pptx import Presentation

from crucible.running.run import open_run
from crucible.settings import DockerSettings, Settings
from crucible.stages.services import open_services
from services.office.service import BoxedOffice
from services.office.settings import OfficeSettings

WANTED = 5.0
"""How many times faster the service must be."""
ALONE = "soffice --headless -env:UserInstallation=file:///tmp/own --convert-to pdf --outdir /tmp/alone /tmp/alone.pptx"


def make_decks(count: int) -> list[bytes]:
    """Small decks that differ in their words."""
    return [_make_deck(number) for number in range(count)]


def _make_deck(number: int) -> bytes:
    deck: Any = Presentation()
    for part in range(5):
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = f"Part {part} of report {number}"
        slide.placeholders[1].text_frame.text = "\n".join(f"Point {n} of {number}" for n in range(5))
    packed = io.BytesIO()
    deck.save(packed)
    return packed.getvalue()


async def time_service(office: BoxedOffice, decks: Sequence[bytes]) -> float:
    """Seconds for all decks, the suite running already."""
    began = time.monotonic()
    for deck in decks:
        pages = await office.print_pages(deck, "pptx")
        assert len(pages) == 5
    return time.monotonic() - began


async def time_alone(office: BoxedOffice, decks: Sequence[bytes]) -> float:
    """Seconds for all decks, each by a suite of its own, in the service's box."""
    box = office.workers[0].box
    assert box is not None
    began = time.monotonic()
    for deck in decks:
        await box.write("/tmp/alone.pptx", deck)
        done = await box.exec(ALONE, timeout=300)
        assert done.ok, done.err
    return time.monotonic() - began


async def measure(count: int) -> float:
    """How many times faster the service is."""
    options = OfficeSettings(seconds=300, start_seconds=300)
    docker = DockerSettings(pool=0, open_seconds=300)
    with tempfile.TemporaryDirectory() as home:
        settings = Settings(home=Path(home), docker=docker, sections={"office": options})
        with open_run(settings) as run:
            async with open_services(run) as services:
                office: BoxedOffice = await services.get("office")
                decks = make_decks(count)
                await office.print_pages(decks[0], "pptx")
                warm, alone = await time_service(office, decks), await time_alone(office, decks)
    print(f"{count} decks: {warm:.1f} s in the service, {alone:.1f} s by a suite each, {alone / warm:.1f} times faster")
    return alone / warm


if __name__ == "__main__":
    faster = asyncio.run(measure(int(sys.argv[1]) if len(sys.argv) > 1 else 100))
    sys.exit(faster < WANTED)
