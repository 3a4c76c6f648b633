"""What an expression may be about: the kinds of values that records hold, read from their fields."""

from __future__ import annotations

import types
from dataclasses import dataclass
from typing import Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel


@dataclass(frozen=True)
class Kind:
    """The kind of a value: text, number, truth, record, list, mapping, nothing or anything."""

    name: str
    model: type[BaseModel] | None = None
    """Of a record."""
    of: Kind | None = None
    """What a list or mapping holds."""
    choices: tuple[str, ...] = ()
    """All that a text may say, where that is known."""

    def fields(self) -> dict[str, Kind]:
        """What stands after the dot."""
        if self.model is None:
            return {}
        fields = {name: kind_of(field.annotation) for name, field in self.model.model_fields.items()}
        return fields | {name: kind for name, kind in _COMPUTED.items() if hasattr(self.model, name)}


TEXT = Kind("text")
NUMBER = Kind("number")
TRUTH = Kind("truth")
NOTHING = Kind("nothing")
ANYTHING = Kind("anything")

_COMPUTED = {"id": TEXT, "keeps_any": TRUTH}
"""What some records compute, and a filter may ask for."""
_PLAIN: dict[Any, Kind] = {str: TEXT, int: NUMBER, float: NUMBER, bool: TRUTH, type(None): NOTHING}


def kind_of(annotation: Any) -> Kind:
    """The kind of a field by its annotation; what is not understood is anything."""
    if annotation in _PLAIN:
        return _PLAIN[annotation]
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return Kind("record", model=annotation)
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return Kind("text", choices=inner)
    if origin in (tuple, list):
        return Kind("list", of=kind_of(inner[0]))
    if origin is dict:
        return Kind("mapping", of=kind_of(inner[1]))
    if origin in (Union, types.UnionType):
        return _union_kind([kind_of(member) for member in inner])
    return ANYTHING


def _union_kind(kinds: list[Kind]) -> Kind:
    something = [kind for kind in kinds if kind != NOTHING]
    return something[0] if len(something) == 1 else ANYTHING
