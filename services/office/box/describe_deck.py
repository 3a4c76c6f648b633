"""Runs in the office suite's box, without the suite: `describe_deck.py FILE OUT`. Writes what a deck holds as JSON, or
`{"fault": "why it must not or cannot be opened"}`.

What is written is read by `crucible/domains/office/decks/deck.py`, which says what the fields mean.
"""

from __future__ import annotations

import hashlib
import json
import sys
import zipfile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from chart_data import is_backed
from guard import has_macros, refuse
from lxml import etree
from pptx import Presentation
from pptx.enum.text import MSO_AUTO_SIZE
from pptx.opc.constants import RELATIONSHIP_TYPE
from pptx.util import Emu

MOST_SLIDES = 500
PROPERTIES = "docProps/app.xml"
ASPECTS = {
    "animation": ("timing",),
    "transition": ("transition",),
    "style of shapes": ("spPr", "style", "bodyPr", "pPr", "tcPr", "tblPr", "grpSpPr"),
    "names and descriptions": ("cNvPr",),
    "background": ("bg",),
    "diagrams": ("graphicData",),
    "letters": ("rPr",),
}
"""What else slides have, by the elements that say it: compared only where a right deck differs in nothing else."""
DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
PRESENTATION = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
RELATION_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
CHART = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
PAINTS = ("noFill", "solidFill", "gradFill", "blipFill", "pattFill", "ln")
POINT = 12700
"""English Metric Units in a point: what lengths are counted in."""


def describe(path: Path) -> dict[str, Any]:
    """All that is compared between decks."""
    deck = Presentation(str(path))
    if len(deck.slides) > MOST_SLIDES:
        raise ValueError(f"it has {len(deck.slides)} slides")
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        themes = [describe_theme(archive.read(name)) for name in sorted(names) if is_theme(name)]
        macros = has_macros(archive)
        program = describe_program(archive.read(PROPERTIES)) if PROPERTIES in names else ""
    return {
        "width": points(deck.slide_width),
        "height": points(deck.slide_height),
        "slides": [describe_slide(slide) for slide in deck.slides],
        "themes": themes,
        "layouts": [layout.name for master in deck.slide_masters for layout in master.slide_layouts],
        "parts": sorted(names),
        "macros": macros,
        "program": program,
    }


def describe_program(properties: bytes) -> str:
    """The program that wrote the file, by its own word."""
    names = [each.text or "" for each in ElementTree.fromstring(properties) if each.tag.endswith("}Application")]
    return " ".join(names)[:80]


def describe_slide(slide: Any) -> dict[str, Any]:
    return {
        "layout": slide.slide_layout.name,
        "hidden": slide._element.get("show") == "0",
        "notes": slide.notes_slide.notes_text_frame.text if has_notes(slide) else "",
        "shapes": [describe_shape(shape, box) for shape, box in flatten(slide.shapes)],
        "details": {name: said for name, said in list_slide_details(slide) if said},
        "aspects": {name: digest(slide, words) for name, words in ASPECTS.items()} | {"charts": digest_charts(slide)},
    }


def digest(slide: Any, words: tuple[str, ...]) -> str:
    """What a slide has of some elements, as a hash; empty where it has none."""
    found = [each for each in slide._element.iter() if etree.QName(each).localname in words]
    written = b"".join(etree.tostring(each, method="c14n") for each in found)
    return hashlib.sha256(written).hexdigest()[:16] if found else ""


def digest_charts(slide: Any) -> str:
    """All that the charts of a slide are, their colours too, as a hash."""
    parts = [each.target_part.blob for each in slide.part.rels.values() if each.reltype == RELATIONSHIP_TYPE.CHART]
    return hashlib.sha256(b"".join(sorted(parts))).hexdigest()[:16]


def has_notes(slide: Any) -> bool:
    return bool(slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None)


Edges = list[Any]
"""Left, top, width and height as whole numbers; None where they are nowhere said."""


def flatten(shapes: Any, place: Any = list) -> Any:
    """All shapes, those within groups too, with their places on the slide. `place` says where on the slide the edges
    are that shapes of a group have within it."""
    for shape in shapes:
        box = place([shape.left, shape.top, shape.width, shape.height])
        yield shape, box
        if hasattr(shape, "shapes"):
            yield from flatten(shape.shapes, within_group(shape, box))


def within_group(group: Any, box: Edges) -> Any:
    """A group has lengths of its own: what turns its edges into those of the slide."""
    frame = group._element.grpSpPr.find(f"{DRAWING}xfrm")
    offset, extent = (None, None) if frame is None else (frame.find(f"{DRAWING}chOff"), frame.find(f"{DRAWING}chExt"))
    if offset is None or extent is None or None in box:
        return list
    first = [int(offset.get("x")), int(offset.get("y"))]
    scales = [size / (int(extent.get(name)) or 1) for size, name in zip(box[2:], ("cx", "cy"), strict=True)]

    def place(edges: Edges) -> Edges:
        if None in edges:
            return edges
        corner = [round(box[n] + (edges[n] - first[n]) * scales[n]) for n in (0, 1)]
        return [*corner, *(round(edges[n + 2] * scales[n]) for n in (0, 1))]

    return place


