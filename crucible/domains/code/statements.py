"""The statements of code by its syntax tree, whatever its line breaks, comments and variables are, in any kind of file.

A statement that holds others is counted by its head. One of nothing but variables, texts and keywords says nothing.
"""

from __future__ import annotations

import ast
import copy
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from pathlib import PurePosixPath
from typing import Any

from tree_sitter import Node

from crucible.domains.code.definitions import parse_python
from crucible.domains.code.syntax_trees import node_text, parse_tree

Statements = Counter[str]
"""How often each statement is there."""

Function = ast.FunctionDef | ast.AsyncFunctionDef
BODIES = {"body", "orelse", "finalbody", "handlers", "cases", "decorator_list"}
"""The fields of a Python statement that are no part of its head."""
BLOCKS = {
    *("program", "source_file", "translation_unit", "module", "block", "statement_block", "compound_statement"),
    *("statement_list", "body_statement", "then", "else", "do", "block_body", "declaration_list", "class_body"),
    *("interface_body", "field_declaration_list", "constructor_body", "switch_body", "switch_block", "match_block"),
}
"""What the grammars call the places in which statements stand."""
STATEMENT = re.compile(r".*_(?:statement|declaration|definition|item|case|clause|arm|group)|when")
# matches: return_statement  switch_case  match_arm
IMPORT = re.compile(r"import_|package_|use_|using_|namespace_use_|preproc_include")
# matches the beginning of: import_declaration  package_clause
UNSAID = {*"(){};", "then", "end", ""}
"""Signs and words that may be added, or left out."""
VARIABLE = re.compile(r"(?<![.\w])[A-Za-z_]\w*+(?!\()")
# matches: the "part" and "text" of `part = text.strip()`, words of texts and keywords; no calls, no attributes
TOP_LEVEL = re.compile(r"\n(?=[^\s})\]])")
# matches: the end of the line before `def area():`
MOST_PIECES = 2_000
"""Pieces that are looked at of a text which is no code as a whole."""
LARGEST_CODE = 400_000
"""Characters that are read at once: a larger file is read in parts."""
MOST_PARTS = 20
"""What comes after so many is read by lines."""


def read_statements(path: str, text: str, languages: Collection[str] = ()) -> Statements:
    """The statements of a file, and of the texts in it. A file in none of these languages, which are suffixes, is read
    as if it were in each of them; and where a language has no grammar here, every line is a statement."""
    text = text.replace("\0", "")
    if len(text) > LARGEST_CODE:
        *parts, rest = _cut_parts(text)
        return count_together([*(read_statements(path, part, languages) for part in parts), _read_lines(rest)])
    suffix = PurePosixPath(path).suffix
    statements: Statements = Counter()
    for language in {suffix} if suffix in languages else {suffix, *languages}:
        statements |= _read_code(f"x{language}", text, languages) or _read_lines(text)
    return statements


def _cut_parts(text: str) -> list[str]:
    """The parts that are read at once, up to where a line begins at the top level, if there is one; and the rest."""
    parts: list[str] = []
    while text and len(parts) < MOST_PARTS:
        ends = [found.end() for found in TOP_LEVEL.finditer(text, 0, LARGEST_CODE)] if len(text) > LARGEST_CODE else []
        end = ends[-1] if ends else LARGEST_CODE
        parts.append(text[:end])
        text = text[end:]
    return [*parts, text]


def _read_code(path: str, text: str, languages: Collection[str]) -> Statements:
    """The statements of a text in the language of this path; where it is no such code, of its pieces that are."""
    whole = _read_whole(path, text, languages)
    if whole is not None:
        return whole
    pieces = TOP_LEVEL.split(text)[:MOST_PIECES]
    found = [_read_whole(path, piece, languages) for piece in pieces] if len(pieces) > 1 else []
    return Counter(statement for piece in found if piece for statement in piece.elements())


def _read_whole(path: str, text: str, languages: Collection[str]) -> Statements | None:
    """None where the text is no code of this language."""
    if path.endswith(".py"):
        try:
            written, texts = _read_python(parse_python(text))
        except (SyntaxError, ValueError, RecursionError):
            return None
    elif (root := parse_tree(path, text)) is not None:
        written, texts = _read_syntax(root)
    else:
        return None
    statements = Counter(filter(None, written))
    for inner in (inner for inner in texts if "\n" in inner):
        statements += read_statements("", inner, {*languages, PurePosixPath(path).suffix})
    return statements


