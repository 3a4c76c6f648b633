"""Boxes: what they share, what lies over what, what is aligned, and the distances between them."""

from __future__ import annotations

from crucible.domains.looks.geometry import Box, common_area, find_overlaps, gaps_between, is_aligned, surround


def test_boxes_that_only_touch_share_nothing() -> None:
    assert common_area(Box(0, 0, 10, 10), Box(10, 0, 10, 10)) == 0
    assert common_area(Box(0, 0, 10, 10), Box(5, 5, 10, 10)) == 25


def test_overlaps_are_pairs_of_different_owners_that_share_enough() -> None:
    placed = [(Box(0, 0, 100, 20), "a"), (Box(50, 5, 100, 20), "b"), (Box(0, 2, 100, 20), "a"), (Box(0, 60, 9, 9), "c")]
    owners = {(one[1], other[1]) for one, other in find_overlaps(placed, least_share=0.1, least_area=50)}
    assert owners == {("a", "b")}
    assert not list(find_overlaps(placed, least_share=0.9, least_area=50))


def test_a_box_is_aligned_when_enough_others_share_one_of_its_lines() -> None:
    others = [Box(20, 100, 200, 10), Box(21, 150, 80, 10), Box(300, 7, 80, 10)]
    assert is_aligned(Box(20, 0, 50, 10), others, tolerance=1.5, company=2)
    assert not is_aligned(Box(33, 0, 51, 11), others, tolerance=1.5, company=1)


def test_distances_are_those_of_a_column_or_a_row_and_of_nothing_else() -> None:
    assert gaps_between([Box(0, 0, 10, 10), Box(0, 14, 10, 10), Box(3, 30, 10, 10)]) == [4, 6]
    assert gaps_between([Box(0, 0, 10, 10), Box(12, 3, 10, 10)]) == [2]
    assert gaps_between([Box(0, 0, 10, 10), Box(5, 5, 10, 10)]) == []


def test_the_box_around_boxes_is_the_smallest() -> None:
    assert surround([Box(5, 5, 10, 10), Box(0, 8, 2, 20)]) == Box(0, 5, 15, 23)
