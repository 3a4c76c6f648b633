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

BLOCK = re.compile(
    r"^[ \t]*```call[ \t]+(?P<name>\S+)[ \t]*\n(?P<body>.*?)(?:^[ \t]*```[ \t]*$|\Z)", re.DOTALL | re.MULTILINE
)


def calls(text: str) -> Iterator[ToolCall]:
    """The calls in an answer. A block that never closes is a call too, most likely a truncated one."""
    for found in BLOCK.finditer(text.replace("\r\n", "\n")):
        yield ToolCall(id="", name=found["name"], arguments=found["body"].strip() or "{}")


def block(call: ToolCall) -> str:
    """The call as it is written in an answer."""
    return f"```call {call.name}\n{call.arguments}\n```"
