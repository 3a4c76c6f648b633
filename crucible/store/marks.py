"""Texts of the ledger that change: one for each name, beside the items, which never do."""

from __future__ import annotations

from sqlalchemy import Connection, select

from crucible.store.tables import insert_new, meta


def read_mark(connection: Connection, name: str, *, to_change: bool = False) -> str | None:
    """The text under a name; nobody else changes it before the transaction ends, if it is read to be changed."""
    query = select(meta.c.value).where(meta.c.name == name)
    value: str | None = connection.scalar(query.with_for_update() if to_change else query)
    return value


def write_mark(connection: Connection, name: str, value: str) -> None:
    """Put a text under a name, in place of the one before."""
    statement = insert_new(connection, meta).values(name=name, value=value)
    change = {"value": statement.excluded.value}
    connection.execute(statement.on_conflict_do_update(index_elements=[meta.c.name], set_=change))
