"""The parameters of the verifiers besides `suite`, as a pipeline writes them."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from crucible.domains.code.suite import Suite
from crucible.record import Record


class NewTestsParams(Record):
    """Tests that the attempt wrote must tell right code from wrong code: the parameters of `newtests`."""

    suite: Suite = Suite()
    right: str = ""
    """The patch that makes the task's tree right; empty when it is."""
    wrong: tuple[str, ...] = ("",)
    """Patches that each make the task's tree wrong; the empty one leaves it as it is."""
    patterns: tuple[str, ...]
    """What is a test file: `folder/` anywhere in the path, or a pattern of the file's name. The rest is dropped."""
    pass_to_pass: tuple[str, ...] = ()
    """Tests that were there and pass with the right code: they must still."""
    failing: tuple[str, ...] = ()
    """Tests that were there and fail in the task's tree: they are nobody's merit."""
    extended: tuple[str, ...] = ()
    """Tests that were there, which the change itself made stricter: the attempt's only where they fail in the task's
    tree."""
    rewrite: str = ""
    """The patch that puts the right code into other words, over the right code; empty where that cannot be done."""
    mutants: tuple[str, ...] = ()
    """Patches that each put a fault into the right code, over the right code: the task's own tests notice each."""
    changed: dict[str, tuple[int, ...]] = Field(default_factory=dict)
    """Lines that the right patch adds, by path: one of them must be executed. Empty where that cannot be seen."""


class SpeedParams(Record):
    """The same work in less time: the parameters of `speed`."""

    suite: Suite = Suite()
    golden: str
    """The patch whose improvement is the measure."""
    tests: dict[str, str] = Field(default_factory=dict)
    """The task's own test and benchmark files by path; laid over every tree that is timed."""
    data: dict[str, str] = Field(default_factory=dict)
    """Those that are no text, in base64."""
    deleted: tuple[str, ...] = ()
    command: str
    """What is timed, in the workdir; it must end with code 0."""
    build_tests: str = ""
    """What compiles the timed tests once they are laid. The suite's own build is over by then."""
    rounds: int = Field(default=5, ge=5)
    """How often each tree is timed, in turn, after one round to warm up."""


class Fact(Record):
    """One thing that is true of a tree's structure."""

    what: Literal["file", "no_file", "name", "no_name", "lines", "branches", "used"]
    path: str
    name: str = ""
    most: int = 0
    """For `lines` and `branches`: the most there may be of them."""
    noticed_in: dict[str, float] = Field(default_factory=dict)
    """For `used`: the share of the faults in the task's own change that tests of a file notice, by file."""
    callers: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    """For `used`: by the definitions that the task's own change altered, the tests that fail without the definition as
    well as without this one. Empty in older tasks."""

    @property
    def sentence(self) -> str:
        """The fact as a sentence, as the agent is told of it."""
        sentences = {
            "file": f"`{self.path}` exists",
            "no_file": f"`{self.path}` does not exist any more",
            "name": f"`{self.name}` is defined in `{self.path}`",
            "no_name": f"`{self.name}` is not defined in `{self.path}` any more",
            "lines": f"`{self.name}` in `{self.path}` is at most {self.most} lines long",
            "branches": f"`{self.name}` in `{self.path}` has at most {self.most} branches and loops",
            "used": f"`{self.name}` in `{self.path}` does its work: tests fail when it does nothing, or errs",
        }
        return sentences[self.what]


class StructureParams(Record):
    """The structural goal of a refactoring: the parameters of `structure`."""

    facts: tuple[Fact, ...] = Field(min_length=1)


class Defect(Record):
    """A known fault: where it is, in the file as it is with the reviewed change."""

    path: str
    first: int
    last: int
    what: str


class ReviewedTrees(Record):
    """The code with the defect and the right code, each in two ways of writing it, and code with other faults."""

    faulty: str
    """The reviewed change, as a patch over the task's tree."""
    right: str
    """The same without the defect."""
    faulty_rewrite: str
    """The patch that puts the code with the defect into other words, over `faulty`."""
    right_rewrite: str
    """The patch that puts the right code into other words, over `right`."""
    others: tuple[str, ...] = ()
    """Patches that each put another fault into the change, over `right`."""
    build: str = ""
    """What is run before the code is."""
    timeout: float = 120.0
    """Seconds, of the build and of a finding's input."""


class ReviewParams(Record):
    """Known defects of a change, which a review must name and show: the parameters of `review`."""

    defects: tuple[Defect, ...] = Field(min_length=1)
    trees: ReviewedTrees
    names: tuple[str, ...] = ()
    """Names in the code of the defects' files: a list of them says nothing."""
    file: str = "review.json"
    """Where the findings are written, below the workdir."""
    slack: int = 1
    """How many lines beside the defect still count."""
    most: int = 1
    """The most findings that are read; a longer list has found nothing."""
    precision: float = 0.5
    """The least share of findings that must name a defect."""
