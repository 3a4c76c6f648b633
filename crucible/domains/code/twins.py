"""Twins: the task's own tests with an expected value or a condition altered, so that right code must fail them.

An attempt that passes a twin passes whatever it is asked: it did not solve the task, it talked to the tests.
"""

from __future__ import annotations

from crucible.record import Record


class Twin(Record):
    """One altered place in one of the task's test files."""

    path: str
    """The test file, below the workdir."""
    start: int
    """Where the altered text begins in the file's text, in characters."""
    end: int
    text: str
    """What stands there instead."""
    test: str = ""
    """The test that holds the place, as its language names it (`TestShelf::test_adds`, `shelf > adds`); empty where the
    file as a whole is one test."""
    line: int = 0
    """The line of the place, counted from 1."""
    is_value: bool = False
    """Whether an expected value was altered; otherwise a condition was turned round."""
    is_near: bool = False
    """Whether that value may be no expected one, but what it is computed from, or what is handed to the code under
    test: other right code may make something else of it."""
    fails: tuple[str, ...] = ()
    """Ids of the tests that right code fails with this alteration, as seen when the task was proven."""
    gone: tuple[str, ...] = ()
    """Ids of the tests that are called otherwise with this alteration: pytest names a test after its parameters."""

    is_proven: bool = True
    """Whether right code was seen to fail it. Otherwise it is known to fail one of `fails` at most, and that is looked
    into where an attempt fails none."""
    is_denied: bool = False
    """Whether right code was seen to pass its test where that asserts of altered values, in this and all other places,
    that they are not so."""
    is_copied: bool = False
    """Whether copies of its test may be run beside it: they were, in little time, when the task was proven."""
    is_told: bool = False
    """Whether the output of right code has the right value where a test with this place altered fails."""
    is_told_beside: bool = False
    """Whether it has it beside the altered one."""
    shown: str = ""
    """The line or lines in which the log of right code names both the altered value and, as what it got, the right one;
    empty where it does not."""

    @property
    def place(self) -> tuple[str, int, int, str]:
        """What tells one alteration from another: the file, where in it, and the new text."""
        return self.path, self.start, self.end, self.text

    @property
    def touched(self) -> frozenset[str]:
        """The tests of which a run with this alteration says nothing."""
        return frozenset((*self.fails, *self.gone))
