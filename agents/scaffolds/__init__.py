"""Scaffolds, read from the `.toml` files beside this module: one part for each file that has a `form`.

Seed 0 is the plain scaffold: the first of every list. Any other seed draws names, phrasings and orders
from the same lists; the same seed always gives the same bytes.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from agents.scaffolds.tool_specs import SeededChoice, make_tool_spec, tool_properties
from crucible import parts
from crucible.acting import Scaffold
from crucible.model import ToolSpec
from crucible.part_kinds import ScaffoldBuilder
from crucible.record import Json, Record

HERE = Path(__file__).parent


class ScaffoldFile(Record):
    """A scaffold's `.toml` file: the lists that a seed draws from; prompts are names of files."""

    about: str
    form: Literal["native", "text"]
    tools: tuple[str, ...]
    system: tuple[str, ...]
    prompt: tuple[str, ...]
    observation: tuple[str, ...]
    sections: tuple[str, ...] = ()
    """Files that follow the system prompt, each a section that an export may leave out: `NAME.SECTION.md`."""


def build_scaffold(name: str, seed: int, added_tools: Sequence[str] = ()) -> Scaffold:
    """The scaffold of that name as this seed varies it, with the tools that are added to its own."""
    file, choice = ScaffoldFile.model_validate(_read_toml(f"{name}.toml")), SeededChoice(name, seed)
    names = [*dict.fromkeys((*file.tools, *added_tools))]
    tools = tuple(make_tool_spec(does, choice) for does in choice.shuffle(names))
    sections = {section.split(".")[1]: _read_prose(section) for section in file.sections}
    return Scaffold(
        name=name,
        system="\n\n".join([_fill_system_prompt(_read_prose(choice.choose(file.system)), tools), *sections.values()]),
        prompt=_read_prose(choice.choose(file.prompt)),
        tools=tools,
        form=file.form,
        observation=choice.choose(file.observation),
        sections=sections,
    )


def render_nudge(tools: Sequence[ToolSpec]) -> str:
    """The text that a teacher gets which answered without a call."""
    submit = next(tool.name for tool in tools if tool.does == "submit")
    return _read_prose("nudge.md").replace("{submit}", submit)


def _fill_system_prompt(text: str, tools: Sequence[ToolSpec]) -> str:
    """The system prompt with its example and its list of tools filled in; a native scaffold's has no such places."""
    tool = next((tool for tool in tools if tool.does == "shell"), tools[0])
    required = tool.parameters["required"]
    assert isinstance(required, list)
    example: Json = {str(name): "ls -la" if tool.does == "shell" else "..." for name in required}
    text = text.replace("{example}", tool.name).replace("{arguments}", json.dumps(example))
    return text.replace("{tools}", "\n\n".join(_describe_tool(tool) for tool in tools))


def _describe_tool(tool: ToolSpec) -> str:
    """A tool and its parameters, spelled out for a prompt."""
    lines = [
        f"- `{name}` ({schema.get('type', 'value')}): {schema['description']}"
        for name, schema in tool_properties(tool).items()
    ]
    return "\n".join([f"## {tool.name}", tool.description, *lines])


def _read_prose(file: str) -> str:
    return (HERE / file).read_text(encoding="utf-8").strip()


def _read_toml(file: str) -> dict[str, Json]:
    return tomllib.loads((HERE / file).read_text(encoding="utf-8"))


def _scaffold_part(name: str, about: str) -> ScaffoldBuilder:
    """The function that is registered for the scaffold of that name; `about` is its docstring."""

    def make(seed: int, added_tools: Sequence[str] = ()) -> Scaffold:
        return build_scaffold(name, seed, added_tools)

    make.__doc__ = about
    return make


for _file in sorted(HERE.glob("*.toml")):
    if "form" in (_fields := _read_toml(_file.name)):
        parts.scaffold(_file.stem)(_scaffold_part(_file.stem, str(_fields["about"])))
