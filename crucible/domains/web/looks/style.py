"""Rules about style: few sizes and families of type, few colours that go together, headings that lead, one action that
stands out, and more than the browser's own look.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from itertools import pairwise
from statistics import median

from crucible.domains.looks.colours import Colour, distance, hue_family, is_loud
from crucible.domains.looks.findings import NOTHING, Finding, Measured
from crucible.domains.web.looks.facts import Control, Heading, Seen, box_of
from crucible.domains.web.looks.limits import Limits

DEFAULT_FAMILIES = ("times new roman", "times", "serif")
DEFAULT_LINK, DEFAULT_BUTTON = (0, 0, 238), (239, 239, 239)
RARE_COLOUR = 0.002
"""A colour that covers less of the page, and occurs once, is no part of its palette."""
COLOUR_STEP = 24
"""Colours closer than this are shades of one."""
RGB = re.compile(r"rgba?\((\d+), (\d+), (\d+)")
# matches: rgb(12, 34, 56   rgba(12, 34, 56


def measure_type(seen: Seen, limits: Limits) -> Measured:
    """How many sizes and families of type there are, and whether any of it is too small to be read."""
    texts = seen.legible
    if not texts:
        return Measured(1.0, NOTHING)
    sizes = Counter(round(text.size) for text in texts)
    families = Counter(text.family for text in texts)
    tiny = [text for text in texts if text.size < limits.smallest_text]
    share = min(1.0, limits.sizes / len(sizes), limits.families / len(families), 1 - len(tiny) / len(texts))
    said = f"{len(sizes)} sizes, {len(families)} families, {len(tiny)} texts below {limits.smallest_text:g} px"
    odd = [text for text in texts if sizes[round(text.size)] == 1 or families[text.family] == 1] if share < 1 else []
    findings = [Finding(text.box, f"'{text.text[:30]}': {text.size:g} px {text.family}") for text in (*tiny, *odd)]
    return Measured(share, said, tuple(findings))


def measure_palette(seen: Seen, limits: Limits) -> Measured:
    """How many hues and colours there are, and how many shout, by what the styles paint; pictures have their own."""
    page = max(1.0, seen.facts.page.width * seen.facts.page.height)
    weights: dict[Colour, float] = defaultdict(float)
    uses: Counter[Colour] = Counter()
    for colour, area in _painted_colours(seen):
        shade = next((known for known in weights if distance(known, colour) < COLOUR_STEP), colour)
        weights[shade] += area / page
        uses[shade] += 1
    palette = [colour for colour in weights if weights[colour] >= RARE_COLOUR or uses[colour] > 1]
    hues = len({family for colour in palette if (family := hue_family(colour)) is not None})
    loud = len({hue_family(colour) for colour in palette if is_loud(colour) and weights[colour] >= limits.loud_area})
    share = min(1.0, limits.hues / max(1, hues), limits.colours / max(1, len(palette)), limits.loud_hues / max(1, loud))
    return Measured(share, f"{len(palette)} colours of {hues} hues, {loud} of them loud over much of the page")


def _painted_colours(seen: Seen) -> list[tuple[Colour, float]]:
    """Each colour that is painted, with how many square pixels it covers, about."""
    found = []
    for painted in seen.facts.boxes:
        if painted.background and painted.background[3] > 0.3:
            found.append((Colour(*painted.background), box_of(painted.box).area))
        if painted.line and painted.line[3] > 0.3 and any(painted.border):
            found.append((Colour(*painted.line), 2 * (painted.box[2] + painted.box[3]) * max(painted.border)))
        if painted.image == "gradient":
            stops = [Colour(int(red), int(green), int(blue)) for red, green, blue in RGB.findall(painted.gradient)]
            found += [(stop, box_of(painted.box).area / len(stops)) for stop in stops]
    found += [(Colour(*text.colour), text.box.area * 0.2) for text in seen.legible if text.colour]
    return found


def measure_hierarchy(seen: Seen, limits: Limits) -> Measured:
    """Whether something is clearly larger than the text, and headings grow with their rank."""
    texts = seen.legible
    if len(texts) < limits.hierarchy_least:
        return Measured(1.0, NOTHING)
    body = median([text.size for text in texts for _ in range(max(1, min(20, text.length // 10)))])
    largest = max(text.size for text in texts)
    faults = []
    if largest < limits.heading_scale * body:
        faults.append(f"nothing is larger than {largest:g} px beside text of {body:g} px")
    ranks = _sizes_by_level(seen.facts.headings)
    if any(higher < lower - 0.5 for higher, lower in pairwise(ranks)):
        faults.append("a lower heading is larger than a higher one")
    plain = [each for each in seen.facts.headings if each.size < 1.1 * body and each.weight < 600]
    if plain:
        faults.append(f"{len(plain)} headings look like text")
    findings = [
        Finding(box_of(each.box), f"h{each.level} '{each.text[:30]}' is {each.size:g} px")
        for each in seen.facts.headings
    ]
    said = "; ".join(faults) or f"the largest text is {largest:g} px, most is {body:g} px"
    return Measured(max(0.0, 1 - len(faults) / 2), said, tuple(findings) if faults else ())


def _sizes_by_level(headings: tuple[Heading, ...]) -> list[float]:
    """The usual size of each level that is used, the highest first."""
    levels = sorted({each.level for each in headings})
    return [median(each.size for each in headings if each.level == level) for level in levels]


def find_rival_actions(seen: Seen, limits: Limits) -> Measured:
    """How many different buttons of the first screen are painted to stand out."""
    first = [each for each in seen.facts.controls if each.box[1] < seen.facts.page.viewport_height]
    loud = [each for each in first if not each.repeats and each.label and _stands_out(each)]
    labels = {each.label.lower() for each in loud}
    if len(labels) <= limits.primary_actions:
        return Measured(1.0, f"{len(labels)} actions stand out")
    findings = tuple(Finding(box_of(each.box), f"'{each.label[:30]}' stands out") for each in loud)
    return Measured(limits.primary_actions / len(labels), f"{len(labels)} actions stand out alike", findings)


def _stands_out(control: Control) -> bool:
    """A button filled with a colour, or with one that is nearly black."""
    if control.kind not in ("button", "submit", "a") or not control.background or control.background[3] < 0.5:
        return False
    colour = Colour(*control.background)
    return hue_family(colour) is not None or max(colour[:3]) < 70


def find_default_style(seen: Seen, limits: Limits) -> Measured:
    """Signs that nobody styled the page: the browser's own type, buttons, links, and no surface anywhere."""
    texts, controls = seen.legible, seen.facts.controls
    if not texts:
        return Measured(1.0, NOTHING)
    serif = [text for text in texts if text.family in DEFAULT_FAMILIES]
    fields = [
        each for each in controls if each.kind not in ("a", "summary", "checkbox", "radio", "range", "file", "color")
    ]
    raw = [each for each in fields if _is_raw(each)]
    links = [each for each in controls if each.kind == "a"]
    blue = [each for each in links if each.colour and each.colour[:3] == DEFAULT_LINK]
    surfaces = [each for each in seen.facts.boxes if not each.control]
    signs = [
        ("the browser's own type", 2 * len(serif) > len(texts)),
        (f"{len(raw)} controls as the browser draws them", bool(fields) and 2 * len(raw) > len(fields)),
        (f"{len(blue)} links as the browser draws them", bool(links) and 2 * len(blue) > len(links)),
        ("no surface, border or shadow", not surfaces),
    ]
    found = [what for what, is_so in signs if is_so]
    findings = [Finding(box_of(each.box), f"{each.where} as the browser draws it") for each in (*raw, *blue)]
    return Measured(
        max(0.0, 1 - 0.3 * len(found)), ", ".join(found) or "styled", tuple(findings) if len(found) > 1 else ()
    )


