"""Calls written as text: a fenced block whose first line names the tool and whose body is the arguments' JSON.

    ```call shell
    {"command": "ls"}
    ```

A line of the body cannot close the block by accident: JSON strings hold no line breaks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from crucible.model import ToolCall

CALL_BLOCK = re.compile(
    r"^[ \t]*```call[ \t]+(?P<name>\S+)[ \t]*\n(?P<body>.*?)(?:^[ \t]*```[ \t]*$|\Z)", re.DOTALL | re.MULTILINE
)
# matches the block in the text above, and one that lacks its last line


def parse_calls(text: str) -> Iterator[ToolCall]:
    """The calls written in an answer. A block that never closes is a call too, most likely a truncated one."""
    for match in CALL_BLOCK.finditer(text.replace("\r\n", "\n")):
        yield ToolCall(id="", name=match["name"], arguments=match["body"].strip() or "{}")


def render_call(call: ToolCall) -> str:
    """The call as it is written in an answer."""
    return f"```call {call.name}\n{call.arguments}\n```"
