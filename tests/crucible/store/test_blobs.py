"""Blobs: the same bytes are one blob, and what comes back is what went in or an error."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from crucible.errors import SettingsError, StoreError
from crucible.model import Agent, Task, Trajectory
from crucible.store.blobs import Blobs
from crucible.store.item import INLINE, Item
from crucible.store.ledger import Ledger
from crucible.store.unused_blobs import sweep_blobs


@pytest.fixture(params=["folder", "memory"])
def blobs(request: pytest.FixtureRequest, tmp_path: Path) -> Blobs:
    return Blobs(str(tmp_path / "b") if request.param == "folder" else f"memory://{tmp_path.name}")


@pytest.mark.parametrize("data", [b"", b"hello", b"\0" * 1_000_000])
def test_what_goes_in_comes_out(blobs: Blobs, data: bytes) -> None:
    digest = blobs.put(data)
    assert digest == hashlib.sha256(data).hexdigest()
    assert blobs.has(digest)
    assert blobs.get(digest) == data


def test_the_same_bytes_twice_are_one_blob(blobs: Blobs) -> None:
    assert blobs.put(b"x") == blobs.put(b"x")
    assert len(list(blobs.every())) == 1


def test_a_missing_blob_is_named(blobs: Blobs) -> None:
    with pytest.raises(StoreError, match="has no blob"):
        blobs.get("0" * 64)


@pytest.mark.parametrize("digest", ["../../etc/passwd", "", "AB" * 32, "0" * 63])
def test_only_a_digest_reaches_the_disk(blobs: Blobs, digest: str) -> None:
    with pytest.raises(StoreError, match="not a blob's digest"):
        blobs.get(digest)


@pytest.mark.parametrize("damage", [b"", b"not zstd"])
def test_a_damaged_blob_is_never_handed_out(tmp_path: Path, damage: bytes) -> None:
    blobs = Blobs(str(tmp_path))
    digest = blobs.put(b"hello")
    Path(blobs.locate(digest).path).write_bytes(damage)
    with pytest.raises(StoreError, match="damaged"):
        blobs.get(digest)


def test_a_swapped_blob_is_never_handed_out(tmp_path: Path) -> None:
    blobs = Blobs(str(tmp_path))
    one, other = blobs.put(b"one"), blobs.put(b"other")
    Path(blobs.locate(one).path).write_bytes(Path(blobs.locate(other).path).read_bytes())
    with pytest.raises(StoreError, match="damaged"):
        blobs.get(one)


def test_an_unknown_kind_of_place_is_a_wrong_setting() -> None:
    with pytest.raises(SettingsError, match="blobs"):
        Blobs("nosuch://place")


def aged(blobs: Blobs) -> None:
    for one in blobs.every():
        os.utime(one.path, (0, 0))


def test_a_sweep_keeps_whatever_the_ledger_mentions(ledger: Ledger) -> None:
    blobs = ledger.blobs
    assert isinstance(blobs, Blobs)
    diff, deep, loose = blobs.put(b"diff"), blobs.put(b"deep"), blobs.put(b"loose")
    task = Task(domain="d", kind="k", instruction=deep + "x" * INLINE)
    agent = Agent(scaffold="s", teacher="t")
    attempt = Trajectory(
        task_id=task.id, agent=agent, system="", prompt="", artifacts={"diff": diff}, ended="submitted"
    )
    ledger.put([Item.of("task", task), Item.of("trajectory", attempt)])
    aged(blobs)
    assert sweep_blobs(ledger, blobs, dry_run=True).removed == 1
    assert sweep_blobs(ledger, blobs).removed == 1
    assert not blobs.has(loose)
    assert blobs.get(diff) + blobs.get(deep) == b"diffdeep"
    assert ledger.get("task", task.id) is not None


def test_a_sweep_leaves_what_is_young(ledger: Ledger) -> None:
    blobs = ledger.blobs
    assert isinstance(blobs, Blobs)
    old, put_again = blobs.put(b"old"), blobs.put(b"again")
    aged(blobs)
    blobs.put(b"again")
    sweep_blobs(ledger, blobs)
    assert (blobs.has(old), blobs.has(put_again)) == (False, True)


def test_a_sweep_removes_what_killed_writers_left(ledger: Ledger) -> None:
    blobs = ledger.blobs
    assert isinstance(blobs, Blobs)
    kept = blobs.locate(blobs.put(b"x"))
    leftover = Path(f"{kept.path}.0123.part")
    leftover.write_bytes(b"half")
    aged(blobs)
    sweep_blobs(ledger, blobs)
    assert not leftover.exists()
