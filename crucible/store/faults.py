"""Faults of the machine below the stores, turned into one line and a remedy."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from crucible.errors import StoreError

_ROOM = "free some disk space (`crucible gc`) and run again: what is committed is kept"
_RIGHTS = "make it writable, or point the setting at a place that is"
_BROKEN = "restore it from a copy, or move it away and run again"

_DATABASE = (
    ("readonly", "is read-only", _RIGHTS),
    ("unable to open", "cannot be opened", _RIGHTS),
    ("full", "has no room left: the disk is full", _ROOM),
    ("locked", "is locked by another process", "wait for it to finish and run again"),
    ("not a database", "is not a ledger: the file is damaged or something else", _BROKEN),
    ("malformed", "is damaged", _BROKEN),
    ("disk i/o", "cannot be read or written: the disk reports an error", _BROKEN),
    ("no space left", "has no room left: the disk is full", _ROOM),
    ("password authentication", "refuses this user", "correct the user and password in the `ledger` setting"),
    ('" does not exist', "is not there: the server has no such database or user", "make it, or correct `ledger`"),
    ("connect", "does not answer", "start the database or correct the `ledger` setting"),
)
"""What a database says, what it means, what to do."""

_DISK = {
    errno.ENOSPC: ("has no room left: the disk is full", _ROOM),
    errno.EDQUOT: ("has no room left: the quota is used up", _ROOM),
    errno.EROFS: ("is read-only", _RIGHTS),
    errno.EACCES: ("is read-only: permission denied", _RIGHTS),
    errno.EPERM: ("is read-only: not permitted", _RIGHTS),
    errno.ENOTDIR: ("is not a folder", _RIGHTS),
    errno.EEXIST: ("is not a folder", _RIGHTS),
    errno.EIO: ("cannot be read or written: the disk reports an error", _BROKEN),
}


@contextmanager
def translate_database_faults(name: str) -> Iterator[None]:
    """Database faults inside become StoreErrors that name the ledger."""
    try:
        yield
    except PoolTimeout as busy:
        raise StoreError(f"ledger {name} has no free connection", "run fewer things at once") from busy
    except DBAPIError as fault:
        raise _explain_fault(name, fault) from fault


def _explain_fault(name: str, fault: DBAPIError) -> StoreError:
    message = str(fault.orig)
    for sign, meaning, remedy in _DATABASE:
        if sign in message.lower():
            return StoreError(f"ledger {name} {meaning}", remedy)
    return StoreError(f"ledger {name} failed: {message}")


@contextmanager
def translate_disk_faults(name: str) -> Iterator[None]:
    """Faults of files inside become StoreErrors that name the place; a missing file passes through."""
    try:
        yield
    except FileNotFoundError:
        raise
    except OSError as fault:
        meaning, remedy = _DISK.get(fault.errno or 0, (f"failed: {fault.strerror or fault}", ""))
        raise StoreError(f"{name} {meaning}", remedy) from fault
    except object_store_errors() as fault:
        remedy = "start it, correct `blobs`, or give it its address and keys (AWS_ENDPOINT_URL, AWS_ACCESS_KEY_ID, ...)"
        raise StoreError(f"{name} does not answer: {fault}", remedy) from fault


@cache
def object_store_errors() -> tuple[type[Exception], ...]:
    """What the object store's client raises for faults that are not files'; nothing where it is not installed."""
    try:
        from botocore.exceptions import BotoCoreError, ClientError
    except ModuleNotFoundError:
        return ()
    return (BotoCoreError, ClientError)