def _is_raw(control: Control) -> bool:
    """A control with the border and the ground that the browser gives it."""
    if control.kind in ("button", "submit", "reset"):
        ground = control.background or (0, 0, 0, 0.0)
        return ground[:3] == DEFAULT_BUTTON and control.line == "outset"
    return control.line == "inset" or (
        control.appearance == "auto"
        and control.border[0] == 1
        and control.radius == 0
        and control.family == "arial"
        and control.kind == "select"
    )


def find_gradients(seen: Seen, limits: Limits) -> Measured:
    """How much of the page gradients cover, and how many kinds there are; hardly visible ones do not count."""
    page = max(1.0, seen.facts.page.width * seen.facts.page.height)
    loud = [
        each
        for each in seen.facts.boxes
        if each.image == "gradient" and _gradient_range(each.gradient) >= limits.gradient_steps
    ]
    area = min(1.0, sum(box_of(each.box).area for each in loud if not each.text_clip) / page)
    kinds = len({each.gradient for each in loud})
    share = min(1.0, limits.gradient_area / max(area, 0.01), limits.gradient_kinds / max(kinds, 1))
    findings = [Finding(box_of(each.box), f"{each.where}: {each.gradient[:60]}") for each in loud] if share < 1 else []
    return Measured(share, f"{kinds} kinds over {area:.0%} of the page", tuple(findings))


def _gradient_range(gradient: str) -> int:
    """How far the colours of a gradient are apart."""
    stops = [Colour(int(red), int(green), int(blue)) for red, green, blue in RGB.findall(gradient)]
    return max((distance(stops[0], stop) for stop in stops), default=0)
