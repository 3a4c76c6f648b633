"""Other values for places in which right code is known to fail one, made as they are needed, other ones each time."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from itertools import chain, islice
from random import Random

from crucible.domains.code.altering import group_by_test
from crucible.domains.code.suite import SuiteParams
from crucible.domains.code.twins import Twin
from verifiers.twins.drafting import draft_twins
from verifiers.twins.values.known_values import NUMBER, move_space, repeat_word
from verifiers.twins.values.literals import alter_digit, alter_end, alter_number, swap_case, swap_letters

DRAFTS = 3
"""How often other values are looked for at most."""
NEAR = (move_space, repeat_word, swap_case, alter_end, alter_digit)
"""What code that has its answer but for how it is written holds to be right, as likely as not."""
NEAREST = (alter_digit, alter_end, swap_letters)
"""What code believes that knows all but one sign of its answer, or of which signs that consists."""
KEPT_SHARE = 0.25
"""How many of the values that nobody has tried stay as they were drafted."""
QUOTED = re.compile(r"""^.?(["'`])[^"'`]*\1.?$""", re.DOTALL)
# matches: ("full")  'full'
LISTED = re.compile(r"""(?:\d+|"[^"\\]*"|'[^'\\]*')(?:\s*,\s*(?:\d+|"[^"\\]*"|'[^'\\]*'))+""")
# matches what two neighbours are exchanged in: 5, 4  'a', "b"


class Drafts:
    """Other values for the places of a suite's tests. Files are read only when the values so far do not do: to read
    them takes longer than to draw from them."""

    def __init__(self, params: SuiteParams, random: Random) -> None:
        self._files = {**params.tests, **params.inline}
        self._random = random
        self._drafted: list[dict[tuple[str, int, int], list[str]]] = []

    def list_texts(self, twin: Twin) -> Iterator[str]:
        """Those for the place of a twin."""
        for number in range(DRAFTS):
            if number == len(self._drafted):
                self._drafted.append(self._draft())
            yield from self._drafted[number].get(_spot(twin), ())

    def _draft(self) -> dict[tuple[str, int, int], list[str]]:
        texts: dict[tuple[str, int, int], list[str]] = {}
        for twin in draft_twins(self._files, seed=str(self._random.random())):
            texts.setdefault(_spot(twin), []).append(twin.text)
        return texts


def draw_values(
    params: SuiteParams, twins: Iterable[Twin], tried: Collection[Twin], random: Random, drafts: Drafts | None = None
) -> list[Twin]:
    """Other values than those that were tried in the places of these twins; of each test in the place with the fewest
    so far. Texts are altered widely and nearly by turns: code that knows its answer but for a little believes a text
    that is the right one but for a little."""
    files = {**params.tests, **params.inline}
    drafts = drafts or Drafts(params, random)
    counts = Counter(_spot(twin) for twin in tried)
    places = {twin.place for twin in tried}
    found: list[Twin] = []
    for twin in (twin for twin in twins if twin.is_value and not (twin.is_near or twin.gone)):
        far, near = drafts.list_texts(twin), _list_near(files[twin.path], twin, random)
        texts = chain(near, far) if counts[_spot(twin)] % 2 else chain(far, near)
        values = (twin.model_copy(update={"text": text, "shown": ""}) for text in texts if text)
        found += [*islice((value for value in values if value.place not in places), 1)]
    random.shuffle(found)
    groups = group_by_test(sorted(found, key=lambda twin: counts[_spot(twin)])).values()
    return [group[0] for group in groups]


def draw_near(params: SuiteParams, twins: Iterable[Twin], random: Random, runs: int) -> list[list[Twin]]:
    """For so many runs a value near the right one in the place of each of these twins, by another rule in each run; for
    what is no text any other value, in the first."""
    files, drafts = {**params.tests, **params.inline}, Drafts(params, random)
    draws: list[list[Twin]] = [[] for _ in range(runs)]
    for twin in twins:
        texts = list(dict.fromkeys(filter(None, _list_near(files[twin.path], twin, random)[: len(NEAR)])))
        values = [twin.model_copy(update={"text": text, "shown": ""}) for text in texts if text != twin.text]
        values = values or draw_values(params, [twin], [twin], random, drafts)
        for draw, value in zip(draws, values, strict=False):
            draw.append(value)
    return [draw for draw in draws if draw]


def vary_unproven(params: SuiteParams, twins: Iterable[Twin], random: Random) -> list[Twin]:
    """The twins; most of those that nobody has tried, by chance, with the right value but for a digit, or its end: code
    that knows the rest of its answer believes no other."""
    files = {**params.tests, **params.inline}
    return [
        twin if twin.is_proven or random.random() < KEPT_SHARE else _move_near(twin, files[twin.path], random)
        for twin in twins
    ]


def list_variants(params: SuiteParams, twins: Iterable[Twin], random: Random) -> list[Twin]:
    """Each of the twins, and besides it one for each value in its place that differs from the right one in one sign."""
    files = {**params.tests, **params.inline}
    texts = {twin: dict.fromkeys([twin.text, *_list_nearest(twin, files[twin.path], random)]) for twin in twins}
    return [twin.model_copy(update={"text": text, "shown": ""}) for twin in texts for text in texts[twin]]


def _move_near(twin: Twin, file: str, random: Random) -> Twin:
    """The twin with a value that differs from the right one in one sign, where that is a text or a number."""
    return twin.model_copy(update={"text": next(iter(_list_nearest(twin, file, random)), twin.text)})


def _list_nearest(twin: Twin, file: str, random: Random) -> list[str]:
    """Values that differ from the right one in a digit, the end or the order of two signs; none for what is no text,
    number or list of such: code may hold any list to be right that begins as it should."""
    before = file[twin.start : twin.end]
    if QUOTED.match(file[max(0, twin.start - 1) : twin.end + 1]):
        return [text for make in NEAREST if (text := make(before, random))]
    if LISTED.fullmatch(before):
        return [text for text in [alter_end(before, random)] if text]
    return [text for text in [alter_number(before, random)] if text] if NUMBER.fullmatch(before) else []


def _list_near(file: str, twin: Twin, random: Random) -> list[str]:
    """The expected text but for a little, by each rule in turn; none where no text is expected."""
    if not QUOTED.match(file[max(0, twin.start - 1) : twin.end + 1]):
        return []
    before = file[twin.start : twin.end]
    return [make(before, random) for _ in range(DRAFTS) for make in random.sample(NEAR, len(NEAR))]


def _spot(twin: Twin) -> tuple[str, int, int]:
    return twin.path, twin.start, twin.end