def describe_shape(shape: Any, box: Edges) -> dict[str, Any]:
    return {
        "id": shape.shape_id,
        "name": shape.name,
        "kind": str(shape.shape_type).partition(" ")[0] if shape.shape_type is not None else "",
        "placeholder": str(shape.placeholder_format.type).partition(" ")[0] if shape.is_placeholder else "",
        "box": [points(edge) for edge in box],
        "hidden": shape._element._nvXxPr.cNvPr.get("hidden") in ("1", "true"),
        "angle": round(getattr(shape, "rotation", 0) or 0, 1),
        "fill": describe_fill(shape),
        "links": sorted(list_links(shape)),
        "details": {name: said for name, said in list_details(shape) if said},
        "grows": shape.has_text_frame and shape.text_frame.auto_size == MSO_AUTO_SIZE.SHAPE_TO_FIT_TEXT,
        "wraps": not (shape.has_text_frame and shape.text_frame.word_wrap is False),
        "paragraphs": [describe_paragraph(each) for each in shape.text_frame.paragraphs]
        if shape.has_text_frame
        else [],
        "picture": hashlib.sha256(shape.image.blob).hexdigest() if has_picture(shape) else "",
        "table": [[cell.text for cell in row.cells] for row in shape.table.rows] if has(shape, "has_table") else [],
        "chart": describe_chart(shape.chart) | {"backed": is_backed(shape.chart.part)}
        if has(shape, "has_chart")
        else None,
    }


def list_slide_details(slide: Any) -> Any:
    """What a slide says of itself beside its shapes."""
    ground = slide._element.find(f"{PRESENTATION}cSld/{PRESENTATION}bg")
    yield "background", "" if ground is None else tell_colours(ground)
    moving = {each.get("spid") for each in slide._element.iter(f"{PRESENTATION}spTgt")}
    yield "things that move", str(len(moving)) if moving else ""


def list_details(shape: Any) -> Any:
    """What a shape says of itself beside what is compared between all decks."""
    if hasattr(shape, "shapes"):
        return
    looks = shape._element.find(f"{PRESENTATION}spPr")
    yield "filled and lined", "" if looks is None else " ".join(map(tell_paint, looks)).strip()
    cut = shape._element.find(f"{PRESENTATION}blipFill/{DRAWING}srcRect")
    yield "cut", "" if cut is None else " ".join(f"{side}{round(int(by) / 1000)}" for side, by in sorted(cut.items()))
    if shape.has_text_frame:
        paragraphs = shape.text_frame.paragraphs
        yield "lines are set", " ".join(tell_setting(each) for each in paragraphs).strip()
        yield "letters", "; ".join(filter(None, map(tell_letters, paragraphs)))
    if has(shape, "has_table"):
        yield "cells are filled", " ".join(tell_colours(cell) for cell in shape._element.iter(f"{DRAWING}tcPr")).strip()

    if has(shape, "has_chart"):
        yield "chart has the colours", tell_colours(shape.chart._chartSpace)


def tell_paint(element: Any) -> str:
    """With what a fill or a line is drawn."""
    name = etree.QName(element).localname
    return f"{name} {tell_colours(element)}".strip() if name in PAINTS else ""


def tell_setting(paragraph: Any) -> str:
    return str(paragraph._p.pPr.get("algn") or "") if paragraph._p.pPr is not None else ""


def tell_letters(paragraph: Any) -> str:
    """The looks of letters, run by run; empty where all are alike, which is told elsewhere."""
    spans: list[tuple[Any, int]] = []
    for run in paragraph.runs:
        font = run.font
        looks = (font.bold, font.italic, bool(font.underline), font.size and font.size.pt, font.name, colour_of(run))
        if run.text and spans and spans[-1][0] == looks:
            spans[-1] = (looks, spans[-1][1] + len(run.text))
        elif run.text:
            spans.append((looks, len(run.text)))
    plain = len(spans) < 2 and not any(looks[2] for looks, _ in spans)
    return "" if plain else ", ".join(f"{length} {looks}" for looks, length in spans)


def tell_colours(element: Any) -> str:
    """The colours that an element names, in their order."""
    found = (each.get("val", "") for each in element.iter(f"{DRAWING}srgbClr", f"{DRAWING}schemeClr"))
    return " ".join(found)


def describe_fill(shape: Any) -> str:
    """The colour that the shape itself says, `none` where it says that there is none; empty for all else."""
    looks = shape._element.find(f"{PRESENTATION}spPr")
    if looks is None:
        return ""
    colour = looks.find(f"{DRAWING}solidFill/{DRAWING}srgbClr")
    if colour is not None:
        return str(colour.get("val")).upper() + tell_opacity(colour)
    return "none" if looks.find(f"{DRAWING}noFill") is not None else ""


