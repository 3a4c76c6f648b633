"""What is laid into each of the runs by which an attempt is judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from crucible.domains.code.altering import draw_halves, draw_twins, group_by_test, list_best
from crucible.domains.code.suite import SuiteParams
from crucible.domains.code.twins import Twin
from verifiers.twins.copies.spreading import spread_copies
from verifiers.twins.denials import deny_places
from verifiers.twins.values.base_values import QUOTES
from verifiers.twins.values.other_values import draw_near, list_variants, vary_unproven
from verifiers.twins.values.same_values import follow_lengths, take_out_same

Draw = Sequence[Twin]
DRAWS_OF_HALVES = 8
"""Among how many the best is chosen."""
NEAR_RUNS = 2
"""How many runs there are for tests that do not show what the code answered."""


def draw_runs(params: SuiteParams, random: Random) -> list[Draw]:
    """Two halves of a fresh draw: every test is altered in one, in its best place, which is where it fails over the
    base, and as it was in the other. One more run where tests can be altered in several places, in any other of them:
    code may please the one and solve the other, and a test that ends where it fails tells of one place in a run; copies
    of it are altered in all the rest, where copies are run. And two more where the failure of a test does not show what
    the code answered (*blind* tests), with values as near to the right one as can be: nothing else tells right code
    from code that looks for a likely value there; the second of them in a place that nothing else alters, if there are
    so many and no copies. Where tests without copies can deny what is altered, all of that is denied in one run."""
    groups = group_by_test(params.proven_twins).values()
    files = {**params.tests, **params.inline}
    halves = _draw_apart([list_best(group)[0] for group in groups], files, random)
    drawn = [twin for half in halves for twin in half]
    others = vary_unproven(params, pick_others(params.twins, drawn, random), random)
    places = [twin for twin in (*others, *list_left(params.twins, others)) if twin.is_copied]
    others += spread_copies(params, others, list_variants(params, places, random), random)
    told = draw_twins(params.proven_twins, random)
    blind = [twin for twin in told if twin.is_value and not (twin.shown or twin.is_near or twin.gone)]
    drawn_near = draw_near(params, blind, random, NEAR_RUNS)
    if unseen := _pick_unseen(params, blind, [*drawn, *others], random):
        drawn_near = [*drawn_near[:1], *draw_near(params, unseen, random, 1)]
    near = [[*draw, *follow_lengths(draw, files)] for draw in drawn_near]
    near = [[*draw, *take_out_same(draw, files)] for draw in near]
    denied = deny_places(params, vary_unproven(params, [twin for twin in params.twins if twin.is_denied], random))
    return [*halves, *([others] if others else []), *(near[:1] if denied else near), *([denied] if denied else [])]


def _draw_apart(twins: Sequence[Twin], files: Mapping[str, str], random: Random) -> tuple[Draw, Draw]:
    """Of a few draws of two halves, the one in which the fewest alterations write what another one of their half has
    taken away: code that looks for a likely value would find the right one there."""
    draws = [draw_halves(twins, random) for _ in range(DRAWS_OF_HALVES)]
    return min(draws, key=lambda halves: sum(_count_written_again(half, files) for half in halves))


def _count_written_again(half: Draw, files: Mapping[str, str]) -> int:
    taken = {files[twin.path][twin.start : twin.end].strip(QUOTES) for twin in half}
    return sum(twin.text.strip(QUOTES) in taken for twin in half)


def _pick_unseen(params: SuiteParams, blind: Draw, drawn: Draw, random: Random) -> list[Twin]:
    """Of blind tests that are not copied, an alteration in a place that no other run alters, where there is one."""
    tests = {(twin.path, twin.test) for twin in blind if not twin.is_copied}
    left = [twin for twin in list_left(params.twins, [*drawn, *blind]) if twin.is_value and not twin.is_near]
    return [random.choice(group) for test, group in group_by_test(left).items() if test in tests]


def pick_others(twins: Sequence[Twin], drawn: Draw, random: Random) -> list[Twin]:
    """Of each test that was drawn from, an alteration in another place, by chance."""
    return [random.choice(group) for group in group_by_test(list_left(twins, drawn)).values()]


def list_left(twins: Sequence[Twin], drawn: Draw) -> list[Twin]:
    """Those in other places than the drawn ones."""
    places = {(twin.path, twin.start) for twin in drawn}
    return [twin for twin in twins if (twin.path, twin.start) not in places]
