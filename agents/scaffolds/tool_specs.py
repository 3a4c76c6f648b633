"""How a scaffold shows a tool: its name, its description and the JSON schema of its arguments.

The schema comes from the record that the tool takes. `vocabulary.toml` has other names and descriptions for the tools
that ship; a tool that is not in it is shown under its own name, described by its docstrings.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from crucible import parts
from crucible.datafile import read_file
from crucible.model import ToolSpec
from crucible.part_kinds import Part
from crucible.record import Json, Record
from crucible.tooling import arguments_record, arguments_schema

VOCABULARY = Path(__file__).with_name("vocabulary.toml")
T = TypeVar("T")


class Words(Record):
    """The names and descriptions that one tool or parameter may be given."""

    names: tuple[str, ...]
    descriptions: tuple[str, ...]


class ToolWords(Words):
    """The names and descriptions that a tool may be given, and those of its parameters."""

    parameters: dict[str, Words]


class Vocabulary(Record):
    """The names and descriptions that scaffolds draw from, by the tool they are of."""

    tools: dict[str, ToolWords]


class SeededChoice:
    """Makes choices by a seed. Seed 0 takes the first of every list and leaves orders as they are written."""

    def __init__(self, name: str, seed: int) -> None:
        self._random = random.Random(f"{name}:{seed}") if seed else None

    def choose(self, choices: Sequence[T]) -> T:
        """One of the choices."""
        return self._random.choice(choices) if self._random else choices[0]

    def shuffle(self, items: Sequence[T]) -> list[T]:
        """All of the items, in an order of the seed's."""
        return self._random.sample(items, len(items)) if self._random else list(items)


@cache
def load_vocabulary() -> Vocabulary:
    """The words of `vocabulary.toml`."""
    return read_file(VOCABULARY, Vocabulary)


def make_tool_spec(does: str, choice: SeededChoice) -> ToolSpec:
    """The tool as the scaffold shows it, under names and descriptions that the seed chose."""
    part = parts.find("tool", does)
    schemas, required_names = arguments_schema(arguments_record(part.make))
    words = load_vocabulary().tools.get(does) or _own_words(part, schemas)
    name, description = choice.choose(words.names), choice.choose(words.descriptions)
    required, properties = [], {}
    for own in choice.shuffle(list(words.parameters)):
        alias = choice.choose(words.parameters[own].names)
        about = choice.choose(words.parameters[own].descriptions)
        properties[alias] = schemas[own] | {"description": about} | ({"x-is": own} if alias != own else {})
        required += [alias] if own in required_names else []
    parameters: dict[str, Json] = {"type": "object", "properties": properties, "required": list(required)}
    return ToolSpec(
        name=name, does=does, description=description, parameters={**parameters, "additionalProperties": False}
    )


def tool_properties(tool: ToolSpec) -> dict[str, dict[str, Json]]:
    """The schema of each argument, by the name that the scaffold shows."""
    return tool.parameters["properties"]  # type: ignore[return-value]  # made above, in `make_tool_spec`


def _own_words(part: Part, schemas: dict[str, Any]) -> ToolWords:
    """The words of a tool that is not in the vocabulary. Endpoints take no dots in the name of a tool."""
    parameters = {
        name: Words(names=(name,), descriptions=(str(schema.get("description", name)),))
        for name, schema in schemas.items()
    }
    name = re.sub(r"[^a-zA-Z0-9_-]", "_", part.name)  # changes: web.search
    return ToolWords(names=(name,), descriptions=(part.summary or name,), parameters=parameters)
