"""Code in other words: it reads otherwise and does the same."""

from __future__ import annotations

import ast
import sys
from typing import Any

import pytest

from crucible.domains.code.syntax_trees import parse_tree
from pipelines.swe.transforms.rewrite import Depth, rewrite_file
from pipelines.swe.transforms.rewrite.beside import write_beside

PYTHON = '''"""Sums."""
from __future__ import annotations

LIMIT = 3  # a comment


def rate(amounts, least=2):
    """Adds what is not small."""
    total = 0
    for amount in amounts:
        if amount < least:
            continue
        elif amount == 7:
            total += amount * LIMIT
        else:
            total = total + amount - 1
    return "none" if not total else f"{total + 1}"
'''


@pytest.mark.parametrize("depth", ["deep", "light"])
def test_python_reads_otherwise_and_does_the_same(depth: Depth) -> None:
    text = rewrite_file("a.py", PYTHON, depth) or ""
    first: dict[str, object] = {}
    second: dict[str, object] = {}
    exec(compile(PYTHON, "a", "exec"), first)
    exec(compile(text, "b", "exec"), second)
    for amounts in ([], [1, 2, 3], [7], [1.5, 9]):
        assert first["rate"](amounts) == second["rate"](amounts)  # type: ignore[operator]
    assert first["rate"].__code__.co_varnames != second["rate"].__code__.co_varnames  # type: ignore[attr-defined]
    assert (first["rate"].__code__.co_code == second["rate"].__code__.co_code) == (depth == "light")  # type: ignore[attr-defined]
    assert ast.dump(ast.parse(text)) != ast.dump(ast.parse(PYTHON))
    assert "comment" not in text


def test_what_looks_at_its_own_variables_keeps_their_names() -> None:
    assert "total_value" not in (rewrite_file("a.py", "def f():\n    total = 1\n    return locals()\n", "deep") or "")


OTHERS = {
    "a.js": ("function f(a, b) { // why\n  if (a < b && a === 1) { return 1 }\n  return a }\n", "if (!(!("),
    "a.go": (
        "package a\n\nfunc F(a int) bool {\n\tif a < 3 {\n\t\treturn true\n\t}\n\treturn a == 4\n}\n",
        "(3) > (a)",
    ),
    "A.java": ("class A { int f(int a) { if (a >= 2) return 1; return 0; } }", "(2) <= (a)"),
    "a.rs": ("fn f(a: u8) -> bool {\n    if let Some(x) = g() { return x < a; }\n    a != 2\n}\n", "(2) != (a)"),
    "a.c": ("int f(int a) { /* b */ if (a < 2 + 1) return 1; return 0; }\n", "(2 + 1) > (a)"),
    "a.rb": ("def f(a)\n  # why\n  if a < 3\n    1\n  end\nend\n", "(3) > (a)"),
}


@pytest.mark.parametrize("path", OTHERS)
def test_other_languages_are_written_otherwise(path: str) -> None:
    text, part = OTHERS[path]
    written = rewrite_file(path, text, "deep") or ""
    assert part in written
    assert "why" not in written
    assert parse_tree(path, written) is not None


def test_what_tools_read_in_comments_stays() -> None:
    assert "//go:embed a" in (rewrite_file("a.go", "package a\n\n//go:embed a\nvar b string // c\n", "light") or "")


def test_a_line_of_documentation_stays_whole_in_rust() -> None:
    text = "//! Sums.\n\n/// One more.\n#[inline]\npub fn f(a: u8) -> u8 {\n    a + 1 // why\n}\n"
    assert (rewrite_file("a.rs", text, "deep") or "").startswith(text.partition(" // why")[0])


def test_a_language_without_grammar_is_left() -> None:
    assert rewrite_file("a.pl", "sub f { 1 }\n", "deep") is None


AGE = 'LIMIT = 30\n\n\ndef age(days):\n    """Days of the month."""\n    return days % LIMIT\n'
WRONG_AGE = AGE.replace("% LIMIT", "% 29")


