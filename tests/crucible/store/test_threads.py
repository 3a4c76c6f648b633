"""Store calls in threads: the event loop goes on meanwhile, and a cancelled call is not left under way."""

from __future__ import annotations

import asyncio
import threading

import pytest

from crucible.errors import StoreError
from crucible.store.ledger import Ledger
from crucible.store.threads import in_thread
from tests.crucible.store.test_ledger import tasks


async def test_the_event_loop_goes_on_while_the_store_is_waited_for() -> None:
    freed = threading.Event()
    waiting = asyncio.create_task(in_thread(freed.wait))
    await asyncio.sleep(0)
    freed.set()  # nobody could, if the loop were held up
    assert await waiting


async def test_a_fault_of_the_store_is_raised_where_it_is_awaited() -> None:
    def full() -> None:
        raise StoreError("full")

    with pytest.raises(StoreError, match="full"):
        await in_thread(full)


async def test_a_claim_that_is_cancelled_has_ended_before_its_run_gives_back_what_it_holds(ledger: Ledger) -> None:
    ledger.put(tasks(2), "validate")
    begun, freed = threading.Event(), threading.Event()

    def claim() -> object:
        begun.set()
        freed.wait()
        return ledger.claim("validate", 2)

    claiming = asyncio.create_task(in_thread(claim))
    await asyncio.to_thread(begun.wait)
    claiming.cancel()
    await asyncio.sleep(0)
    assert not claiming.done()
    freed.set()
    with pytest.raises(asyncio.CancelledError):
        await claiming
    assert ledger.release() == 2
    assert [one.attempt for one in ledger.claim("validate", 2)] == [1, 1]
