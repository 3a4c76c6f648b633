"""A deck as data: what the service `office` says of a file, and how two slides differ in what they say and show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from pydantic import Field

from crucible.documents import Office
from crucible.record import Record

NEAR_POINTS = 2.0
"""How far the edges of a shape may be apart and count as the same."""
NEAR_DEGREES = 1.0


class BadDeck(Exception):
    """A file that must not or cannot be opened as a deck; says why in one line."""


class Paragraph(Record):
    """One paragraph; looks are None where they are the layout's, or differ within it."""

    text: str
    level: int = 0
    bold: bool | None = None
    italic: bool | None = None
    size: float | None = None
    font: str | None = None
    colour: str | None = None


class ChartData(Record):
    """What a chart draws."""

    kind: str
    categories: tuple[str, ...] = ()
    series: dict[str, tuple[float | None, ...]] = Field(default_factory=dict)
    backed: bool = True
    """Whether the workbook within it, if there is one, has the same values."""


class Shape(Record):
    """One thing on a slide; those of a group stand beside it."""

    id: int
    name: str
    kind: str = ""
    placeholder: str = ""
    """What the layout has it for: `TITLE`, `BODY`; empty for what stands there by itself."""
    box: tuple[float | None, ...] = ()
    """Left, top, width and height on the slide in points; None where they are nowhere said."""
    hidden: bool = False
    angle: float = 0.0
    """By how many degrees it is turned."""
    fill: str = ""
    """The colour it is filled with, `none`, or empty where the layout or a theme says it."""
    links: tuple[str, ...] = ()
    """The addresses that its text and it lead to."""
    details: dict[str, str] = Field(default_factory=dict)
    """What else it says of itself, by name: how a picture is cut, how lines are set, letters within a line, cells."""
    grows: bool = False
    """Whether its frame follows its text."""
    wraps: bool = True
    """Whether lines end at its frame."""
    paragraphs: tuple[Paragraph, ...] = ()
    picture: str = ""
    """The hash of its bytes."""
    table: tuple[tuple[str, ...], ...] = ()
    chart: ChartData | None = None

    @property
    def turned(self) -> bool:
        """Whether it stands at an angle."""
        return bool(self.angle)

    @property
    def text(self) -> str:
        return "\n".join(paragraph.text for paragraph in self.paragraphs)

    @property
    def texts(self) -> tuple[str, ...]:
        """What it says, paragraph by paragraph and cell by cell."""
        cells = (line for row in self.table for cell in row for line in cell.splitlines())
        return (*(paragraph.text for paragraph in self.paragraphs), *cells)

    @property
    def is_empty_placeholder(self) -> bool:
        """Whether the layout keeps a place for something that is not there."""
        furniture = self.placeholder in ("", "DATE", "FOOTER", "HEADER", "SLIDE_NUMBER")
        return not (furniture or "".join(self.texts).strip() or self.picture or self.chart or self.table)


class Slide(Record):
    """One slide."""

    layout: str
    hidden: bool = False
    notes: str = ""
    shapes: tuple[Shape, ...] = ()
    details: dict[str, str] = Field(default_factory=dict)
    """Its background and how many things move, by name."""
    aspects: dict[str, str] = Field(default_factory=dict)
    """What else it has, by name, as hashes, empty for none. Two programs write the same differently."""

    def is_like(self, other: Slide) -> bool:
        """Whether both say and show the same."""
        return not any(list_differences(self, other))


class Deck(Record):
    """What a file holds."""

    width: float
    height: float
    slides: tuple[Slide, ...]
    themes: tuple[tuple[str, ...], ...] = ()
    """The colours and fonts of each."""
    layouts: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    macros: bool = False
    program: str = ""
    """What wrote the file, by what the file says."""

    def list_shown(self) -> list[tuple[int, Slide]]:
        """The slides that are shown, by number: a hidden one is not printed."""
        return [(number, slide) for number, slide in enumerate(self.slides, start=1) if not slide.hidden]


async def read_deck(office: Office, data: bytes) -> Deck:
    """What the file holds. BadDeck when it is none, or must not be opened."""
    found: Any = await office.describe(data, "pptx")
    if "fault" in found:
        raise BadDeck(str(found["fault"]))
    return Deck.model_validate(found)


def list_differences(wanted: Slide, got: Slide, *, closely: bool = False) -> Iterator[str]:
    """How a slide differs from another in what it says and shows, in words; `closely` in its details too."""
    for what in ("layout", "hidden", "notes"):
        if _plain(getattr(wanted, what)) != _plain(getattr(got, what)):
            yield f"{what}: '{getattr(got, what)}' instead of '{getattr(wanted, what)}'"
    ours, theirs = _number_shapes(wanted), _number_shapes(got)
    for key, shape in ours.items():
        if key not in theirs:
            yield f"'{shape.name}' is gone"
            continue
        yield from (f"'{shape.name}': {change}" for change in _list_changes(shape, theirs[key]))
        if closely:
            yield from (
                f"'{shape.name}': {change}" for change in _list_detail_changes(shape.details, theirs[key].details)
            )
    yield from (f"'{shape.name}' is new" for key, shape in theirs.items() if key not in ours)
    if [key for key in ours if key in theirs] != [key for key in theirs if key in ours]:
        yield "things lie over each other in another order"
    if closely:
        yield from _list_detail_changes(wanted.details, got.details)


def _number_shapes(slide: Slide) -> dict[tuple[int, int], Shape]:
    """Shapes by their ids, which real decks give out twice now and then: the second such has another number."""
    seen: Counter[int] = Counter()
    found = {}
    for shape in slide.shapes:
        found[shape.id, seen[shape.id]] = shape
        seen[shape.id] += 1
    return found


def _list_detail_changes(wanted: dict[str, str], got: dict[str, str]) -> Iterator[str]:
    for name in sorted(wanted.keys() | got.keys()):
        if wanted.get(name, "") != got.get(name, ""):
            yield f"{name}: '{got.get(name, '')[:60]}' instead of '{wanted.get(name, '')[:60]}'"


def _list_changes(wanted: Shape, got: Shape) -> Iterator[str]:
    texts = [[" ".join(each.text.split()) for each in shape.paragraphs] for shape in (wanted, got)]
    if texts[0] != texts[1]:
        yield f"says '{got.text[:80]}' instead of '{wanted.text[:80]}'"
    elif wanted.paragraphs != got.paragraphs:
        yield "its text looks different"
    if not _are_near(wanted.box, got.box):
        yield f"lies at {got.box} instead of {wanted.box}"
    for what in ("picture", "table", "chart", "kind", "links"):
        if getattr(wanted, what) != getattr(got, what):
            yield f"its {what} is another"
    if wanted.hidden != got.hidden:
        yield "is hidden" if got.hidden else "is not hidden"
    if wanted.kind != "LINE" and abs((wanted.angle - got.angle + 180) % 360 - 180) > NEAR_DEGREES:
        yield f"is turned by {got.angle:g} degrees instead of {wanted.angle:g}"
    if wanted.fill and got.fill and wanted.fill != got.fill:  # one program writes down what another leaves to the theme
        yield f"is filled with {got.fill} instead of {wanted.fill}"


def _are_near(one: tuple[float | None, ...], other: tuple[float | None, ...]) -> bool:
    pairs = list(zip(one, other, strict=True))
    if any((a is None) != (b is None) for a, b in pairs):
        return False
    return all(a is None or b is None or abs(a - b) <= NEAR_POINTS for a, b in pairs)


def _plain(value: Any) -> Any:
    return " ".join(value.split()) if isinstance(value, str) else value
