"""The values of a workflow: drawn anew for each playing, and put where a rubric names them in braces.

    values = draw_values({"item": "words", "price": "number"}, Random(7))
    fill_text("{item}: {price * 2}", values)          # amber fox river: 164

Simple arithmetic over drawn numbers says what an application must have computed: a result that is hard-coded, or taken
from an example, is then wrong. Numbers are written plainly, with two decimals at most: `98.6`, `212`.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation
from random import Random

from crucible.domains.web.rubric import PLACE, ValueKind
from crucible.record import Json

CONSONANTS, VOWELS = "bdfgklmnprstvz", "aeiou"
NOBODYS = "example.com"
"""Addresses are below a name that is kept free, under a top-level domain that exists: validators ask for one."""
OPERATORS: dict[type[ast.operator], Callable[[Decimal, Decimal], Decimal]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


def draw_values(kinds: Mapping[str, ValueKind], random: Random) -> dict[str, str]:
    """A value of each kind, by name; no two of the same kind are alike."""
    values: dict[str, str] = {}
    for name, kind in kinds.items():
        while (value := DRAWING[kind](random)) in values.values():
            continue
        values[name] = value
    return values


def fill_text(text: str, values: Mapping[str, str]) -> str:
    """The text with the value, or the result, of each expression in braces; ValueError where one names no value."""
    return PLACE.sub(lambda place: _evaluate(place[1], values), text)


def fill_json(body: Json, values: Mapping[str, str]) -> Json:
    """A JSON value with every text in it filled. A text that is one expression becomes a number where the rubric
    begins it with a plus: `{+price}`."""
    if isinstance(body, str):
        return _to_number(fill_text("{" + body[2:], values)) if body.startswith("{+") else fill_text(body, values)
    if isinstance(body, list):
        return [fill_json(each, values) for each in body]
    if isinstance(body, dict):
        return {fill_text(name, values): fill_json(each, values) for name, each in body.items()}
    return body


def _to_number(text: str) -> int | float:
    return int(text) if text.lstrip("-").isdigit() else float(text)


def _evaluate(expression: str, values: Mapping[str, str]) -> str:
    if expression.strip() in values:
        return values[expression.strip()]
    try:
        return _write_number(_compute(ast.parse(expression.strip(), mode="eval").body, values))
    except (SyntaxError, InvalidOperation, KeyError, ZeroDivisionError) as wrong:
        raise ValueError(f"{{{expression}}} cannot be filled in: the values are {', '.join(values)}") from wrong


def _compute(node: ast.expr, values: Mapping[str, str]) -> Decimal:
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        return OPERATORS[type(node.op)](_compute(node.left, values), _compute(node.right, values))
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return Decimal(str(node.value))
    if isinstance(node, ast.Name):
        return Decimal(values[node.id])
    raise ValueError(f"only + - * / over values can be computed, not {ast.unparse(node)}")


def _write_number(number: Decimal) -> str:
    return f"{number.quantize(Decimal('0.01')):f}".rstrip("0").rstrip(".")


def _draw_word(random: Random) -> str:
    """A word that nobody has written before: three syllables."""
    return "".join(random.choice(CONSONANTS) + random.choice(VOWELS) for _ in range(3))


DRAWING: dict[ValueKind, Callable[[Random], str]] = {
    "word": _draw_word,
    "words": lambda random: " ".join(_draw_word(random) for _ in range(3)),
    "number": lambda random: str(random.randint(12, 97)),
    "amount": lambda random: f"{random.randint(101, 9899) / 100:.2f}",
    "email": lambda random: f"{_draw_word(random)}@{_draw_word(random)}.{NOBODYS}",
    "date": lambda random: f"{random.randint(2025, 2029)}-{random.randint(1, 12):02}-{random.randint(1, 28):02}",
    "password": lambda random: f"{_draw_word(random).title()}{random.randint(100, 999)}!{_draw_word(random)}",
    "url": lambda random: f"https://{_draw_word(random)}.{NOBODYS}/{_draw_word(random)}",
}
"""How a value of each kind is drawn."""
