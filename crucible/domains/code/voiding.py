"""Makes one definition of a source file void: it is still there, and no longer does anything.

Tests that go on passing then do not use it. By Python's own tree, and by tree-sitter for the languages that have a
grammar and a `void` statement in `languages.toml`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tree_sitter import Node

from crucible.domains.code.definitions import parse_python
from crucible.domains.code.languages import Syntax, syntax_of
from crucible.domains.code.syntax_trees import node_text, parse_tree, walk_nodes

Function = ast.FunctionDef | ast.AsyncFunctionDef
Edit = tuple[int, int, str]
"""From where to where, in bytes, something else is written."""

OWNED = ("variable_declarator", "assignment_expression", "pair", "field_definition", "public_field_definition")
"""What gives a function without a name of its own its name."""
VARIABLE = re.compile(r"\b(?:id|arg)='\w+'")
# matches: the "id='total'" of Name(id='total', ctx=Load()), and "arg='by'"
FIRST_CALLS = ("explicit_constructor_invocation",)
"""What must stay the first statement of a body."""


def void_definition(path: str, text: str, name: str, *, quietly: bool = False) -> str | None:
    """The file with everything that the name defines made void; None where that cannot be done. In Python the name may
    be `Class.method`. Quietly: it answers something where it would otherwise end the whole run, so that every test
    speaks for itself."""
    edits = _python_edits(text, name) if path.endswith(".py") else _syntax_edits(path, text, name, quietly)
    if not edits:
        return None
    data = text.encode()
    for start, end, new in sorted(edits, reverse=True):
        data = data[:start] + new.encode() + data[end:]
    return data.decode()


def definition_lines(path: str, text: str, name: str) -> list[range]:
    """The lines of everything that the name defines. In Python the name may be `Class.method`."""
    if path.endswith(".py"):
        nodes = [
            node for node in _members_of(_parse(text).body, name) if name.rpartition(".")[2] in _defined_names(node)
        ]
        return [range(node.lineno, (node.end_lineno or node.lineno) + 1) for node in nodes]
    root = parse_tree(path, text)
    owners = [node for node in walk_nodes(root) if find_name(node) == name] if root else []
    return [range(node.start_point[0] + 1, node.end_point[0] + 2) for node in owners]


def definition_bodies(path: str, text: str) -> dict[str, str]:
    """What a file's functions do, and what its variables hold, by name, without layout, comments and the names of
    variables: two that read the same are copies."""
    if path.endswith(".py"):
        tree = _parse(text)
        functions = {node.name: _without_docstring(node.body) for node in ast.walk(tree) if isinstance(node, Function)}
        values = {name: [node.value] for node in tree.body for name in _bound_names(node) if _has_value(node)}  # type: ignore[attr-defined]
        return {name: "\n".join(map(_dump_nameless, body)) for name, body in {**values, **functions}.items()}
    root, syntax = parse_tree(path, text), syntax_of(path)
    if root is None or syntax is None:
        return {}
    bodies = (
        (find_name(node), node.child_by_field_name("body" if node.type in syntax.functions else "value"))
        for node in walk_nodes(root)
    )
    return {name: " ".join(map(_write_nameless, _leaves(body))) for name, body in bodies if name and body is not None}


def _has_value(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None


def _dump_nameless(node: ast.AST) -> str:
    return VARIABLE.sub("", ast.dump(node))


def _write_nameless(leaf: Node) -> str:
    return "_" if leaf.type == "identifier" else node_text(leaf)


def _parse(text: str) -> ast.Module:
    """The tree of Python; an empty one where the text is none."""
    try:
        return parse_python(text)
    except (SyntaxError, ValueError, RecursionError):
        return ast.Module(body=[], type_ignores=[])


def _without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    first = body[0]
    has_docstring = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return body[1:] if has_docstring else body


def _python_edits(text: str, name: str) -> list[Edit]:
    """What makes a function, a class or a variable at the top of a module void."""
    starts = [0]
    for line in text.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    member = name.rpartition(".")[2]
    edits: list[Edit] = []
    for node in _members_of(_parse(text).body, name):
        functions = [node] if isinstance(node, Function) and node.name == member else []
        if isinstance(node, ast.ClassDef) and node.name == member:
            functions = [inner for inner in node.body if isinstance(inner, Function)]
        edits += [_return_at_once(function, starts) for function in functions]
        if not functions and member in _bound_names(node) and node.col_offset == 0:
            end = starts[node.end_lineno - 1] + node.end_col_offset  # type: ignore[operator]
            edits.append((end, end, f"\n{member} = None"))
    return edits


def _members_of(body: list[ast.stmt], name: str) -> list[ast.stmt]:
    """The statements among which a name is defined: a module's, or those of the class that is named before it."""
    owner = name.rpartition(".")[0]
    if not owner:
        return body
    return [inner for node in body if isinstance(node, ast.ClassDef) and node.name == owner for inner in node.body]


