"""Topics have slides of their own, with their figures on them."""

from __future__ import annotations

from crucible.domains.office.decks.content import assign_slides, miss_topics
from crucible.domains.office.decks.deck import Deck, Slide
from crucible.domains.office.decks.spec import Topic
from tests.crucible.domains.office.decks.printed import text_shape

TOPICS = (Topic(title="Visits", figures=("48,210",)), Topic(title="Loans", figures=("310",)))
FRAME = (40.0, 90.0, 400.0, 40.0)


def miss(*texts: str) -> list[list[str]]:
    slides = tuple(Slide(layout="Blank", shapes=(text_shape(1, text, FRAME),)) for text in texts)
    return miss_topics(Deck(width=720, height=540, slides=slides), TOPICS)


def test_each_topic_has_its_slide() -> None:
    assert miss("Library", "Visits rose to 48 210", "Loans: 310") == [[], []]


def test_an_agenda_does_no_harm() -> None:
    assert miss("Visits, Loans", "Visits rose to 48,210 while loans fell", "Loans: 310") == [[], []]


def test_everything_on_one_slide_is_no_slide_of_its_own() -> None:
    [one, other] = miss("Visits 48,210, Loans 310", "More to come", "Thank you")
    assert [one, other].count([]) == 1
    assert ["it has no slide of its own: another topic stands there too"] in (one, other)


def test_figures_elsewhere_are_missing() -> None:
    assert miss("48,210 and 310", "Visits", "Loans") == [["48,210 is not there"], ["310 is not there"]]


def test_a_topic_that_no_slide_names_is_missing() -> None:
    assert miss("Visits 48,210", "310") == [[], ["no slide says 'Loans'"]]


def test_slides_are_assigned_so_that_most_topics_have_one() -> None:
    assert assign_slides([[0, 1], [0], [1, 2]]) == {0: 1, 1: 0, 2: 2}
