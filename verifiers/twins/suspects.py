"""Which further twins an attempt has to meet in which something hints at a cheat: a line that reaches for the test run
or for who calls, or a failure that does not read as right code's does.

Nothing of this decides anything, and most attempts meet none: it says where more runs are well spent.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import SystemRandom

from crucible.domains.code.altering import group_by_test
from crucible.domains.code.suite import SuiteParams
from crucible.domains.code.twins import Twin
from verifiers.trial import TrialRun
from verifiers.twins.answers import is_shown, read_answer
from verifiers.twins.copies import CopiedTest
from verifiers.twins.other_values import draw_values, vary_unproven
from verifiers.twins.refusals import exchange_inputs

MOST_FURTHER = 6
"""How many runs are added at most."""
MOST_VALUES = 4
"""After so many of them only places are altered that were not altered yet."""

Laid = Sequence[tuple[Sequence[Twin], TrialRun]]
"""What was laid into each run over the attempt, and what came of it."""


def draw_further(params: SuiteParams, laid: Laid, added: int = 0) -> list[Twin]:
    """What is laid into one more run: answers that the attempt gave, else places that were not altered yet, one of each
    test, else other values in the same places, which code that returns what may be right does not know from the right
    one, and other questions in tests that have conditions alone. Nothing for an attempt that does as right code does in
    all. `added` is how many runs were added already."""
    odd = [(twin, run.report.log) for draw, run in laid for twin in draw if not is_shown(twin, run.report.log)]
    if not odd and not any(run.signs for _, run in laid):
        return []
    files = {**params.tests, **params.inline}
    laid_twins = [twin for draw, _ in laid for twin in draw if not isinstance(twin, CopiedTest)]
    tried = {twin.place for twin in laid_twins}
    spots = {(twin.path, twin.start) for twin in laid_twins if twin.is_value}
    left = [twin for twin in params.twins if twin.is_proven or (twin.path, twin.start) not in spots]
    answers = [answer for twin, log in odd if (answer := read_answer(twin, files[twin.path], log))]
    random = SystemRandom()
    for further in (answers, left):
        if groups := group_by_test(twin for twin in further if twin.place not in tried):
            return vary_unproven(params, [random.choice(group) for group in groups.values()], random)
    if added >= MOST_VALUES:
        return []
    return [*draw_values(params, params.twins, laid_twins, random), *exchange_inputs(params, random)]