@pytest.mark.parametrize(("own_acts", "days"), [(True, 10), (False, 11)])
def test_of_two_versions_in_one_function_one_acts_and_the_texts_of_both_are_there(own_acts: bool, days: int) -> None:
    written = write_beside("a.py", AGE, WRONG_AGE, own_acts) or ""
    names: dict[str, Any] = {"__name__": "a"}
    exec(compile(rewrite_file("a.py", written, "deep") or "", "a", "exec"), names)
    assert names["age"](40) == days
    assert names["age"].__doc__ == "Days of the month."
    assert {"LIMIT"} <= {*names["age"].__code__.co_names}
    assert "29" in names["age"].__code__.co_consts


@pytest.mark.parametrize(("own_acts", "days"), [(True, 10), (False, 11)])
def test_both_versions_are_executed_and_one_of_them_gives_the_answer(own_acts: bool, days: int) -> None:
    written = write_beside("a.py", AGE, WRONG_AGE, own_acts, run="both") or ""
    names: dict[str, Any] = {"__name__": "a"}
    exec(compile(rewrite_file("a.py", written, "deep") or "", "a.py", "exec"), names)
    seen: set[str] = set()

    def trace(frame: Any, event: str, _: object) -> Any:
        seen.update(map(str, (*frame.f_code.co_names, *frame.f_code.co_consts)))
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    answer = names["age"](40)
    sys.settrace(before)
    assert answer == days
    assert {"LIMIT", "29"} <= seen


def test_what_the_other_version_raises_is_dropped_and_methods_have_their_arguments() -> None:
    text = "class A:\n    def f(self, a, *more, b=2, **named):\n        return (a, more, b, named)\n"
    written = write_beside("a.py", text, text.replace("return (a", "raise OSError(a"), run="both") or ""
    names: dict[str, Any] = {"__name__": "a"}
    exec(compile(rewrite_file("a.py", written, "deep") or "", "a.py", "exec"), names)
    assert names["A"]().f(1, 3, b=4, c=5) == (1, (3,), 4, {"c": 5})


def test_code_that_is_apart_gives_the_other_answer_where_both_are_alike() -> None:
    right, wrong = "def f(a):\n    return 1 // a\n", "def f(a):\n    return float(1 // a) if a != 2 else 7\n"
    written = write_beside("a.py", right, wrong, own_acts=False, run="apart") or ""
    names: dict[str, Any] = {"__name__": "a"}
    exec(compile(rewrite_file("a.py", written, "deep") or "", "a.py", "exec"), names)
    assert (type(names["f"](1)), names["f"](2)) == (int, 7)
    with pytest.raises(ZeroDivisionError):
        names["f"](0)


BESIDE = {
    "a.js": "class A { f (a) { return a + 1 } }\n",
    "a.ts": "function f(a: number): number { return a + 1 }\n",
    "a.go": "package a\n\nfunc (t T) F(a int) int { return a + 1 }\n",
    "A.java": "class A { int f(int a) { return a + 1; } }",
    "a.rs": "impl A { fn f(a: u8) -> u8 { a + 1 } }",
    "a.c": "int f(int a) { return a + 1; }",
    "a.rb": "class A\n  def f(a)\n    a + 1\n  end\nend\n",
    "a.php": "<?php class A { function f($a) { return $a + 1; } }",
}


@pytest.mark.parametrize("path", BESIDE)
def test_other_languages_have_both_versions_in_one_function(path: str) -> None:
    right, wrong = BESIDE[path], BESIDE[path].replace("+ 1", "+ 22")
    first, second = write_beside(path, right, wrong) or "", write_beside(path, right, wrong, own_acts=False) or ""
    assert first != second
    for written in (first, second):
        assert parse_tree(path, written) is not None
        assert written.count("+ 1") == written.count("+ 22") == 1
    assert write_beside(path, right, right) is None


def test_the_version_that_never_acts_does_not_always_stand_first() -> None:
    texts = [AGE.replace("30", str(n)).replace("LIMIT\n", f"{n}\n") for n in range(12)]
    written = [write_beside("a.py", text, WRONG_AGE.replace("29", str(n + 40))) or "" for n, text in enumerate(texts)]
    assert {"if not not __name__" in text for text in written} == {True, False}
