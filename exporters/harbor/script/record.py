"""Stands in for `crucible.record` where a folder is graded: records of the standard library alone."""

from __future__ import annotations

import types
import typing
from typing import Any


class Record:
    """Has the fields that are annotated; equal content, equal record."""

    def __init__(self, **values: Any) -> None:
        names = typing.get_type_hints(type(self))
        if unknown := values.keys() - names.keys():
            raise TypeError(f"{type(self).__name__} has no {', '.join(sorted(unknown))}")
        for name in names:
            default = getattr(type(self), name, None)
            made = default() if callable(default) else default
            setattr(self, name, values.get(name, made))

    @classmethod
    def model_validate(cls, told: dict[str, Any]) -> typing.Self:
        """The record of what was read from JSON."""
        hints = typing.get_type_hints(cls)
        return cls(**{name: _build(hints[name], value) for name, value in told.items()})

    def model_copy(self, update: dict[str, Any]) -> typing.Self:
        """The record with some fields changed."""
        return type(self)(**{**vars(self), **update})

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash(type(self))


def _build(hint: Any, value: Any) -> Any:
    """A value of JSON as the annotation has it."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if isinstance(hint, type) and issubclass(hint, Record):
        return hint.model_validate(value)
    if origin is tuple:
        return tuple(_build(arguments[0], each) for each in value)
    if origin is dict:
        return {key: _build(arguments[1], each) for key, each in value.items()}
    if origin in (typing.Union, types.UnionType) and value is not None:
        return _build(next(each for each in arguments if each is not type(None)), value)
    return value
