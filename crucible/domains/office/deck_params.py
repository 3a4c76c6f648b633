"""What is asked of an edited deck: the parameters of the verifier `deck`."""

from __future__ import annotations

from crucible.record import Record


class DeckParams(Record):
    """What is asked of one deck that an attempt leaves."""

    path: str
    """Where it lies; a relative path is below the workdir."""
    given: str
    """The digest of the deck that the task begins with."""
    gold: str
    """The digest of a deck in which everything was done that is asked for, and nothing else."""