def tell_opacity(colour: Any) -> str:
    """How much of a colour can be seen, where it is not all of it."""
    alpha = colour.find(f"{DRAWING}alpha")
    percent = 100 if alpha is None else round(int(alpha.get("val", "100000")) / 1000)
    return f" at {percent}%" if percent < 100 else ""


def list_links(shape: Any) -> set[str]:
    """The addresses outside the deck that a click leads to; those of a group's shapes are theirs."""
    if hasattr(shape, "shapes"):
        return set()
    relations = shape.part.rels
    clicks = (each.get(RELATION_ID) for each in shape._element.iter(f"{DRAWING}hlinkClick"))
    found = (relations[each] for each in clicks if each and each in relations)
    return {each.target_ref.rstrip("/") for each in found if each.is_external}


def has(shape: Any, what: str) -> bool:
    return bool(getattr(shape, what, False))


def has_picture(shape: Any) -> bool:
    try:
        return bool(shape.image.blob)
    except (AttributeError, ValueError, KeyError):
        return False


def describe_paragraph(paragraph: Any) -> dict[str, Any]:
    """Its text and level, and the looks that its runs have of their own; None where they have the layout's."""
    runs = [run for run in paragraph.runs if run.text.strip()]
    return {
        "text": paragraph.text,
        "level": paragraph.level,
        "bold": alike(run.font.bold for run in runs),
        "italic": alike(run.font.italic for run in runs),
        "size": alike(run.font.size.pt if run.font.size else None for run in runs),
        "font": alike(run.font.name for run in runs),
        "colour": alike(colour_of(run) for run in runs),
    }


def alike(values: Any) -> Any:
    """What all are; None where they differ."""
    found = set(values)
    return found.pop() if len(found) == 1 else None


def colour_of(run: Any) -> str | None:
    """The colour that a run has of its own, and how much of it can be seen; `none` for letters without a fill."""
    looks, font = run._r.rPr, run.font
    if looks is None:
        return None
    if looks.find(f"{DRAWING}noFill") is not None:
        return "none"
    colour = looks.find(f"{DRAWING}solidFill/*")
    opacity = tell_opacity(colour) if colour is not None else ""
    try:
        return f"{font.color.rgb}{opacity}" if font.color is not None and font.color.type is not None else None
    except AttributeError:  # a colour of the theme
        return f"{font.color.theme_color}{opacity}"


def describe_chart(chart: Any) -> dict[str, Any]:
    try:
        plots = list(chart.plots)
    except ValueError:  # of a kind that the library does not know, such as bars in three dimensions
        return describe_strange_chart(chart._chartSpace)
    return {
        "kind": str(chart.chart_type).partition(" ")[0],
        "categories": [str(category) for category in plots[0].categories] if plots else [],
        "series": {str(series.name): list(series.values) for plot in plots for series in plot.series},
    }


def describe_strange_chart(space: Any) -> dict[str, Any]:
    """What the elements of a chart say: its series with their names, categories and values."""

    def read(series: Any, part: str) -> list[str]:
        return [each.text or "" for each in series.iterfind(f"{CHART}{part}//{CHART}v")]

    found = list(space.iter(f"{CHART}ser"))
    return {
        "kind": next((etree.QName(each.getparent()).localname for each in found), ""),
        "categories": read(found[0], "cat") if found else [],
        "series": {" ".join(read(each, "tx")): [float(value) for value in read(each, "val")] for each in found},
    }


def is_theme(name: str) -> bool:
    return name.startswith("ppt/theme/theme") and name.endswith(".xml")


def describe_theme(xml: bytes) -> list[str]:
    """Its colours and fonts: what a theme means to slides, however it is written down."""
    root = ElementTree.fromstring(xml)
    colours = [
        colour.get("lastClr") or colour.get("val") or ""
        for scheme in root.iter(f"{DRAWING}clrScheme")
        for role in scheme
        for colour in role
    ]
    fonts = [
        latin.get("typeface") or ""
        for kind in ("majorFont", "minorFont")
        for font in root.iter(f"{DRAWING}{kind}")
        for latin in font.iter(f"{DRAWING}latin")
    ]
    return [*colours, *fonts]


def points(length: int | None) -> float | None:
    return None if length is None else round(Emu(length) / POINT, 1)


if __name__ == "__main__":
    path, out = Path(sys.argv[1]), Path(sys.argv[2])
    why = refuse(path)
    if not why:
        try:
            out.write_text(json.dumps(describe(path)))
        except Exception as fault:  # a file can be wrong in more ways than its reader has names for
            why = f"the deck cannot be read: {type(fault).__name__}: {fault}"[:500]
    if why:
        out.write_text(json.dumps({"fault": why}))
