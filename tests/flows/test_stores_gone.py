"""A store goes away in the middle of a night: one line that says which, exit code 4, and a later night completes."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import fsspec
import pytest
from moto.server import ThreadedMotoServer

from crucible.errors import StoreError
from crucible.running.run import open_run
from crucible.stages.night import Piece, night
from tests.crucible.postgres import Server, free_port, serving
from tests.flows.nights import (
    LedgerContents,
    exit_code,
    ledger_contents,
    ledger_contents_at,
    night_settings,
    start_night,
    wait_until_made,
    write_config,
)
from tests.patience import HUNG

ITEMS = 20
STORE = 4
"""The exit code of a store that fails."""
SLOWLY = {"TOY_PAUSE": "0.05"}
INSTANTS = [("task", 5), ("trajectory", 10)]


@pytest.fixture(scope="module")
async def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> LedgerContents:
    with open_run(night_settings(tmp_path_factory.mktemp("undisturbed"), ITEMS)) as run:
        await night(run)
        return ledger_contents(run)


@pytest.fixture(scope="module")
def postgres() -> Iterator[Server]:
    with serving() as server:
        yield server


def complaint_of(process: subprocess.Popen[str]) -> str:
    """The one line that a night prints which ends because a store has gone."""
    _, said = process.communicate(timeout=HUNG)
    assert process.returncode == STORE, said
    assert "Traceback" not in said
    (line,) = [line for line in said.splitlines() if line.startswith("crucible: ")]
    return line


def nothing_is_forgotten(before: LedgerContents, after: LedgerContents) -> bool:
    return all(old <= new for old, new in zip(before, after, strict=True))


@pytest.mark.slow
@pytest.mark.parametrize(("noun", "n"), INSTANTS)
def test_a_database_killed_in_the_middle_costs_nothing_that_was_done(
    postgres: Server, tmp_path: Path, undisturbed: LedgerContents, noun: str, n: int
) -> None:
    ledger = postgres.database()
    file = write_config(tmp_path, ITEMS, ledger)
    process = start_night(file, "--no-prefect", **SLOWLY)
    wait_until_made(noun, n, ledger)
    postgres.kill()
    assert f"ledger {ledger} does not answer -> start the database" in complaint_of(process)
    postgres.start()
    before = ledger_contents_at(tmp_path, ledger)
    assert before != undisturbed
    assert exit_code(start_night(file, "--no-prefect")) == 0
    after = ledger_contents_at(tmp_path, ledger)
    assert nothing_is_forgotten(before, after)
    assert after == undisturbed


async def test_a_database_that_is_back_when_a_piece_is_tried_again_gets_the_same_night_to_its_end(
    postgres: Server, tmp_path: Path, undisturbed: LedgerContents, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOY_PAUSE", SLOWLY["TOY_PAUSE"])
    ledger = postgres.database()
    broken: list[str] = []

    async def again(name: str, piece: Piece[object]) -> object:
        """As the scheduler tries a task again."""
        doomed = asyncio.create_task(_kill_in_the_middle(postgres, ledger)) if name == "validate 1" else None
        try:
            return await piece()
        except StoreError:
            broken.append(name)
            postgres.start()
            return await piece()
        finally:
            await doomed if doomed else None

    settings = night_settings(tmp_path, ITEMS, minutes=60).model_copy(update={"ledger": ledger})
    with open_run(settings) as run:
        made = await night(run, again)
        assert ledger_contents(run) == undisturbed
    assert broken == ["validate 1"]
    assert made.stopped == ()


async def _kill_in_the_middle(server: Server, ledger: str) -> None:
    await asyncio.to_thread(wait_until_made, "task", 1, ledger)
    server.kill()


@pytest.mark.slow
def test_an_object_store_that_goes_away_in_the_middle_costs_nothing_that_was_done(
    tmp_path: Path, undisturbed: LedgerContents, monkeypatch: pytest.MonkeyPatch
) -> None:
    port, ledger, blobs = free_port(), f"sqlite:///{tmp_path}/ledger.sqlite", "s3://nights/blobs"
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{port}")
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "tests")
    file = write_config(tmp_path, ITEMS, ledger, blobs)
    with object_store(port):
        fsspec.filesystem("s3", skip_instance_cache=True).makedirs("nights", exist_ok=True)
        process = start_night(file, "--no-prefect", **SLOWLY)
        wait_until_made("trajectory", 10, ledger)
    assert f"blob store {blobs} does not answer" in complaint_of(process)
    before = ledger_contents_at(tmp_path, ledger)
    assert before != undisturbed
    with object_store(port):
        assert exit_code(start_night(file, "--no-prefect")) == 0
    after = ledger_contents_at(tmp_path, ledger)
    assert nothing_is_forgotten(before, after)
    assert after == undisturbed


@contextmanager
def object_store(port: int) -> Iterator[None]:
    """An object store while the block runs; the next one has what this one had."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=port, verbose=False)
    server.start()
    try:
        yield
    finally:
        server.stop()
