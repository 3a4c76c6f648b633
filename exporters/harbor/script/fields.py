"""Stands in for `pydantic` where a folder is graded: of a field only its default counts there."""

from __future__ import annotations

from typing import Any


def Field(default: Any = None, *, default_factory: Any = None, **_constraints: Any) -> Any:
    """A field's default, or what makes it."""
    return default if default_factory is None else default_factory