def _read_lines(text: str) -> Statements:
    """Lines without the names of variables; of those that are nothing else, none."""
    lines = (VARIABLE.sub("_", line.strip()) for line in text.splitlines())
    return Counter(line for line in lines if re.search(r"[^\W_]", line))


def _read_python(tree: ast.Module) -> tuple[list[str], list[str]]:
    """The heads of all statements, and the texts."""
    nodes = list(ast.walk(tree))
    texts = [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    return [_write_head(node) for node in nodes if isinstance(node, ast.stmt)], texts


def _write_head(statement: ast.stmt) -> str:
    """A statement of Python without those within it; empty where it says nothing."""
    fields: dict[str, Any] = {name: [] if name in BODIES else value for name, value in ast.iter_fields(statement)}
    head = _Nameless().visit(copy.deepcopy(type(statement)(**fields)))
    if isinstance(head, ast.AnnAssign):
        head = ast.Assign(targets=[head.target], value=head.value or ast.Constant(value=None))
    return ast.dump(head) if isinstance(head, Function) or any(map(_says_something, ast.walk(head))) else ""


def _says_something(node: ast.AST) -> bool:
    """Whether it is an attribute, a number, or the name of what is called."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, int | float | complex) and not isinstance(node.value, bool)
    return isinstance(node, ast.Attribute) or (isinstance(node, ast.Name) and bool(node.id))


class _Nameless(ast.NodeTransformer):
    """Takes the names of variables, what is written in texts, and what types are said to be."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        self.generic_visit(node)
        if isinstance(node.func, ast.Name):
            node.func.id = name
        return node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Name(id="", ctx=node.ctx)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return ast.arg(arg="", annotation=None)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return ast.Constant(value="") if isinstance(node.value, str | bytes) else node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)


def _read_syntax(root: Node) -> tuple[list[str], list[str]]:
    """The same of any other language."""
    leaves = list(_list_leaves(root))
    heads: dict[int, list[str]] = {}
    telling: set[int] = set()
    for place, (leaf, statement) in enumerate(leaves):
        before = node_text(leaves[place - 1][0]) if place else ""
        after = node_text(leaves[place + 1][0]) if place + 1 < len(leaves) else ""
        word = _write_leaf(leaf, before, after)
        if word not in UNSAID:
            heads.setdefault(statement, []).append(word)
        if word != "_" and (leaf.is_named and word[:1].isalnum()):
            telling.add(statement)
    texts = [node_text(leaf) for leaf, _ in leaves if _is_text(leaf)]
    return [" ".join(words) for statement, words in heads.items() if statement in telling], texts


def _list_leaves(root: Node) -> Iterator[tuple[Node, int]]:
    """The words and signs of the code, each with a number for the innermost statement that it is of."""
    waiting = [(root, 0)]
    count = 0
    while waiting:
        node, statement = waiting.pop()
        if "comment" in node.type or IMPORT.match(node.type):
            continue
        if _is_statement(node):
            count += 1
            statement = count
        if not node.children:
            yield node, statement
        waiting += ((child, statement) for child in reversed(node.children))


def _is_statement(node: Node) -> bool:
    if node.type in BLOCKS or not node.is_named:
        return False
    return bool(STATEMENT.fullmatch(node.type)) or (node.parent is not None and node.parent.type in BLOCKS)


def _is_text(leaf: Node) -> bool:
    return "string" in leaf.type or (leaf.parent is not None and "string" in leaf.parent.type)


def _write_leaf(leaf: Node, before: str, after: str) -> str:
    """A word or sign as it stands, but for variables and what is written in texts."""
    word = node_text(leaf)
    if _is_text(leaf):
        return '""' if leaf.is_named else ""
    is_name = leaf.is_named and bool(re.match(r"[A-Za-z_@$]", word))
    return "_" if is_name and after != "(" and before not in (".", "?.", "->", "::") else word


def count_together(files: Iterable[Statements]) -> Statements:
    """The statements of several files."""
    return Counter(statement for statements in files for statement in statements.elements())
