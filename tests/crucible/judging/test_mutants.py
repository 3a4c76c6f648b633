"""Tests of the checks: spoilt work must be rejected by the criterion that is about it."""

from __future__ import annotations

import pytest

from crucible.judging.cascade import Judging
from crucible.judging.judges import identify_nobody
from crucible.judging.mutants import list_mutations
from crucible.judging.soundness import Play, proof_key, prove
from crucible.proving import Mutant
from crucible.sandbox import World
from crucible.store.blobs import Blobs
from tests.crucible import toys


async def test_a_proof_tells_which_spoilt_work_was_noticed(play: Play, world: World, blobs: Blobs) -> None:
    task = toys.task("toy.cheap", "toy.spoilt")
    _, proof = await prove(task, play, Judging(world, blobs), repeats=1, probes=False, mutants=9)
    assert proof.settled[0].mutants == ()
    assert proof.settled[1].mutants == (
        Mutant(name="other word", verifier="toy.spoilt", caught_by="state is right"),
        Mutant(name="another file", verifier="toy.spoilt"),
        Mutant(name="other criterion", verifier="toy.spoilt"),
    )
    assert (proof.mutants, proof.mutation_score) == (3, pytest.approx(1 / 3, abs=1e-3))


async def test_nothing_is_spoilt_unless_asked_for(play: Play, world: World, blobs: Blobs) -> None:
    _, proof = await prove(toys.task("toy.spoilt"), play, Judging(world, blobs), repeats=1, probes=False)
    assert (proof.mutants, proof.mutation_score) == (0, None)


def test_of_many_ways_some_are_drawn_for_each_task() -> None:
    task = toys.task("toy.spoilt")
    assert len(list_mutations(task, 9)) == 4
    assert len(list_mutations(task, 2)) == 2
    assert list_mutations(task, 2) == list_mutations(task, 2)


def test_a_proof_without_spoilt_work_is_not_taken_for_one_with() -> None:
    task = toys.task("toy.spoilt")
    assert proof_key(task, 1, False, identify_nobody, 0) != proof_key(task, 1, False, identify_nobody, 9)
