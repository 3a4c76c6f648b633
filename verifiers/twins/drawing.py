"""Which alterations are laid in at once: at most one of a test, and of several tests one stays as it is.

A test that stays must pass while the others fail: whoever finds out that a run is one of twins still has to tell
which of the tests was altered.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from crucible.domains.code.suite import SuiteParams
from crucible.domains.code.twins import Twin
from verifiers.twins.drafting import group_by_test
from verifiers.twins.names import is_in_test


def draw_twins(twins: Sequence[Twin], random: Random) -> tuple[Twin, ...]:
    """One alteration of each test, an expected value where there is one; of three tests or more one is spared, of two
    one or none."""
    groups = list(group_by_test(twins).values())
    spared = 1 if len(groups) > 2 else random.randrange(len(groups)) if groups else 0
    return tuple(random.choice(_best_twins(group)) for group in random.sample(groups, len(groups) - spared))


def _best_twins(group: Sequence[Twin]) -> Sequence[Twin]:
    """Those that alter an expected value: an object that equals everything passes them, and fails the others."""
    return [twin for twin in group if twin.is_value] or group


def hidden_first(params: SuiteParams, twins: Sequence[Twin]) -> Sequence[Twin]:
    """Those in tests that an attempt cannot know, the ones that must start to pass. Only where there are none, those in
    the others: an attempt that knows how a test was can see that it was altered."""
    return [twin for twin in twins if any(is_in_test(twin, test) for test in params.fail_to_pass)] or twins
