"""Where the nodes of Python's syntax tree stand in a text, in characters."""

from __future__ import annotations

import ast
import re

Node = ast.expr | ast.stmt


class PythonText:
    """A text whose lines are counted as Python counts them."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._lines = [0, *(match.end() for match in re.finditer(r"\r\n|\r|\n", text))]

    def source(self, node: Node) -> str:
        """The text of a node."""
        return self._text[self.start(node) : self.end(node)]

    def start(self, node: Node) -> int:
        """Where a node begins."""
        return self._offset(node.lineno, node.col_offset)

    def end(self, node: Node) -> int:
        """Where a node ends."""
        return self._offset(node.end_lineno or node.lineno, node.end_col_offset or 0)

    def start_of_line(self, node: Node) -> int:
        """Where the line begins that a node begins on."""
        return self._lines[node.lineno - 1]

    def end_of_line(self, node: Node) -> int:
        """Behind the last line of a node, its comment included."""
        ending = re.compile(r"[^\r\n]*").match(self._text, self.end(node))
        return ending.end() if ending else len(self._text)

    def _offset(self, line: int, column: int) -> int:
        """The tree counts columns in bytes of UTF-8."""
        start = self._lines[line - 1]
        return start + len(self._text[start : start + column].encode()[:column].decode(errors="ignore"))
