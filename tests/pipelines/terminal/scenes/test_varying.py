"""Other scenes of the same shape."""

from __future__ import annotations

import pytest

from pipelines.terminal.scenes.varying import Variation


@pytest.mark.parametrize("seed", range(1, 7))
def test_different_words_become_different_words(seed: int) -> None:
    others = Variation(frozenset(), seed).vary_words("one two three first second third north south").split()
    assert len(set(others)) == 8
