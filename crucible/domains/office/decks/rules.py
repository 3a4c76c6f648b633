"""Rules of layout, on what was drawn and not on frames: half of all real decks have frames that overlap, and show
nothing wrong. Each says what is wrong on one printed slide, and of how many things.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from crucible.domains.looks.colours import Colour, luminance
from crucible.domains.looks.geometry import Box, find_overlaps
from crucible.domains.looks.pixels import Pixels, frame_of
from crucible.domains.office.decks.deck import Shape
from crucible.domains.office.decks.limits import DeckLimits, load_deck_table
from crucible.domains.office.decks.text import PlacedText, PrintedSlide, frame_of_shape

FURNITURE = ("DATE", "FOOTER", "HEADER", "SLIDE_NUMBER")
WORST = 20
"""Over an uneven ground the contrast at the worst fifth of it counts."""
AROUND = 2.0
"""How far around a line its ground is looked at, in points."""


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong on a slide."""

    box: Box
    """In points."""
    what: str
    key: str
    """What it is about, in words that stay the same in another version of the deck."""


@dataclass(frozen=True)
class Checked:
    """What a rule says of one slide."""

    faults: tuple[Fault, ...]
    looked_at: int


Rule = Callable[[PrintedSlide, DeckLimits], Checked]


def check_overlap(printed: PrintedSlide, limits: DeckLimits) -> Checked:
    """Texts of different shapes that lie over each other."""
    texts = [text for text in printed.texts if not text.shape.turned]
    placed = [(line, number) for number, text in enumerate(texts) for line in text.lines]
    faults: dict[int, Fault] = {}
    for (box, one), (_, other) in find_overlaps(placed, limits.overlap_share, limits.overlap_area):
        what = f"'{texts[one].beginning}' and '{texts[other].beginning}' lie over each other"
        faults.setdefault(one, Fault(box, what, texts[one].beginning))
    return Checked(tuple(faults.values()), len(texts))


def check_overflow(printed: PrintedSlide, limits: DeckLimits) -> Checked:
    """Texts that leave the frame of their shape, where that does not follow them."""
    texts = [text for text in printed.texts if _has_firm_frame(text.shape)]
    return _check_each(texts, lambda text: _tell_overflow(text, limits))


def _has_firm_frame(shape: Shape) -> bool:
    frame = frame_of_shape(shape)
    return bool(shape.paragraphs) and not (shape.grows or shape.turned) and frame.width > 0 and frame.height > 0


def _tell_overflow(text: PlacedText, limits: DeckLimits) -> str:
    frame, box = frame_of_shape(text.shape), text.box
    beyond = max(frame.top - box.top, box.bottom - frame.bottom)
    if text.shape.wraps:
        beyond = max(beyond, frame.left - box.left, box.right - frame.right)
    return f"leaves its box by {beyond:.0f} pt" if beyond > limits.overflow else ""


def check_off_slide(printed: PrintedSlide, limits: DeckLimits) -> Checked:
    """Texts, charts and tables that run off the slide; pictures may."""
    checked = _check_each(
        [text for text in printed.texts if not text.shape.chart],
        lambda text: _tell_off_slide(text.box, printed, limits),
    )
    framed = [each for each in printed.slide.shapes if (each.chart or each.table) and None not in each.box]
    lost = [each for each in printed.slide.shapes if each.text.strip() and _is_beyond(frame_of_shape(each), printed)]
    faults = [
        Fault(frame_of_shape(shape), f"'{shape.name}' {said}", shape.name)
        for shape in (*framed, *(shape for shape in lost if not any(text.shape == shape for text in printed.texts)))
        if (said := _tell_off_slide(frame_of_shape(shape), printed, limits))
    ]
    return Checked((*checked.faults, *faults), checked.looked_at + len(framed) + len(lost))


def _tell_off_slide(box: Box, printed: PrintedSlide, limits: DeckLimits) -> str:
    page = printed.page
    beyond = max(-box.left, -box.top, box.right - page.width, box.bottom - page.height)
    return f"runs off the slide by {beyond:.0f} pt" if beyond > limits.off_slide else ""


