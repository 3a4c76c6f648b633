"""Faults are put in by operators, in several languages, the same ones for the same seed."""

import ast

import pytest

from crucible.domains.code.mutate import can_mutate, list_mutants

PYTHON = '''"""Ä."""
LIMIT = 3


def pick(items, wanted, default=0):
    """Ö."""
    if not items:
        return default
    total = 0
    for item in items:
        if item < wanted and total != 7:
            total += item - 1
    note(total, wanted)
    return total
'''

JAVASCRIPT = """const LIMIT = 3;
function pick(items, wanted) {
  if (!items.length) return 0;
  let total = 0;
  for (const item of items) {
    if (item < wanted && total !== 7) { total = total - 1; }
  }
  note(total, wanted);
  return total;
}
"""

GO = """package pick

const limit = 3

func Pick(items []int, wanted int) int {
	if !ready(items) {
		return 0
	}
	total := 0
	for _, item := range items {
		if item < wanted && total != 7 {
			total = total - 1
		}
	}
	note(total, wanted)
	return total
}
"""

TYPESCRIPT = JAVASCRIPT.replace("(items, wanted)", "(items: number[], wanted: number): number", 1)

RUST = """const LIMIT: i32 = 3;
fn pick(items: &[i32], wanted: i32) -> i32 {
    if !ready(items) {
        return 0;
    }
    let mut total = 0;
    for item in items {
        if *item < wanted && total != 7 { total = total - 1; }
    }
    note(total, wanted);
    total
}

#[cfg(test)]
mod tests {
    #[test]
    fn picks() { assert_eq!(super::pick(&[1 + 1], 2), 2 - 1); if 1 < 2 { note(1, 2); } }
}
"""

C = """static const int limit = 3;
int pick(const int *items, int count, int wanted) {
  if (!ready(items)) return 0;
  int total = 0;
  for (int i = 0; i < count; i++) {
    if (items[i] < wanted && total != 7) { total = total - 1; }
  }
  note(total, wanted);
  return total;
}
"""

JAVA = (
    f"class Pick {{ {C.replace('static const int limit', 'static final int LIMIT').replace('const int *', 'int[] ')} }}"
)

PHP = """<?php const LIMIT = 3;
function pick($items, $wanted) {
    if (!ready($items)) { return 0; }
    $total = 0;
    foreach ($items as $item) {
        if ($item < $wanted && $total !== 7) { $total = $total - 1; }
    }
    note($total, $wanted);
    return $total;
}
"""

RUBY = """LIMIT = 3
def pick(items, wanted)
  return 0 if !ready(items)
  total = 0
  items.each do |item|
    total = total - 1 if item < wanted && total != 7
  end
  note(total, wanted)
  total
end
"""

EVERYWHERE = {
    *("comparison", "negated condition", "dropped guard", "swapped arguments", "removed not"),
    *("wrong constant", "dropped statement", "arithmetic", "and for or"),
}


SOURCES = {
    **{"a.py": PYTHON, "a.js": JAVASCRIPT, "a.go": GO, "a.ts": TYPESCRIPT, "a.tsx": TYPESCRIPT, "a.rs": RUST, "a.c": C},
    **{"a.cpp": C, "a.java": JAVA, "a.php": PHP, "a.rb": RUBY},
}


@pytest.mark.parametrize(("path", "text"), SOURCES.items())
def test_every_operator_finds_its_place_and_leaves_the_rest(path: str, text: str) -> None:
    found = list_mutants(path, text, "seed")
    unknown = {"dropped statement"} if path == "a.rb" else set()
    assert {mutant.operator for mutant in found} >= EVERYWHERE - unknown
    limits = {mutant.text.splitlines()[1 if path == "a.py" else 2 if path == "a.go" else 0] for mutant in found}
    assert len(limits) == 2, "outside of functions nothing but the number is another"
    for mutant in found:
        differing = [a for a, b in zip(text.splitlines(), mutant.text.splitlines(), strict=False) if a != b]
        assert differing
        assert mutant.line <= len(text.splitlines())


def test_python_with_a_fault_is_still_python() -> None:
    found = list_mutants("a.py", PYTHON, "seed")
    assert "wrong variable" in {mutant.operator for mutant in found}
    for mutant in found:
        ast.parse(mutant.text)


def test_the_seed_decides_the_order_and_nothing_else() -> None:
    assert list_mutants("a.py", PYTHON, "1") == list_mutants("a.py", PYTHON, "1")
    assert list_mutants("a.py", PYTHON, "1") != list_mutants("a.py", PYTHON, "2")
    assert sorted(m.text for m in list_mutants("a.py", PYTHON, "1")) == sorted(
        m.text for m in list_mutants("a.py", PYTHON, "2")
    )


@pytest.mark.parametrize(("path", "text"), [("a.py", "def f(:\n"), ("a.js", "function ("), ("a.go", "func (")])
def test_what_does_not_parse_gets_no_fault(path: str, text: str) -> None:
    assert list_mutants(path, text, "seed") == []


def test_only_languages_with_operators_are_mutated() -> None:
    assert can_mutate("a/b.mjs")
    assert not can_mutate("a/b.lua")


def test_a_test_that_lives_in_the_source_gets_no_fault() -> None:
    tests = RUST[RUST.index("#[cfg(test)]") :]
    assert all(mutant.text.endswith(tests) for mutant in list_mutants("a.rs", "// Ä\n" + RUST, "seed"))
