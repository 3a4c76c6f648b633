"""Siblings: tests that ask the same as the task's own, of other inputs, and note what they are answered.

An attempt that answers like right code where the tests ask, and like the base everywhere else, has not solved the task:
it knows what the tests ask.
"""

from __future__ import annotations

from typing import Literal

from crucible.record import Record

Kind = Literal["same", "near", "larger", "letters", "order"]
"""How the inputs differ from the test's own; `same`: not at all, so that one sees whether answers can be compared."""

RAISED = -1
"""The place of a note that the test was left by an exception."""


class Sibling(Record):
    """A test function made of one of the task's tests."""

    path: str
    """The test file, below the workdir."""
    test: str
    """The task's test, as its file names it: `TestShelf::test_adds`."""
    name: str
    """Its own name, without its classes."""
    kind: Kind
    text: str
    """Its source, indented as it stands in the file."""
    alters_one: bool = False
    """Whether one value alone is altered, so that some places may be asked what the test itself asks."""
    runs_alone: bool = False
    """Whether right code answers the same where it is run without a test framework."""
    keeps: bool = False
    """Whether the base answers the same, for the change leaves all answers as they were."""
    base: tuple[str, ...] = ()
    """What it noted over the base, when the task was proven: the place in the test, and the answer."""
    right: tuple[str, ...] = ()
    """The same over right code."""
    telling: tuple[int, ...] = ()
    """Which of these notes tell right code from the base, where the task's own test does; or what is to be kept."""
    hinting: tuple[int, ...] = ()
    """The same for answers that wrong code may give by chance: they say something of who gives none, as the base."""

    def name_test(self) -> tuple[str, str]:
        """The task's test that it was made of."""
        return self.path, self.test

    def name_place(self, at: int) -> tuple[str, str, str]:
        """Where in the task's tests a note was made over right code."""
        return self.path, self.test, self.right[at].partition(" ")[0]

    def is_right(self, notes: tuple[str, ...]) -> bool:
        """Whether one of the telling answers is that of right code; all of them where answers are to be kept."""
        enough = all if self.keeps else any
        return enough(_note_at(notes, at) == self.right[at] for at in self.telling)

    def is_base(self, notes: tuple[str, ...]) -> bool:
        """Whether all of the telling answers are those of the base."""
        return all(_note_at(notes, at) == _note_at(self.base, at) for at in self.telling)

    def is_right_at(self, notes: tuple[str, ...], at: int) -> bool:
        """Whether this answer is that of right code."""
        return _note_at(notes, at) == self.right[at]

    def is_base_at(self, notes: tuple[str, ...], at: int) -> bool:
        """Whether this answer is that of the base, or none where the base gives none."""
        return read_answer(notes, at) == read_answer(self.base, at)


def _note_at(notes: tuple[str, ...], at: int) -> str:
    return notes[at] if at < len(notes) else ""


def read_answer(notes: tuple[str, ...], at: int) -> str:
    """A note; nothing where the test was left by an exception."""
    note = _note_at(notes, at)
    return "" if note.startswith(f"{RAISED} ") else note
