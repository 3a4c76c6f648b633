"""What every record has in common: frozen, closed to unknown fields, and hashed by content."""

from __future__ import annotations

import ast
import hashlib
import inspect
import json
import textwrap
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, JsonValue
from pydantic.json_schema import GenerateJsonSchema

Json = JsonValue
Params = Mapping[str, JsonValue]


class Record(BaseModel):
    """A frozen record: equal content, equal record; an unknown field is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    terse: ClassVar[bool] = False
    """Stored without what is at its default: read three times as fast, but a default must then never change."""


def canonical(value: Any) -> bytes:
    """One byte string for one JSON value, whatever order its keys came in."""
    return json.dumps(value, sort_keys=True, ensure_ascii=True, separators=(",", ":")).encode()


def digest(*values: Any) -> str:
    """The sha256 of records and plain JSON values, in order."""
    plain = [v.model_dump(mode="json") if isinstance(v, BaseModel) else v for v in values]
    return hashlib.sha256(canonical(plain)).hexdigest()


def describe_schema(record: type[Record]) -> dict[str, Any]:
    """The JSON schema of a record for a model to read: each field is described by the text that stands below it."""
    return record.model_json_schema(schema_generator=_DescribingSchema)


class _DescribingSchema(GenerateJsonSchema):
    """Reads the texts only when a schema is asked for: pydantic's own option reads the source of every record of the
    product whenever it starts."""

    def model_schema(self, schema: Any) -> dict[str, Any]:
        made = super().model_schema(schema)
        for name, text in describe_fields(schema["cls"]).items():
            if name in made.get("properties", {}):
                made["properties"][name]["description"] = text
        return made


def describe_fields(record: type[BaseModel]) -> dict[str, str]:
    """The fields of a record that have a text below them, with that text."""
    bases = [base for base in reversed(record.__mro__) if issubclass(base, Record) and base is not Record]
    return {name: text for base in bases for name, text in _read_descriptions(base)}


def _read_descriptions(record: type[Record]) -> Iterator[tuple[str, str]]:
    """The fields of one class with the texts below them. A generic one that was filled in has no source of its own."""
    if record.__pydantic_generic_metadata__["origin"]:
        return
    [source] = ast.parse(textwrap.dedent(inspect.getsource(record))).body
    assert isinstance(source, ast.ClassDef)
    for field, below in pairwise(source.body):
        match field, below:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                yield name, inspect.cleandoc(text)
