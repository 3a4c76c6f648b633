"""Small faults put into source code, by operators over syntax trees: Python's own, and tree-sitter's for others."""

from __future__ import annotations

from collections.abc import Iterator

from crucible.domains.code.inline_tests import find_tests, may_hold_tests
from crucible.domains.code.languages import syntax_of
from crucible.domains.code.mutate import python, syntax
from crucible.domains.code.mutate.edit import Edit, Mutant
from crucible.record import digest


def can_mutate(path: str) -> bool:
    """Whether there are operators for the file's language."""
    return path.endswith(".py") or syntax_of(path) is not None


def list_mutants(path: str, text: str, seed: str) -> list[Mutant]:
    """Every fault the operators know, in an order that the seed decides and nothing else. None in a file that
    cannot be parsed."""
    edits = python.find_edits(text) if path.endswith(".py") else syntax.find_edits(path, text)
    mutants = {mutant.text: mutant for mutant in _apply_edits(path, text, _drop_edits_in_tests(path, text, edits))}
    return sorted(mutants.values(), key=lambda mutant: digest(seed, path, mutant.operator, mutant.line, mutant.text))


def _drop_edits_in_tests(path: str, text: str, edits: Iterator[Edit]) -> Iterator[Edit]:
    """The edits outside of tests that live in the file: a fault in a test is none of the code's."""
    held = find_tests(text) if may_hold_tests(path) else []
    tests = [range(len(text[: test.start].encode()), len(text[: test.end].encode())) for test in held]
    return (edit for edit in edits if not any(edit.start in test for test in tests))


def _apply_edits(path: str, text: str, edits: Iterator[Edit]) -> Iterator[Mutant]:
    """The file once for each edit that changes it, with that edit alone."""
    data = text.encode()
    for edit in edits:
        changed = data[: edit.start] + edit.text.encode() + data[edit.end :]
        if changed != data:
            line = data[: edit.start].count(b"\n") + 1
            yield Mutant(path=path, operator=edit.operator, line=line, text=changed.decode())
