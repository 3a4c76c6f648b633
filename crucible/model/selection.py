"""Which of the accepted attempts at a task are kept, and why."""

from __future__ import annotations

from crucible.record import Record


class Choice(Record):
    """Whether a selection kept one attempt, and why."""

    trajectory_id: str
    kept: bool
    score: float
    length: int
    """Characters the teacher wrote: thinking, text and arguments."""
    reason: str


class Selection(Record):
    """Which attempts at a task were kept, by which policy, out of which."""

    task_id: str
    policy: str
    keep: int
    where: str = ""
    """The filter that attempts had to meet."""
    choices: tuple[Choice, ...]

    @property
    def keeps_any(self) -> bool:
        """Whether it keeps anything: an attempt is handed the selection that keeps it, and no other."""
        return any(choice.kept for choice in self.choices)

    def has_kept(self, trajectory_id: str) -> bool:
        """Whether the selection keeps this attempt."""
        return any(choice.kept and choice.trajectory_id == trajectory_id for choice in self.choices)
