"""Statements are the same however they are written."""

from __future__ import annotations

import pytest

from crucible.domains.code.patches import apply_change, changes
from crucible.domains.code.statements import read_statements

SAME = {
    "a.py": (
        'def area(kind, a):\n    """Old."""\n    if kind == 1:\n        return round(a, 2)\n    return a.size\n',
        "def area(sort: int, x: float) -> int:\n    if (\n        sort == 1  # one\n    ): return round(x,\n 2)\n"
        "    return (x\n    .size)\n",
    ),
    "a.js": (
        "function area(kind, a) {\n  if (kind === 1) return round(a, 2);\n  const b = a.size;\n  return b;\n}\n",
        "function area(sort, x) { // so\n  if (sort === 1) {\n return round(x,\n 2)\n }\n  const y =\n x.size\n"
        "  return y\n}\n",
    ),
    "a.go": (
        "package a\n\nfunc Area(k int) int {\n\tif k == 1 {\n\t\treturn Round(k, 2)\n\t}\n\treturn 7\n}\n",
        "package a\nfunc Area(n int) int { /* so */ if n == 1 { return Round(n,\n2) }; return 7 }\n",
    ),
    "a.rb": (
        "def area(k)\n  if k == 1\n    return round(k, 2)\n  end\n  k.size\nend\n",
        "def area n # so\n  if n == 1 then return round(n,\n 2) end\n  n.size\nend\n".replace("area n", "area(n)"),
    ),
    "A.java": (
        "class A {\n  int area(int k) {\n    if (k == 1) {\n      return round(k, 2);\n    }\n    return 7;\n  }\n}\n",
        "class A { int area(int n) { if (n == 1) return round(n,\n2); /* so */ return 7; } }\n",
    ),
}


@pytest.mark.parametrize("path", SAME)
def test_line_breaks_comments_and_variables_do_not_matter(path: str) -> None:
    first, second = (read_statements(path, text) for text in SAME[path])
    assert first == second
    assert first.total() >= 3
    assert first != read_statements(path, SAME[path][0].replace("2", "3"))


@pytest.mark.parametrize("path", SAME)
def test_code_is_found_in_a_file_of_another_kind(path: str) -> None:
    text = SAME[path][0]
    kinds = {"." + path.partition(".")[2]}
    assert read_statements(path, text, kinds) <= read_statements("area.txt", text, kinds)
    assert not read_statements(path, text) <= read_statements("area.txt", "Area 7 is round.\n", kinds)


def test_code_is_found_within_a_text_and_beside_what_is_none() -> None:
    code = SAME["a.py"][1]
    assert read_statements("a.py", code) <= read_statements("b.py", f"exec('''\n{code}''')\n")
    assert read_statements("a.py", code) <= read_statements("b.dat", f"@@ no code (\n{code}", {".py"})


def test_a_language_without_a_grammar_is_read_by_lines() -> None:
    assert read_statements("a.lua", "local part = text.size  \nend\n") == {"_ _ = _.size": 1}


def test_a_very_long_file_is_read_in_parts_and_what_is_beyond_by_lines() -> None:
    code = SAME["a.py"][0]
    few, all_code = read_statements("a.py", code), read_statements("a.py", code * 4000)
    assert sum(4000 * n - all_code[statement] for statement, n in few.items()) < 5, "one is cut where a part ends"
    beyond = read_statements("a.py", "# so\n" * 1_700_000 + code)
    assert read_statements("a.lua", code) <= beyond


def test_a_change_is_applied_to_a_text() -> None:
    patch = "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1,3 +1,4 @@\n one\n-two\n+2\n+more\n three\n"
    [change] = changes(patch)
    assert apply_change("one\ntwo\nthree\n", change) == "one\n2\nmore\nthree\n"


@pytest.mark.parametrize("path", ["a.py", "a.js", "a.txt"])
def test_what_is_padded_or_broken_up_by_signs_that_nobody_sees_is_read(path: str) -> None:
    code = SAME["a.py" if path == "a.txt" else path][0]
    plain = read_statements(path, code, {".py"} if path == "a.txt" else {})
    comment = "// so\n" if path == "a.js" else "# so\n"
    for padded in (comment * 100_000 + code, code + comment * 100_000, code.replace("return", "ret\0urn")):
        found = read_statements(path, padded, {".py"} if path == "a.txt" else {})
        assert plain <= found
