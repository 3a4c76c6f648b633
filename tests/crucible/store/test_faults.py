"""A disk that is full, read-only or damaged is one line with a remedy, and costs nothing that was committed."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from crucible.errors import SettingsError, StoreError
from crucible.model import Task
from crucible.running.run import open_run
from crucible.settings import Settings
from crucible.store import database as engine
from crucible.store import funnel
from crucible.store.blobs import Blobs
from crucible.store.item import Item
from crucible.store.ledger import open_ledger
from crucible.store.tables import SCHEMA

Disk = Callable[[str], Path]


def items(n: int, size: int = 1) -> list[Item]:
    made = (Task(domain="swe", kind="bugfix", instruction=f"{number} " + "x" * size) for number in range(n))
    return [Item.of("draft", task) for task in made]


def test_a_full_disk_is_told_and_what_was_committed_is_kept(disk: Disk) -> None:
    place = disk("size=1m")
    settings = Settings(home=place / "home")
    with open_run(settings) as run:
        run.ledger.put(items(3), "validate")
    with pytest.raises(StoreError, match="disk is full") as told, open_run(settings) as run:
        run.ledger.put(items(100, size=20_000), "validate")
    assert "gc" in told.value.remedy
    disk("size=8m")
    with open_run(settings) as run:
        assert funnel.count_funnel(run.ledger).stages[0].came == 3
        assert run.ledger.put(items(100, size=20_000), "validate") == 100


def test_a_full_disk_leaves_no_half_of_a_blob(disk: Disk) -> None:
    blobs = Blobs(str(disk("size=64k") / "blobs"))
    small = blobs.put(b"small")
    with Path("/dev/urandom").open("rb") as noise, pytest.raises(StoreError, match="disk is full"):
        blobs.put(noise.read(200_000))
    assert [one.digest for one in blobs.every()] == [small]


def test_a_read_only_store_is_told(disk: Disk) -> None:
    settings = Settings(home=disk("size=1m"))
    with open_run(settings) as run:
        run.ledger.put(items(1))
    disk("ro")
    with pytest.raises(StoreError, match=r"read-only|cannot be opened") as told, open_run(settings):
        pass
    assert "writable" in told.value.remedy
    with pytest.raises(StoreError, match="read-only"):
        Blobs(settings.blobs).put(b"new")


def test_a_place_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="folder"), open_run(Settings(home=tmp_path / "file" / "home")):
        pass


@pytest.mark.parametrize("damage", [b"this is no database, it is a text " * 100, b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_damaged_ledger_is_told_and_left_as_it_is(tmp_path: Path, damage: bytes) -> None:
    file = tmp_path / "ledger.sqlite"
    file.write_bytes(damage)
    with pytest.raises(StoreError, match="damaged") as told, open_run(Settings(home=tmp_path)):
        pass
    assert told.value.remedy
    assert file.read_bytes() == damage


@pytest.mark.parametrize("schema", ["2", "99"], ids=["older", "newer"])
def test_a_ledger_of_another_version_is_told_in_one_line(tmp_path: Path, schema: str) -> None:
    with open_run(Settings(home=tmp_path)):
        pass
    with sqlite3.connect(tmp_path / "ledger.sqlite") as connection:
        connection.execute("UPDATE meta SET value = ?", (schema,))
    connection.close()
    said = f"the ledger has schema {schema}, this checkout knows {SCHEMA}"
    with pytest.raises(StoreError, match=said), open_run(Settings(home=tmp_path)):
        pass


def test_a_locked_ledger_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "BUSY_SECONDS", 0)
    with open_run(Settings(home=tmp_path)) as run:
        other = sqlite3.connect(tmp_path / "ledger.sqlite", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="locked"):
            run.ledger.put(items(1))
        other.execute("ROLLBACK")
        other.close()
        assert run.ledger.put(items(1)) == 1


@pytest.mark.parametrize("url", ["not a url", "nosuchdb://x/y", "sqlite://", "sqlite:///:memory:"])
def test_a_ledger_url_that_is_none_is_told(url: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="ledger"), open_ledger(url, Blobs(str(tmp_path))):
        pass
