"""A walk over a library: weights are kept to, duplicates told, and a later walk goes on where an earlier one ended."""

from __future__ import annotations

from collections import Counter
from itertools import islice

from crucible.mining import Yield
from pipelines.queries.drawing import QueryDraw
from pipelines.queries.library import Library
from pipelines.queries.weights import take_turns


def test_names_are_drawn_as_often_as_their_weights_say() -> None:
    drawn = Counter(islice(take_turns({"a": 1.0, "b": 3.0, "c": 0.5}), 900))
    assert drawn == {"a": 200, "b": 600, "c": 100}


def test_a_walk_goes_on_where_another_one_ended(library: Library) -> None:
    whole = [query for query, _ in islice(QueryDraw.resume(library, {}, 0.9, "").stream(), 40)]
    first = QueryDraw.resume(library, {}, 0.9, "")
    begun = [query for query, _ in islice(first.stream(), 15)]
    later = QueryDraw.resume(library, {}, 0.9, first.place)
    assert begun + [query for query, _ in islice(later.stream(), 25)] == whole


def test_a_repetition_of_an_earlier_walks_query_is_told(library: Library) -> None:
    first = QueryDraw.resume(library, {}, 0.9, "")
    seen = {query.text: query.id for query, twin in islice(first.stream(), 60) if not twin}
    later = islice(QueryDraw.resume(library, {}, 0.9, first.place).stream(), 60)
    repeated = [(seen[query.text], twin) for query, twin in later if query.text in seen]
    assert repeated
    assert all(told == known for known, told in repeated)


def test_what_led_to_accepted_work_is_drawn_more_often(library: Library) -> None:
    meta = library.metas["list-page"]
    other = meta.model_copy(update={"name": "other"})
    both = Library(
        library.authorship, {meta.name: meta, "other": other}, library.pools, library.rules, library.features
    )
    draw = QueryDraw.resume(both, {"other": Yield(drawn=9, accepted=9, factor=3.0)}, 1.0, "")
    assert Counter(query.meta for query, _ in islice(draw.stream(), 400)) == {"other": 300, "list-page": 100}
