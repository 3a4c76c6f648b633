"""Pictures as numbers: measured as a whole, read with care, and marked up."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from crucible.domains.looks.findings import Finding
from crucible.domains.looks.geometry import Box
from crucible.domains.looks.marking import MOST_MARKS, TALLEST, mark_findings
from crucible.domains.looks.measures import Range, measure_picture
from crucible.domains.looks.pixels import NoPicture, Pixels


def png(pixels: np.ndarray) -> bytes:
    written = io.BytesIO()
    Image.fromarray(pixels.astype(np.uint8)).save(written, "PNG")
    return written.getvalue()


BLANK = np.full((400, 600, 3), 255)
NOISE = np.random.default_rng(7).integers(0, 256, (400, 600, 3))


def test_a_blank_page_is_rated_below_a_page_with_something_on_it_and_noise_as_well() -> None:
    page = BLANK.copy()
    for top in range(40, 360, 40):
        page[top : top + 10, 40:560:3] = (40, 60, 90)
    page[20:60, 40:300] = (20, 90, 160)
    rates = [measure_picture(Pixels.read(png(pixels))).rate() for pixels in (page, BLANK, NOISE)]
    assert rates[0] > max(rates[1:])


def test_what_is_no_picture_is_not_unpacked() -> None:
    for data in (b"", b"<svg/>", png(BLANK)[:200], b"\x89PNG\r\n\x1a\n" + b"\0" * 8 + b"\x7f\xff\xff\xff" * 2):
        with pytest.raises(NoPicture):
            Pixels.read(data)


def test_a_range_rates_what_lies_within_and_falls_off_outside() -> None:
    good = Range(0, 10, 20, 40)
    assert [good.rate(value) for value in (-1, 0, 5, 10, 20, 30, 50)] == [0, 0, 0.5, 1, 1, 0.5, 0]


def test_findings_are_outlined_where_they_are_and_named_beneath() -> None:
    marked = Pixels.read(mark_findings(png(BLANK), [Finding(Box(100, 100, 50, 20), "here")]))
    red = (marked.channels[:, :, 0] > 180) & (marked.channels[:, :, 1] < 90)
    rows, columns = np.nonzero(red[:400])
    assert (rows.min(), rows.max()) == (82, 123)
    assert (columns.min(), columns.max()) == (97, 153)
    assert marked.size[1] > 400


def test_findings_far_outside_of_the_picture_and_many_of_them_are_drawn_all_the_same() -> None:
    wild = [Finding(Box(*where), "x" * 500) for where in ((-1e6, -1e6, 5, 5), (1e6, 2e6, 9, 9), (0, 0, 1e6, 1e6))]
    marked = mark_findings(png(BLANK), wild * MOST_MARKS)
    assert Pixels.read(marked).size[1] < TALLEST
