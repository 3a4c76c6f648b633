"""Commands that work something out and leave it in variables, or in a loop whose body is a comment: here they print it,
so that it can be seen. Solvers are told what is printed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Node

from pipelines.terminal.commands.shell import parse_script, read_text, walk_nodes, without_comments

MOST_VARIABLES = 3
"""Variables that are printed at most: more are steps on the way, not results."""
LISTS = re.compile(r"=\(|\b(?:mapfile|readarray)\b|\bread\s+-\w*a")
# matches: a=(1 2)   mapfile -t lines   read -ra parts


class Printing(NamedTuple):
    """Commands that print what they have worked out."""

    script: str
    sentence: str = ""
    """What a solver has to be told of it."""


def fill_empty_loops(script: str) -> Printing | None:
    """The commands with every loop that has only comments in it printing its variable; None when there is no such
    loop."""
    source = script.encode()
    found = [loop for loop in walk_nodes(parse_script(script)) if loop.type == "for_statement" and _is_empty(loop)]
    for loop in reversed(found):
        body = loop.child_by_field_name("body")
        assert body is not None
        line = f'do printf "%s\\n" "${_name_in(loop)}"; done'.encode()
        source = source[: body.start_byte] + line + source[body.end_byte :]
    if not found:
        return None
    names = " and ".join(f"`{name}`" for name in dict.fromkeys(map(_name_in, found)))
    return Printing(source.decode(), f"What {names} is set to, one after the other, is printed, one on each line.")


def print_variables(script: str) -> Printing | None:
    """The commands with the variables that they work out printed at the end; None when they print something already, or
    work nothing out."""
    root = parse_script(without_comments(script))
    if any(read_text(call.child_by_field_name("name")) in ("echo", "printf", "cat") for call in _open_commands(root)):
        return None
    names = list(dict.fromkeys(_results(root)))
    if not names or len(names) > MOST_VARIABLES:
        return None
    arguments = " ".join(f'"${{{name}[@]}}"' for name in names)
    values = ", then ".join(f"`{name}`" for name in names)
    of_list = "; of a list every element" if LISTS.search(script) else ""
    said = f"It prints what it works out ({values}), each on a line of its own{of_list}."
    return Printing(f"{script}\nprintf '%s\\n' {arguments}", said)


def _open_commands(node: Node) -> Iterator[Node]:
    """The commands whose output is not taken by an assignment."""
    if node.type == "command":
        yield node
    for child in node.named_children:
        if child.type != "command_substitution":
            yield from _open_commands(child)


def _results(root: Node) -> Iterator[str]:
    """Variables that are given what was worked out, at the top of the script."""
    for node in root.named_children:
        inner = node.named_children[0] if node.type == "redirected_statement" else node
        if inner.type == "variable_assignment" and _is_worked_out(inner):
            yield read_text(inner.child_by_field_name("name"))
        elif inner.type == "command" and read_text(inner.child_by_field_name("name")) in (
            "read",
            "mapfile",
            "readarray",
        ):
            words = [read_text(word) for word in inner.children_by_field_name("argument")]
            yield from (word for word in words[-1:] if word.isidentifier())


def _is_worked_out(assignment: Node) -> bool:
    value = assignment.child_by_field_name("value")
    parts = [part.type for part in walk_nodes(value)] if value is not None else []
    return any(part in ("expansion", "command_substitution", "arithmetic_expansion") for part in parts)


def _is_empty(loop: Node) -> bool:
    body = loop.child_by_field_name("body")
    return body is not None and all(child.type == "comment" for child in body.named_children)


def _name_in(loop: Node) -> str:
    return read_text(loop.child_by_field_name("variable"))
