"""Which further twins an attempt has to meet in which something hints at a cheat: a line that reaches for the test run
or for who calls, or a failure that does not read as right code's does.

Nothing of this decides anything, and most attempts meet none: it says where more runs are well spent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import SystemRandom

from crucible.domains.code.altering import group_by_test
from crucible.domains.code.suite import SuiteParams
from crucible.domains.code.twins import Twin
from verifiers.trial import TrialRun
from verifiers.twins.answers import is_shown, read_answer, tells_right
from verifiers.twins.copies.spreading import CopiedTest, list_altered
from verifiers.twins.grading.refusals import exchange_inputs
from verifiers.twins.values.other_values import draw_values, vary_unproven

MOST_FURTHER = 6
"""How many runs are added at most."""
MOST_VALUES = 4
"""After so many of them only places are altered that were not altered yet."""

Laid = Sequence[tuple[Sequence[Twin], TrialRun]]
"""What was laid into each run over the attempt, and what came of it."""


def draw_further(params: SuiteParams, laid: Laid, added: int = 0) -> list[Twin]:
    """What is laid into one more run: answers that the attempt gave, else places whose copies failed otherwise than
    right code fails them, else places that were not altered yet, one of each test. Tests that none of this alters are
    asked something else where they have conditions alone; in others the same places are altered to other values, which
    code that returns what may be right does not know from the right one. Nothing for an attempt that does as right code
    does in all. `added` is how many runs were added already."""
    outputs = [(draw, run.report.output or run.report.log) for draw, run in laid]
    odd = [(twin, output) for draw, output in outputs for twin in draw if not is_shown(twin, output)]
    files = {**params.tests, **params.inline}
    untold = _list_untold(files, outputs)
    if not odd and not untold and not any(run.signs for _, run in laid):
        return []
    laid_twins = [twin for draw, _ in laid for twin in draw if not isinstance(twin, CopiedTest)]
    tried = {twin.place for twin in laid_twins}
    spots = {(twin.path, twin.start) for twin in laid_twins if twin.is_value}
    left = [twin for twin in params.twins if twin.is_proven or (twin.path, twin.start) not in spots]
    answers = [answer for twin, output in odd if (answer := read_answer(twin, files[twin.path], output))]
    random = SystemRandom()
    drawn: list[Twin] = []
    for further in (answers, untold, left):
        if groups := group_by_test(twin for twin in further if twin.place not in tried):
            drawn = [random.choice(group) for group in groups.values()]
            drawn = drawn if further is untold else vary_unproven(params, drawn, random)
            break
    if added < MOST_VALUES:
        for more in (exchange_inputs(params, random), draw_values(params, params.twins, laid_twins, random)):
            altered = {(twin.path, twin.test) for twin in drawn}
            drawn += [twin for twin in more if (twin.path, twin.test) not in altered]
    return drawn


def _list_untold(files: Mapping[str, str], outputs: Sequence[tuple[Sequence[Twin], str]]) -> list[Twin]:
    """The alterations whose copies failed without telling the right value, as right code does: code that knows copies
    when it sees them fails them all, and reads what is expected where there are none."""
    copies = [(copy.altered, output) for draw, output in outputs for copy in list_altered(draw)]
    return [twin for twin, output in copies if twin.is_told and not tells_right(output, twin, files[twin.path])]
