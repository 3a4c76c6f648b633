"""Definitions made void, in the languages that have a grammar."""

from __future__ import annotations

import pytest

from crucible.domains.code.voiding import definition_bodies, void_definition

PYTHON = "X = 1\n\n\nclass A:\n    def f(self):\n        return 1\n\n\nclass E(Exception):\n    pass\n"
VOID = {
    ("a.py", PYTHON, "X"): "X = 1\nX = None\n",
    ("a.py", PYTHON, "A"): "def f(self):\n        return None\n",
    ("a.py", PYTHON, "A.f"): "def f(self):\n        return None\n",
    ("a.py", PYTHON, "E"): "pass\nE = None\n",
    ("a.go", "package a\n\nfunc Area(x int) int { return x }\n", "Area"): '{ panic("void");  return x }',
    ("a.js", "export const area = (x) => x * 2;\n", "area"): "(x) => undefined;",
    ("a.js", "exports.area = function (x) { return x };\n", "area"): "{ return undefined;  return x }",
    ("a.js", "class S { m(a) { return a } }\n", "S"): "m(a) { return undefined;  return a }",
    ("a.ts", "export function f(x: number): number { return x }\n", "f"): "return undefined as never;",
    ("A.java", "class A { int f(int x) { return x; } }", "f"): "{ if (true) throw new RuntimeException",
    ("a.c", "static int *area(int *x) { return x; }\n", "area"): "{ __builtin_trap();  return x; }",
    ("a.rs", "pub struct S;\nimpl S { pub fn a(&self) -> u8 { 3 } }\n", "S"): '{ if true { panic!("void") }  3 }',
    ("a.rb", "module A\n  def self.f(x)\n    x + 1\n  end\nend\n", "f"): "return nil\nx + 1",
    ("a.php", "<?php\nclass A { function f(): int { return 1; } }\n", "f"): '{ throw new \\Error("void");  return 1; }',
}


@pytest.mark.parametrize(("path", "text", "name"), VOID)
def test_what_a_name_defines_is_made_void(path: str, text: str, name: str) -> None:
    assert VOID[path, text, name] in (void_definition(path, text, name) or "")


QUIET = {
    "func f(x int) (int, error) { return x, nil }": "return *new(int), *new(error);",
    "func f(x int) (n int, err error) { return x, nil }": "return;",
    "func f() *int { return nil }": "return *new(*int);",
    "func (s S) f() { s.g() }": "return;",
}


@pytest.mark.parametrize("text", QUIET)
def test_a_quiet_void_answers_where_the_other_would_end_the_run(text: str) -> None:
    assert f"{{ {QUIET[text]} " in (void_definition("a.go", f"package a\n\n{text}\n", "f", quietly=True) or "")


@pytest.mark.parametrize(("path", "text"), [("a.py", "def g(:\n"), ("a.go", "package a\n"), ("a.pl", "sub f { 1 }\n")])
def test_what_cannot_be_made_void_is_left(path: str, text: str) -> None:
    assert void_definition(path, text, "f") is None


def test_a_copy_is_known_whatever_its_layout() -> None:
    first = definition_bodies("a.py", 'def f(x):\n    """Old."""\n    return (x + 1)  # one\n')
    assert first["f"] == definition_bodies("a.py", "def g(x): return x + 1\n")["g"]
    assert first["f"] == definition_bodies("a.py", "def g(y): return y + 1\n")["g"]
    assert first["f"] != definition_bodies("a.py", "def g(y): return y + 2\n")["g"]
    bodies = definition_bodies("a.js", "function f(x) { // a\n return x.b }\nconst g = (y) => { return y.b }\n")
    assert bodies["f"] == bodies["g"] == "{ return _ . b }"


@pytest.mark.parametrize(("path", "text"), [("a.py", "A = {1: 2}\n"), ("a.ts", "export const A: B = {1: 2}\n")])
def test_what_a_variable_holds_is_known_too(path: str, text: str) -> None:
    moved = text.replace("A", "OTHER", 1)
    assert definition_bodies(path, text)["A"] == definition_bodies(path, moved)["OTHER"]