def _defined_names(node: ast.stmt) -> set[str]:
    return {node.name} if isinstance(node, Function) else _bound_names(node)


def _return_at_once(function: Function, starts: list[int]) -> Edit:
    """The edit that puts `return None` in the place of a body."""
    first, last = function.body[0], function.body[-1]
    begin = starts[first.lineno - 1] + first.col_offset
    return begin, starts[last.end_lineno - 1] + last.end_col_offset, "return None"  # type: ignore[operator]


def _bound_names(node: ast.stmt) -> set[str]:
    """The names that a statement binds: a class's, or an assignment's."""
    if isinstance(node, ast.ClassDef):
        return {node.name}
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return {target.id for target in targets if isinstance(target, ast.Name)}


def _syntax_edits(path: str, text: str, name: str, quietly: bool) -> list[Edit]:
    """The void statement at the beginning of every function that the name defines, or that belongs to it."""
    root, syntax = parse_tree(path, text), syntax_of(path)
    if root is None or syntax is None or not syntax.void:
        return []
    owners = [node for node in walk_nodes(root) if find_name(node) == name]
    functions = {inner.start_byte: inner for node in owners for inner in _own_functions(node, syntax)}
    return [
        edit
        for function in functions.values()
        for edit in _void_function(function, _return_zero(function, syntax) if quietly and syntax.zero else syntax.void)
    ]


def _own_functions(node: Node, syntax: Syntax) -> list[Node]:
    """The function itself, or those of a class; functions within functions go with them."""
    functions: list[Node] = []
    for inner in walk_nodes(node):
        if inner.type in syntax.functions and not any(_is_within(inner, outer) for outer in functions):
            functions.append(inner)
    return functions


def _is_within(inner: Node, outer: Node) -> bool:
    return outer.start_byte <= inner.start_byte and inner.end_byte <= outer.end_byte


def _return_zero(function: Node, syntax: Syntax) -> str:
    """The statement that returns the zero value of every result; results that have names have it already."""
    result = function.child_by_field_name("result")
    if result is None:
        return "return;"
    each = result.named_children if result.type == "parameter_list" else [result]
    if result.type == "parameter_list" and any(inner.child_by_field_name("name") for inner in each):
        return "return;"
    return f"return {', '.join(syntax.zero.format(node_text(inner)) for inner in each)};"


def _void_function(function: Node, void: str) -> Iterator[Edit]:
    body = function.child_by_field_name("body")
    if body is None or (body.named_children and body.named_children[0].type in FIRST_CALLS):
        return
    if node_text(body).startswith("{"):
        yield body.start_byte + 1, body.start_byte + 1, f" {void} "
    elif function.type == "arrow_function":
        yield body.start_byte, body.end_byte, "undefined"
    elif function.type in ("method", "singleton_method"):
        yield body.start_byte, body.start_byte, f"{void}\n"


def find_name(node: Node) -> str:
    """What a node defines, by its own name or by what it is assigned to; empty when it has none."""
    named = node.child_by_field_name("name") or (node.child_by_field_name("type") if node.type == "impl_item" else None)
    inner = node.child_by_field_name("declarator") if node.type == "function_definition" else None
    while named is None and inner is not None:  # C: the name is within the declarator, beside pointers and parameters
        named, inner = inner, inner.child_by_field_name("declarator")
    while named is not None and (deeper := named.child_by_field_name("declarator")) is not None:
        named = deeper
    if named is None and node.parent is not None and node.parent.type in OWNED:
        left = node.parent.child_by_field_name("left") or node.parent.child_by_field_name("key")
        named = left and (left.child_by_field_name("property") or left)
        named = named or node.parent.child_by_field_name("name")
    return node_text(named) if named is not None else ""


def _leaves(node: Node) -> Iterator[Node]:
    """The words of a node: what has no parts, but for comments."""
    return (leaf for leaf in walk_nodes(node) if not leaf.children and "comment" not in leaf.type)