def _is_beyond(frame: Box, printed: PrintedSlide) -> bool:
    """Whether nothing of a frame is on the slide."""
    page = printed.page
    outside = frame.left >= page.width or frame.top >= page.height or frame.right <= 0 or frame.bottom <= 0
    return frame.area > 0 and outside


def check_placeholders(printed: PrintedSlide, limits: DeckLimits) -> Checked:
    """Places of the layout that were left empty, and texts that only invite to write something."""
    faults = []
    for shape in printed.slide.shapes:
        if shape.is_empty_placeholder:
            faults.append(Fault(frame_of_shape(shape), f"'{shape.name}' is empty", f"{shape.placeholder} empty"))
        elif prompt := find_prompt(shape):
            faults.append(Fault(frame_of_shape(shape), f"'{shape.name}' still says '{prompt}'", prompt))
    return Checked(tuple(faults), len(printed.slide.shapes))


def find_prompt(shape: Shape) -> str:
    """A text of the shape that a layout or template left there; empty where there is none."""
    prompts = load_deck_table().prompts
    return next((text.strip()[:40] for text in shape.texts if text.strip().casefold().startswith(prompts)), "")


def check_size(printed: PrintedSlide, limits: DeckLimits) -> Checked:
    """Texts in tiny letters; dates, footers and numbers of pages may be small."""
    texts = [text for text in printed.texts if text.shape.placeholder not in FURNITURE]
    return _check_each(texts, lambda text: _tell_size(text, limits))


def _tell_size(text: PlacedText, limits: DeckLimits) -> str:
    """By the letters that most of the text has: a raised number may be small."""
    size = float(np.median([word.size for word in text.words]))
    return f"is in letters of {size:g} pt" if 0 < size < limits.tiny else ""


def check_contrast(printed: PrintedSlide, limits: DeckLimits) -> Checked:
    """Texts that hardly differ from what they stand on."""
    pixels = Pixels.read(printed.page.picture)
    return _check_each(printed.texts, lambda text: _tell_contrast(text, printed, pixels, limits))


def _tell_contrast(text: PlacedText, printed: PrintedSlide, pixels: Pixels, limits: DeckLimits) -> str:
    word = max(text.words, key=lambda each: len(each.text))
    scale = pixels.size[0] / printed.page.width
    where = pixels.slices(scale_box(Box(*word.box).shrink(-AROUND), scale))
    if where is None:
        return ""
    own, ground = luminance(Colour(*word.colour)), frame_of(pixels.light[where])
    ratio = float(np.percentile((np.maximum(ground, own) + 0.05) / (np.minimum(ground, own) + 0.05), WORST))
    least = limits.contrast_large if word.size >= limits.large else limits.contrast
    return f"has a contrast of {ratio:.1f}, not {least:g}" if ratio < least - 0.05 else ""


def scale_box(box: Box, scale: float) -> Box:
    return Box(*(edge * scale for edge in box))


def _check_each(texts: list[PlacedText] | tuple[PlacedText, ...], tell: Callable[[PlacedText], str]) -> Checked:
    """One fault for each text of which something is told."""
    told = ((text, tell(text)) for text in texts)
    faults = tuple(Fault(text.box, f"'{text.beginning}' {what}", text.beginning) for text, what in told if what)
    return Checked(faults, len(texts))


RULES: dict[str, Rule] = {
    "overlap": check_overlap,
    "overflow": check_overflow,
    "off-slide": check_off_slide,
    "placeholder": check_placeholders,
    "tiny": check_size,
    "contrast": check_contrast,
}


@dataclass(frozen=True)
class RuleReport:
    """What a rule says of all slides of a deck."""

    rule: str
    faults: tuple[tuple[PrintedSlide, Fault], ...]
    looked_at: int

    @property
    def share(self) -> float:
        """How much of what was looked at is right."""
        return 1 - min(1.0, len(self.faults) / self.looked_at) if self.looked_at else 1.0


def check_layout(slides: list[PrintedSlide]) -> Iterator[RuleReport]:
    """Every rule over all slides."""
    limits = load_deck_table().limits
    for name, rule in RULES.items():
        checked = [(printed, rule(printed, limits)) for printed in slides]
        faults = tuple((printed, fault) for printed, one in checked for fault in one.faults)
        yield RuleReport(name, faults, sum(one.looked_at for _, one in checked))
