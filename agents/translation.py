"""Translates calls between the tools' own names and those a scaffold shows, in both directions.

A scaffold may call the shell `terminal` and its command `cmd`. `ToolSpec.does` leads back to the tool, and
`x-is` on a parameter's schema leads back to the parameter where its name was changed.
"""

from __future__ import annotations

import base64
import json
import shlex
from collections.abc import Iterator, Mapping, Sequence

from pydantic import Field, ValidationError

from agents import fenced
from crucible import parts
from crucible.acting import Ask, Reply
from crucible.errors import TeacherError
from crucible.model import ToolCall, ToolSpec
from crucible.record import Json, Record
from crucible.tooling import arguments_record

PIECE_BYTES = 45_000
"""Bytes of a file that go into one shell command, under scaffolds that have no tool to write files."""


class InvalidCall(Exception):
    """The call cannot be carried out as written; the message tells the teacher why."""


class Call(Record):
    """A call by the tool's own name, with the tool's own names for its arguments."""

    tool: str
    arguments: dict[str, Json] = Field(default_factory=dict)


class Turn(Record):
    """One answer written beforehand. A `ToolCall` among its calls is played exactly as it is written."""

    thinking: str = ""
    text: str = ""
    calls: tuple[Call | ToolCall, ...] = ()


def parse_arguments(call: ToolCall, tools: Sequence[ToolSpec]) -> Record:
    """The arguments of the tool behind the call. InvalidCall when there is no making sense of it."""
    spec = find_tool(call.name, tools)
    try:
        arguments = call.mapping()
    except ValueError as fault:
        raise InvalidCall(f"the arguments of {spec.name} are not a JSON object: {fault}") from None
    names = own_names(spec)
    unknown = [name for name in arguments if name not in names]
    if unknown:
        raise InvalidCall(f"{spec.name} takes no {', '.join(unknown)}; it takes: {', '.join(names)}")
    record = arguments_record(parts.find("tool", spec.does).make)
    try:
        return record.model_validate({names[name]: value for name, value in arguments.items()})
    except ValidationError as fault:
        raise InvalidCall(_describe_fault(spec, fault)) from None


def own_names(spec: ToolSpec) -> dict[str, str]:
    """The tool's own parameter names by the names the scaffold gave them."""
    properties = spec.parameters.get("properties")
    assert isinstance(properties, dict)
    return {name: str(schema.get("x-is", name)) for name, schema in properties.items() if isinstance(schema, dict)}


def render_turn(turn: Turn, ask: Ask) -> Reply:
    """The turn as a reply to this question, in its scaffold's names and form."""
    unnumbered = [tool_call for call in turn.calls for tool_call in _to_tool_calls(call, ask.tools)]
    ids = (f"call-{len(ask.steps)}-{number}" for number in range(len(unnumbered)))
    calls = tuple(call.model_copy(update={"id": id}) for call, id in zip(unnumbered, ids, strict=True))
    if ask.form == "native":
        return Reply(thinking=turn.thinking, text=turn.text, calls=calls)
    blocks = [fenced.render_call(call) for call in calls]
    return Reply(thinking=turn.thinking, text="\n\n".join(part for part in (turn.text, *blocks) if part))


def to_own_call(call: ToolCall, tools: Sequence[ToolSpec]) -> Call | ToolCall:
    """A recorded call in the tools' own names; unchanged when it never made sense."""
    try:
        arguments = parse_arguments(call, tools)
    except InvalidCall:
        return call
    does = find_tool(call.name, tools).does
    return Call(tool=does, arguments=arguments.model_dump(mode="json", exclude_unset=True))


def _to_tool_calls(call: Call | ToolCall, tools: Sequence[ToolSpec]) -> Iterator[ToolCall]:
    """The call in the scaffold's names; several calls of its shell where the scaffold lacks the tool."""
    if isinstance(call, ToolCall):
        yield call
        return
    spec = next((tool for tool in tools if tool.does == call.tool), None)
    if spec is None:
        for shell_call in _as_shell_calls(call):
            yield from _to_tool_calls(shell_call, tools)
        return
    aliases = {own: alias for alias, own in own_names(spec).items()}
    arguments = {aliases.get(name, name): value for name, value in call.arguments.items()}
    yield ToolCall(id="", name=spec.name, arguments=json.dumps(arguments))


def _as_shell_calls(call: Call) -> Iterator[Call]:
    """Shell calls that read or write a file as the call would, for scaffolds that have nothing but a shell."""
    path = shlex.quote(str(call.arguments.get("path", "")))
    match call.tool:
        case "write":
            data = str(call.arguments.get("content", "")).encode()
            yield _shell_call(f'mkdir -p -- "$(dirname -- {path})" && : > {path}')
            for start in range(0, len(data), PIECE_BYTES):
                piece = base64.b64encode(data[start : start + PIECE_BYTES]).decode()
                yield _shell_call(f"echo {piece} | base64 -d >> {path}")
        case "read":
            first, last = call.arguments.get("first") or 1, call.arguments.get("last") or "$"
            yield _shell_call(f"sed -n '{first},{last}p' {path}")
        case _:
            raise TeacherError(f"this scaffold has no '{call.tool}'", "play the script under the scaffold 'native'")


def _shell_call(command: str) -> Call:
    return Call(tool="shell", arguments={"command": command})


def find_tool(name: str, tools: Sequence[ToolSpec]) -> ToolSpec:
    """The tool that the scaffold shows under this name. InvalidCall when it shows none."""
    for tool in tools:
        if tool.name == name:
            return tool
    raise InvalidCall(f"there is no tool '{name}'; the tools are: {', '.join(tool.name for tool in tools)}")


def _describe_fault(spec: ToolSpec, fault: ValidationError) -> str:
    """What is wrong with the arguments, with the scaffold's names for them."""
    aliases = {own: name for name, own in own_names(spec).items()}
    faults = [_describe_error(error["loc"], error["msg"], aliases) for error in fault.errors()]
    return f"wrong arguments for {spec.name}: {'; '.join(faults)}"


def _describe_error(location: tuple[int | str, ...], message: str, aliases: Mapping[str, str]) -> str:
    """One fault; a record that checks its fields against each other reports without naming one of them."""
    return f"{aliases.get(str(location[0]), location[0])}: {message}" if location else message
