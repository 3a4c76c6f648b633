"""Small faults put into source code, by operators over syntax trees: Python's own, and tree-sitter's for others."""

from __future__ import annotations

from collections.abc import Iterator

from crucible.domains.code.inline_tests import find_tests, may_hold_tests
from crucible.record import digest
from pipelines.swe.transforms.mutate import python, syntax
from pipelines.swe.transforms.mutate.edit import Edit, Mutant


def can_mutate(path: str) -> bool:
    """Whether there are operators for the file's language."""
    return path.endswith(".py") or syntax.language(path) is not None


def mutants(path: str, text: str, seed: str) -> list[Mutant]:
    """Every fault the operators know, in an order that the seed decides and nothing else. None in a file that
    cannot be parsed."""
    edits = python.edits(text) if path.endswith(".py") else syntax.edits(path, text)
    made = {mutant.text: mutant for mutant in _made(path, text, _outside_tests(path, text, edits))}
    return sorted(made.values(), key=lambda mutant: digest(seed, path, mutant.operator, mutant.line, mutant.text))


def _outside_tests(path: str, text: str, edits: Iterator[Edit]) -> Iterator[Edit]:
    """A fault in a test that lives in the file is none of the code's."""
    held = find_tests(text) if may_hold_tests(path) else []
    tests = [range(len(text[: one.start].encode()), len(text[: one.end].encode())) for one in held]
    return (edit for edit in edits if not any(edit.start in test for test in tests))


def _made(path: str, text: str, edits: Iterator[Edit]) -> Iterator[Mutant]:
    data = text.encode()
    for edit in edits:
        changed = data[: edit.start] + edit.text.encode() + data[edit.end :]
        if changed != data:
            line = data[: edit.start].count(b"\n") + 1
            yield Mutant(path=path, operator=edit.operator, line=line, text=changed.decode())
