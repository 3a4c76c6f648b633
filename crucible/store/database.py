"""Opening the ledger's database: connections, pragmas, and transactions that fail early instead of half-way."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from functools import cache
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from sqlalchemy import ColumnElement, Connection, Engine, Float, cast, create_engine, event, extract, func
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError

from crucible.errors import SettingsError, StoreError
from crucible.store import faults

UNIX_EPOCH_JULIAN_DAY = 2440587.5
"""The first of January 1970, as SQLite counts days."""
BUSY_SECONDS = 120
"""How long a writer waits for another before it gives up."""

_writers: WeakKeyDictionary[Engine, threading.Lock] = WeakKeyDictionary()
_WAITING = {"postgresql": {"connect_timeout": 60}}
"""How long a server may take to answer at all."""


def connect_database(url: str) -> Engine:
    """An engine for the ledger's URL. For SQLite the folder is made."""
    try:
        address = make_url(url)
        if address.get_backend_name() == "sqlite":
            _make_folder(address)
        engine = create_engine(address, connect_args=_WAITING.get(address.get_backend_name(), {}))
    except (ArgumentError, NoSuchModuleError) as malformed:
        raise SettingsError(
            f"ledger: '{url}' is not a database URL", "try sqlite:///FILE or postgresql://..."
        ) from malformed
    except ModuleNotFoundError as missing:
        remedy = "pip install -c constraints.txt -e '.[postgres]'"
        raise StoreError(f"the ledger's database needs the Python package '{missing.name}'", remedy) from missing
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _set_pragmas)
        event.listen(engine, "begin", _begin)
    return engine


def database_name(engine: Engine) -> str:
    """The ledger as it is called in messages: its file, or its URL without the password."""
    if engine.dialect.name == "sqlite":
        return str(engine.url.database)
    return engine.url.render_as_string(hide_password=True)


@cache
def database_clock(database: str) -> ColumnElement[float]:
    """The seconds since 1970 when a statement runs, by the clock of such a database, as part of the statement."""
    if database == "postgresql":
        return cast(extract("epoch", func.statement_timestamp()), Float)
    return (func.julianday("now", type_=Float) - UNIX_EPOCH_JULIAN_DAY) * 86400.0


@contextmanager
def write_transaction(engine: Engine) -> Iterator[Connection]:
    """A transaction that may write; faults of the database are raised as StoreError. A process' own threads wait
    for each other here: SQLite has one writer, and lets the others look again only every tenth of a second."""
    alone = _writers.setdefault(engine, threading.Lock()) if engine.dialect.name == "sqlite" else nullcontext()
    with alone, faults.translate_database_faults(database_name(engine)), engine.connect() as connection:
        connection = connection.execution_options(writes=True)
        with connection.begin():
            yield connection


@contextmanager
def read_transaction(engine: Engine) -> Iterator[Connection]:
    """A transaction that only reads, with one consistent view of the database."""
    with faults.translate_database_faults(database_name(engine)), engine.connect() as connection:
        if engine.dialect.name == "postgresql":  # there each statement would have a view of its own
            connection = connection.execution_options(isolation_level="REPEATABLE READ")
        with connection.begin():
            yield connection


def _make_folder(address: URL) -> None:
    if not address.database or address.database == ":memory:":
        raise SettingsError("ledger: it must be a file, several processes share it", "try sqlite:///FILE")
    folder = Path(address.database).parent
    with faults.translate_disk_faults(f"the ledger's folder {folder}"):
        folder.mkdir(parents=True, exist_ok=True)


def _set_pragmas(connection: Any, _: Any) -> None:
    connection.isolation_level = None  # transactions begin where `_begin` says, not where the driver guesses
    for pragma in (f"busy_timeout={BUSY_SECONDS * 1000}", "journal_mode=WAL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    """A writer takes the lock at once: one that read first would be refused when it comes to write."""
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
