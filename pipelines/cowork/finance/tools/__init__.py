"""Financial tools: pure functions, found by name. What a question has to say of each stands in `tools.toml`."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import cache
from typing import Any

from pydantic import validate_call

MODULES = ("figures", "ratios", "valuation", "loans", "portfolio", "venture", "deals")


class NoResult(ValueError):
    """A tool has no answer for these inputs: a division by zero, flows without an internal rate of return."""


@cache
def list_tools() -> dict[str, Callable[..., float | list[float]]]:
    """Every tool by name; each checks and converts what it is given by the types of its parameters."""
    found: dict[str, Callable[..., Any]] = {}
    for module in MODULES:
        loaded = importlib.import_module(f"{__name__}.{module}")
        found |= {
            name: validate_call(function)
            for name, function in vars(loaded).items()
            if callable(function) and getattr(function, "__module__", "") == loaded.__name__ and name[0] != "_"
        }
    return found
