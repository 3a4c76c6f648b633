"""What every record has in common: frozen, closed to unknown fields, and hashed by content."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, JsonValue

Json = JsonValue
Params = Mapping[str, JsonValue]


class Record(BaseModel):
    """A frozen record: equal content, equal record; an unknown field is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    terse: ClassVar[bool] = False
    """Stored without what is at its default: read three times as fast, but a default must then never change."""


def canonical(value: Any) -> bytes:
    """One byte string for one JSON value, whatever order its keys came in."""
    return json.dumps(value, sort_keys=True, ensure_ascii=True, separators=(",", ":")).encode()


def digest(*values: Any) -> str:
    """The sha256 of records and plain JSON values, in order."""
    plain = [v.model_dump(mode="json") if isinstance(v, BaseModel) else v for v in values]
    return hashlib.sha256(canonical(plain)).hexdigest()
