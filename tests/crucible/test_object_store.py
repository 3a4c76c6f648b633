"""Blobs in an S3-compatible store, and either store gone in the middle: a clear line, and a later run completes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import fsspec
import pytest
from moto.server import ThreadedMotoServer

from crucible.errors import StoreError
from crucible.model import Task
from crucible.store.blobs import Blobs
from crucible.store.item import INLINE, Item
from crucible.store.ledger import open_ledger
from crucible.store.unused_blobs import sweep_blobs
from tests.crucible.postgres import free_port, serving

BUCKET = "s3://crucible-tests"


@pytest.fixture(scope="module")
def server() -> Iterator[ThreadedMotoServer]:
    serving = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    serving.start()
    yield serving
    serving.stop()


@pytest.fixture
def bucket(server: ThreadedMotoServer, monkeypatch: pytest.MonkeyPatch) -> str:
    _, port = server.get_host_and_port()
    for name, value in {
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}",
        "AWS_ACCESS_KEY_ID": "tests",
        "AWS_SECRET_ACCESS_KEY": "tests",
        "AWS_DEFAULT_REGION": "us-east-1",
    }.items():
        monkeypatch.setenv(name, value)
    fs = fsspec.filesystem("s3", skip_instance_cache=True)
    if not fs.exists(BUCKET):
        fs.mkdir(BUCKET)
    return BUCKET


def test_the_same_bytes_twice_are_one_blob_that_comes_back(bucket: str) -> None:
    blobs = Blobs(f"{bucket}/twice")
    assert blobs.put(b"x" * 5000) == blobs.put(b"x" * 5000) == hashlib.sha256(b"x" * 5000).hexdigest()
    assert blobs.get(blobs.put(b"x" * 5000)) == b"x" * 5000
    assert len(list(blobs.every())) == 1


def test_a_blob_is_seen_by_others_at_once_and_gone_when_deleted(bucket: str) -> None:
    mine, others = Blobs(f"{bucket}/shared"), Blobs(f"{bucket}/shared")
    digest = mine.put(b"here")
    assert others.has(digest)
    others.delete(others.locate(digest))
    assert not mine.has(digest)
    with pytest.raises(StoreError, match="has no blob"):
        mine.get(digest)


def test_a_damaged_blob_is_refused(bucket: str) -> None:
    blobs = Blobs(f"{bucket}/damaged")
    stored = blobs.locate(blobs.put(b"right"))
    fsspec.filesystem("s3").pipe_file(stored.path, b"wrong")
    with pytest.raises(StoreError, match="damaged"):
        blobs.get(stored.digest)


def test_a_ledger_keeps_its_large_bodies_there_and_gc_takes_the_rest(bucket: str, tmp_path: Path) -> None:
    blobs = Blobs(f"{bucket}/ledger")
    large = Task(domain="swe", kind="bugfix", instruction="x" * (INLINE + 1))
    with open_ledger(f"sqlite:///{tmp_path}/ledger.sqlite", blobs) as ledger:
        ledger.put([Item.of("task", large)])
        blobs.put(b"nobody's")
        assert len(list(blobs.every())) == 2
        sweep_blobs(ledger, blobs, grace=-60)
        found = ledger.get("task", large.id)
    assert found is not None
    assert found.record(Task) == large
    assert len(list(blobs.every())) == 1


def test_a_bucket_that_is_not_there_is_one_line(bucket: str) -> None:
    with pytest.raises(StoreError, match="s3://no-such-bucket is not there"):
        Blobs("s3://no-such-bucket").put(b"lost")


def test_an_object_store_that_goes_away_is_one_line_and_a_later_run_completes(
    bucket: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{(port := free_port())}")
    fsspec.filesystem("s3").clear_instance_cache()  # a client keeps the address it was made with
    blobs = Blobs(f"{bucket}/gone")
    large = Item.of("task", Task(domain="swe", kind="bugfix", instruction="y" * (INLINE + 1)))
    with open_ledger(f"sqlite:///{tmp_path}/ledger.sqlite", blobs) as ledger:
        ledger.put([Item(noun="draft", id="d", body="{}")], "validate")
        [claim] = ledger.claim("validate")
        with pytest.raises(StoreError, match="blob store s3://crucible-tests/gone does not answer") as told:
            ledger.finish(claim, [large])
        assert "\n" not in told.value.line()
        later = ThreadedMotoServer(ip_address="127.0.0.1", port=port, verbose=False)
        later.start()
        try:
            assert ledger.finish(claim, [large])
        finally:
            later.stop()


def test_a_database_that_goes_away_is_one_line_and_a_later_run_completes(tmp_path: Path) -> None:
    blobs = Blobs(str(tmp_path / "blobs"))
    with serving() as server:
        url = server.database()
        with open_ledger(url, blobs) as ledger:
            ledger.put([Item(noun="draft", id=str(number), body="{}") for number in range(3)], "validate")
            ledger.finish(ledger.claim("validate")[0])
            server.stop()
            with pytest.raises(StoreError, match=r"ledger postgresql.* does not answer"):
                ledger.claim("validate")
            server.start()
        server.stop()
        with pytest.raises(StoreError, match="does not answer"), open_ledger(url, blobs):
            pass
        server.start()
        with open_ledger(url, blobs) as ledger:
            ledger.finish_all((claim, ()) for claim in ledger.claim("validate", 9))
            assert ledger.claim("validate") == []
        with pytest.raises(StoreError, match="no such database"), open_ledger(f"{url}x", blobs):
            pass
