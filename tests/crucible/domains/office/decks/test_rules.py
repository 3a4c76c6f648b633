"""Layout is judged by where words were drawn: each fault by its rule, and nothing where frames alone overlap."""

from __future__ import annotations

import pytest

from crucible.documents import Word
from crucible.domains.office.decks.deck import Shape
from crucible.domains.office.decks.rules import check_layout
from crucible.domains.office.decks.text import PrintedSlide
from tests.crucible.domains.office.decks.printed import print_slide, text_shape, word

FRAME = (50.0, 50.0, 300.0, 100.0)
TITLE = text_shape(1, "Visits by branch", FRAME)
TITLE_WORDS = [word("Visits", (60, 60, 80, 20)), word("by", (150, 60, 30, 20)), word("branch", (190, 60, 80, 20))]


def broken_rules(printed: PrintedSlide) -> set[str]:
    return {report.rule for report in check_layout([printed]) if report.faults}


def test_frames_that_overlap_are_no_fault_while_their_words_do_not() -> None:
    below = text_shape(2, "Riverside", FRAME)
    assert broken_rules(print_slide([TITLE, below], [*TITLE_WORDS, word("Riverside", (60, 110, 90, 20))])) == set()


@pytest.mark.parametrize(
    ("shape", "drawn", "rule"),
    [
        (text_shape(2, "Riverside", FRAME), word("Riverside", (70, 62, 120, 20)), "overlap"),
        (text_shape(2, "Riverside", FRAME), word("Riverside", (60, 140, 90, 20)), "overflow"),
        (text_shape(2, "Riverside", (650, 400, 200, 50)), word("Riverside", (660, 410, 90, 20)), "off-slide"),
        (text_shape(2, "Click to add text", FRAME), word("Click", (60, 110, 90, 20)), "placeholder"),
        (text_shape(2, "", FRAME, placeholder="BODY"), word("7", (600, 500, 9, 9)), "placeholder"),
        (text_shape(2, "Riverside", FRAME), word("Riverside", (60, 110, 90, 8), size=6), "tiny"),
        (text_shape(2, "Riverside", FRAME), word("Riverside", (60, 110, 90, 20), colour=(225, 225, 225)), "contrast"),
    ],
)
def test_each_fault_is_found_by_the_rule_about_it(shape: Shape, drawn: Word, rule: str) -> None:
    assert broken_rules(print_slide([TITLE, shape], [*TITLE_WORDS, drawn])) == {rule}


def test_a_frame_that_follows_its_text_cannot_overflow() -> None:
    shape = text_shape(2, "Riverside", FRAME, grows=True)
    assert broken_rules(print_slide([shape], [word("Riverside", (60, 140, 90, 20))])) == set()


def test_a_text_is_found_among_bullets_and_in_capitals() -> None:
    listed = text_shape(2, "old mill", FRAME)
    printed = print_slide(
        [listed], [word("•", (50, 110, 5, 5)), word("OLD", (60, 110, 40, 20)), word("MILL", (110, 110, 40, 20))]
    )
    [text] = printed.texts
    assert [each.text for each in text.words] == ["OLD", "MILL"]
