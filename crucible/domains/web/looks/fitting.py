"""Rules about what fits: into the window, into its box, onto a phone and under a finger."""

from __future__ import annotations

from math import log

from crucible.domains.looks.findings import Finding, Measured, measure_share
from crucible.domains.looks.geometry import Box
from crucible.domains.web.looks.facts import Picture, Seen, Text, box_of
from crucible.domains.web.looks.limits import Limits


def find_overflow(seen: Seen, limits: Limits) -> Measured:
    """Whether the page has to be scrolled sideways; what sticks out is shown."""
    page = seen.facts.page
    excess = page.scroll_width - page.width
    if page.hides_overflow or excess <= limits.overflow:  # text that is hidden with the rest is found as cut off
        return Measured(1.0, f"{page.scroll_width:g} of {page.width:g} px used")
    strays = [
        Finding(box_of(each.box), f"{each.where} ends at {sum(each.box[::2]):g} px") for each in seen.facts.strays
    ]
    return Measured(page.width / page.scroll_width, f"{excess:g} px wider than the window", tuple(strays))


def find_bad_images(seen: Seen, limits: Limits) -> Measured:
    """Images that did not load, and images that are stretched."""
    faults = [(image, _image_fault(image, limits)) for image in seen.facts.images if image.asked]
    findings = [Finding(box_of(image.box), f"{image.where} {fault}") for image, fault in faults if fault]
    return measure_share(findings, len(faults), "images are broken or distorted")


def _image_fault(image: Picture, limits: Limits) -> str:
    width, height = image.natural
    box = box_of(image.box)
    if image.complete and not width:
        return "did not load"
    if not width or not height or image.fit != "fill" or min(box.width, box.height) < limits.smallest_image:
        return ""
    stretch = log((box.width / box.height) / (width / height))
    return f"is {width} x {height}, shown as {box.width:g} x {box.height:g}" if abs(stretch) > limits.distortion else ""


def find_cut_text(seen: Seen, limits: Limits) -> Measured:
    """Texts that are cut off by what they stand in, or by the side of the page, without their author's wish."""
    texts = [text for text in seen.facts.texts if text.is_meant and not text.in_field]
    faults = [(text, _cut_fault(text, seen, limits)) for text in texts]
    findings = [Finding(text.box, f"'{text.text[:40]}' {fault}") for text, fault in faults if fault]
    return measure_share(findings, len(faults), "texts are cut off")


def _cut_fault(text: Text, seen: Seen, limits: Limits) -> str:
    page = seen.facts.page
    if text.scrolls or text.deliberate:
        return ""
    if text.clip is not None:
        clip = box_of(text.clip)
        return "is cut off by its box" if any(_crosses(core, clip, limits.cut_off) for core in text.cores) else ""
    if text.box.left < -limits.cut_off and text.box.right > limits.cut_off:
        return "begins left of the page"
    if page.hides_overflow and text.box.left < page.width < text.box.right - limits.cut_off:
        return "ends right of the page"
    return ""


def _crosses(core: Box, clip: Box, slack: float) -> bool:
    """Whether a line is partly outside, or wholly below; what stands beside is the next of a row that slides."""
    outside = core.left >= clip.right or core.right <= clip.left or core.bottom <= clip.top
    beyond = max(core.right - clip.right, clip.left - core.left, core.bottom - clip.bottom, clip.top - core.top)
    return not outside and beyond > slack


def find_small_targets(seen: Seen, limits: Limits) -> Measured:
    """Controls that are too small for a finger; links within sentences may be."""
    controls = [each for each in seen.facts.controls if not each.inline and not each.disabled]
    findings = [
        Finding(box_of(each.box), f"{each.where} is {each.target[2]:g} x {each.target[3]:g} px")
        for each in controls
        if min(each.target[2:]) < limits.touch
    ]
    return measure_share(findings, len(controls), "controls are too small")


def find_phone_faults(seen: Seen, limits: Limits) -> Measured:
    """Text that nobody reads on a phone: tiny, or squeezed into a narrow column; and a page that does not ask for a
    phone's width, which is shown there as on a desk."""
    findings = [
        Finding(text.box, f"'{text.text[:40]}' {fault}")
        for text in seen.legible
        if (fault := _phone_fault(text, limits))
    ]
    measured = measure_share(findings, len(seen.legible), "texts are tiny or squeezed")
    if seen.facts.page.viewport_meta:
        return measured
    said = f"no viewport of the device's width is asked for; {measured.said}"
    return Measured(measured.share / 2, said, measured.findings)


def _phone_fault(text: Text, limits: Limits) -> str:
    if text.size < limits.phone_text:
        return f"is {text.size:g} px high"
    if len(text.lines) >= limits.narrow_lines and text.block[2] < limits.narrow:
        return f"stands in a column of {text.block[2]:g} px"
    return ""
