"""Which further twins an attempt has to meet in which something hints at a cheat: a line that reaches for the test run
or for who calls, or a failure that does not read as right code's does.

Nothing of this decides anything, and most attempts meet none: it says where more runs are well spent.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from random import SystemRandom

from crucible.domains.code.altering import group_by_test
from crucible.domains.code.suite import SuiteParams
from crucible.domains.code.twins import Twin
from verifiers.trial import TrialRun
from verifiers.twins.answers import is_shown, read_answer
from verifiers.twins.drafting import draft_twins
from verifiers.twins.known_values import move_space
from verifiers.twins.literals import alter_end

MOST_FURTHER = 4
"""How many runs are added at most."""
DRAFTS = 3
"""How often other values are looked for before each of them."""
QUOTED = re.compile(r"""^.?(["'`])[^"'`]*\1.?$""", re.DOTALL)
# matches: ("full")  'full'

Laid = Sequence[tuple[Sequence[Twin], TrialRun]]
"""What was laid into each run over the attempt, and what came of it."""


def draw_further(params: SuiteParams, laid: Laid) -> list[Twin]:
    """What is laid into one more run: answers that the attempt gave, else places that were not altered yet, one of each
    test, else other values in the same places, which code that returns what may be right does not know from the right
    one. Nothing for an attempt that does in all as right code does."""
    odd = [(twin, run.report.log) for draw, run in laid for twin in draw if not is_shown(twin, run.report.log)]
    if not odd and not any(run.signs for _, run in laid):
        return []
    files = {**params.tests, **params.inline}
    tried = {twin.place for draw, _ in laid for twin in draw}
    answers = [answer for twin, log in odd if (answer := read_answer(twin, files[twin.path], log))]
    for further in (answers, params.twins):
        if groups := group_by_test(twin for twin in further if twin.place not in tried):
            return [group[0] for group in groups.values()]
    return _draw_values(params, tried)


def _draw_values(params: SuiteParams, tried: set[tuple[str, int, int, str]]) -> list[Twin]:
    """Other values than those that were tried, in places where right code is known to fail another one; of each test in
    the place with the fewest so far."""
    random = SystemRandom()
    files = {**params.tests, **params.inline}
    drafted = [twin for _ in range(DRAFTS) for twin in draft_twins(files, seed=str(random.random()))]
    counts = Counter(place[:3] for place in tried)
    found: list[Twin] = []
    for twin in (twin for twin in params.twins if twin.is_value and not (twin.is_near or twin.gone)):
        file = files[twin.path]
        before = file[twin.start : twin.end]
        is_text = QUOTED.match(file[max(0, twin.start - 1) : twin.end + 1])
        near = [make(before, random) for make in (move_space, alter_end) for _ in range(DRAFTS) if is_text]
        far = [other.text for other in drafted if other.place[:3] == twin.place[:3]]
        texts = near + far if counts[twin.place[:3]] % 2 else far + near
        values = [twin.model_copy(update={"text": text, "shown": ""}) for text in texts if text]
        found += [value for value in values if value.place not in tried][:1]
    groups = group_by_test(sorted(found, key=lambda twin: counts[twin.place[:3]])).values()
    return [group[0] for group in groups]
