"""The whole error model.

    CrucibleError            one line for the user; `remedy` says what to do
    |-- SettingsError        a setting is malformed or unknown
    |-- UnknownPart          no part has that name; the message lists the known ones
    |-- DuplicatePart        two parts claim one name
    |-- EngineMissing        an engine (Docker, Chromium, LibreOffice, git) does not answer
    |-- ServiceMissing       a service (browser, office, judge) is absent or broken: the item is set aside
    |-- NothingToExport      no attempt fits what an export was asked for
    |-- SchedulerGone        the Prefect server does not answer
    |-- StoreError           the ledger or the blob store cannot be read or written
    |-- SandboxError         the box broke: infrastructure, never a verdict on the agent
    |-- BoxExhausted         the occupant used up its box (disk, inodes): its own doing
    |-- Undecided            a verifier could not tell: the verdict is `error`, never `fail`
    |   |-- DocumentFailed   a document cannot be opened by the office suite, or does not come to an end
    |   `-- PageFailed       a page in the browser hangs, crashed, or lacks what was asked for
    |-- RecipeError          an image could not be built from its recipe
    |-- TeacherError         the teacher could not answer: infrastructure
    |   |-- NoAnswer         a model answered, but not as it was asked to
    |   |-- TeacherRefuses   the endpoint does not answer at all, or knows neither this key nor this model
    |   `-- BudgetSpent      the run's money or token budget is used up
    |-- Unpaid               this one item waits for the next run's money, or its key; others go on
    `-- Rejected             this one item is dropped, for a reason

A failed command is not an error: it is a `Done` with a non-zero code.
"""

from __future__ import annotations

from collections.abc import Mapping


class CrucibleError(Exception):
    """Something the user can read in one line and act upon."""

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.remedy = remedy

    def line(self) -> str:
        """The message and its remedy on one line."""
        text = " ".join(str(self).split())
        return f"{text} -> {self.remedy}" if self.remedy else text


class SettingsError(CrucibleError):
    """A setting is malformed or unknown."""


class UnknownPart(CrucibleError):
    """No part has that name."""


class DuplicatePart(CrucibleError):
    """Two parts claim one name."""


class EngineMissing(CrucibleError):
    """An engine the work needs does not answer."""


class ServiceMissing(CrucibleError):
    """A service that an item needs is absent or broken. The item is set aside with the reason; others go on."""

    def __init__(self, name: str, reason: str, remedy: str = "") -> None:
        super().__init__(f"the service '{name}' cannot be had: {reason}", remedy)
        self.name = name


class NothingToExport(CrucibleError):
    """No attempt fits what an export was asked for. Trainers cannot load a dataset without rows, so none is written."""

    def __init__(self, message: str, remedy: str, left_out: Mapping[str, int]) -> None:
        super().__init__(message, remedy)
        self.left_out = dict(left_out)


class SchedulerGone(CrucibleError):
    """The Prefect server does not answer; the work itself can do without it."""


class StoreError(CrucibleError):
    """The ledger or the blob store cannot be read or written."""


class SandboxError(CrucibleError):
    """The box broke. Whatever ran in it has no verdict; it is tried again."""


class BoxExhausted(CrucibleError):
    """The occupant used up its box. Its own doing, so it counts against the attempt."""

    def __init__(self, resource: str, detail: str) -> None:
        super().__init__(f"{resource}: {detail}")
        self.resource = resource


class Undecided(CrucibleError):
    """A verifier could not tell. The cascade turns it into the outcome `error`."""


class DocumentFailed(Undecided):
    """The office suite cannot open a document, or does not come to an end with it. A verifier says what that means
    for the attempt; where none does, nothing is decided."""

    def __init__(self, message: str, *, late: bool = False) -> None:
        super().__init__(message)
        self.late = late
        """Whether it did not come to an end: its time was up, or the suite went down with it twice, as it does with
        some workbooks that are quite right. The document may be to blame, or the machine."""


class PageFailed(Undecided):
    """A page in the browser hangs, crashed, or lacks what was asked for. A verifier says what that means for the
    attempt; where none does, nothing is decided."""


class RecipeError(CrucibleError):
    """An image could not be built from its recipe; `log` is the end of what the build printed."""

    def __init__(self, message: str, log: str = "") -> None:
        super().__init__(message)
        self.log = log


class TeacherError(CrucibleError):
    """The teacher could not answer."""


class NoAnswer(TeacherError):
    """A model answered, and its answer cannot be used: unreadable, or its votes are split."""


class TeacherRefuses(TeacherError):
    """The endpoint refuses whatever it is asked: the key, the account or the model is wrong, or nobody is there. Asking
    for other items is of no use, so they wait for a run with other settings."""


class BudgetSpent(TeacherError):
    """The run's budget is used up."""


class Unpaid(CrucibleError):
    """Whom an item needs cannot be paid any more, or refuses us. It is set aside until the next run; items of others
    go on."""


class Rejected(CrucibleError):
    """One item is dropped. `reason` is a stable code, counted by the funnel."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}" if detail else reason)
        self.reason = reason
        self.detail = detail
