"""The ledger's tables. Plain SQL types only, so that SQLite and PostgreSQL hold the same thing."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Column as C
from sqlalchemy import (
    Connection,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
    func,
    insert,
    inspect,
    select,
)
from sqlalchemy.dialects import postgresql, sqlite

from crucible.errors import StoreError

SCHEMA = "3"

_MAKING = 0x637275
"""The lock of whoever makes the tables."""

tables = MetaData()

item = Table(
    "item",
    tables,
    C("sequence", Integer, primary_key=True, autoincrement=True),
    C("noun", String, nullable=False),
    C("id", String().with_variant(String(collation="C"), "postgresql"), nullable=False),
    C("pipeline", String, nullable=False, default=""),
    C("parent", String, nullable=False, default=""),
    C("digest", String, nullable=False, default=""),
    C("body", Text),
    C("blob", String),
    UniqueConstraint("noun", "id"),
    Index("item_by_id", "id"),
    Index("item_by_parent", "parent"),
)
"""What there is: a record as JSON, inline or (when large) as a blob. Ids are compared byte by byte everywhere,
so that the start of an id is a range."""

work = Table(
    "work",
    tables,
    C("item", Integer, ForeignKey("item.sequence"), nullable=False),
    C("stage", String, nullable=False),
    C("pipeline", String, nullable=False, default=""),
    C("state", String, nullable=False),
    C("owner", String, nullable=False, default=""),
    C("ready_at", Float),
    C("attempts", Integer, nullable=False, default=0),
    C("detail", Text, nullable=False, default=""),
    PrimaryKeyConstraint("item", "stage"),
    Index("work_by_fate", "stage", "pipeline", "state"),
)
"""What each stage has to do. `ready_at` is when a row may be claimed: not before that (todo), or the
end of its lease (claimed); null once the row is closed (done, dropped, error), or until the next run (unpaid)."""

OPEN = Index("work_open", work.c.stage, work.c.ready_at, work.c.item)
"""Holds the open rows only, so that a claim costs the same however much is finished."""
for dialect in ("sqlite", "postgresql"):
    OPEN.dialect_options[dialect]["where"] = work.c.ready_at.is_not(None)

rejection = Table(
    "rejection",
    tables,
    C("item", Integer, ForeignKey("item.sequence"), nullable=False),
    C("stage", String, nullable=False),
    C("reason", String, nullable=False),
    C("detail", Text, nullable=False, default=""),
    PrimaryKeyConstraint("item", "stage"),
)
"""Why an item went no further."""

verdict = Table(
    "verdict",
    tables,
    C("trajectory_id", String, nullable=False),
    C("trajectory_digest", String, nullable=False),
    C("verifier", String, nullable=False),
    C("version", Integer, nullable=False),
    C("params_hash", String, nullable=False),
    C("services_hash", String, nullable=False, default=""),
    C("outcome", String, nullable=False),
    C("score", Float, nullable=False),
    C("body", Text),
    C("blob", String),
    PrimaryKeyConstraint("trajectory_digest", "verifier", "version", "params_hash", "services_hash"),
    Index("verdict_by_trajectory", "trajectory_id"),
)
"""What a verifier found, keyed by everything that could change its mind."""

meta = Table("meta", tables, C("name", String, primary_key=True), C("value", String, nullable=False))


def insert_new(connection: Connection, table: Table) -> Any:
    """An insert that leaves a row with the same key as it is: the one statement that differs by database."""
    build = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    return build(table)


def order_for_insert(connection: Connection, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows of new items as they are to be written. Two transactions that write the same rows in different orders
    would wait for each other for ever: so everyone writes them by name, numbered before in the order they came."""
    if connection.dialect.name != "postgresql":  # SQLite's writers are alone
        return rows
    sequence = func.pg_get_serial_sequence(item.name, item.c.sequence.name)
    numbers = connection.scalars(select(func.nextval(sequence)).select_from(func.generate_series(1, len(rows))))
    numbered = [{"sequence": number, **row} for number, row in zip(numbers, rows, strict=True)]
    return sorted(numbered, key=lambda row: (row["noun"], row["id"]))


def has_schema(connection: Connection) -> bool:
    """Whether the tables are there; StoreError when they are another version's."""
    if not inspect(connection).has_table("meta"):
        return False
    schema = connection.scalar(select(meta.c.value).where(meta.c.name == "schema"))
    if schema is not None and schema != SCHEMA:
        raise StoreError(
            f"the ledger has schema {schema}, this checkout knows {SCHEMA}",
            "use the checkout that wrote it, or point `ledger` at a new one",
        )
    return schema is not None


def create_schema(connection: Connection) -> None:
    """Make the tables; whoever comes second finds them made."""
    if connection.dialect.name == "postgresql":  # SQLite's writers are alone anyway
        connection.execute(select(func.pg_advisory_xact_lock(_MAKING)))
    if not has_schema(connection):
        tables.create_all(connection)
        connection.execute(insert(meta).values(name="schema", value=SCHEMA))
