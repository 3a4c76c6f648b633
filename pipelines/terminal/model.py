"""The nouns of the pipeline: a thread of a question-and-answer site, one that is selected, and a draft made of it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from crucible.domains.terminal.comparing import Case, Demand
from crucible.record import Record, digest


class Answer(Record):
    """One answer, its body in HTML."""

    number: int
    body: str
    score: int = 0
    author: str = ""
    created: str = ""
    edited: str = ""
    """When it was last edited, which says which revision this is; empty: never."""
    licence: str = ""


class Thread(Record):
    """A question with its answers, its body in HTML. One that cannot be read is a thread too, with its fault, so that
    its drop is recorded."""

    site: str
    number: int = 0
    fault: str = ""
    """Why the question's row cannot be read."""
    title: str = ""
    body: str = ""
    tags: tuple[str, ...] = ()
    score: int = 0
    author: str = ""
    created: str = ""
    edited: str = ""
    licence: str = ""
    accepted: int = 0
    """The number of the accepted answer; 0: none was accepted."""
    answers: tuple[Answer, ...] = ()
    """The best first."""

    @property
    def id(self) -> str:
        return f"{self.site}-{self.number}" if self.number else f"{self.site}-row-{digest(self.fault)[:12]}"

    @property
    def url(self) -> str:
        return f"https://{self.site}/q/{self.number}" if "." in self.site else ""

    @property
    def accepted_answer(self) -> Answer | None:
        """The accepted answer; None when there is none, or it was deleted."""
        return next((answer for answer in self.answers if answer.number == self.accepted), None)


class Suggestion(Record):
    """A block of commands that an answer suggests."""

    answer: int
    """The answer's number."""
    text: str
    prose: str = ""
    """What the answer says right before it."""
    place: int = 0
    """How many blocks of commands the answer has before it."""
    packages: tuple[str, ...] = ()
    """Debian packages that bring its commands."""
    output: str = ""
    """What the answer shows them to print; empty: nothing is shown."""


class Annotation(Record):
    """The seven attributes of a thread, by rule."""

    quality: int
    """The votes of the question and of its accepted answer together."""
    task_type: str
    """`transform`: it prints something new of its input. `change`: it changes files."""
    verifiability: str
    """`example`: the question shows what is expected. `execution`: only the answer tells."""
    category: str
    complexity: int
    """Commands that the suggested block calls."""
    packages: tuple[str, ...]
    """What its environment needs."""
    alternatives: int
    """How many further blocks can be run: what was suggested otherwise."""


class Selected(Record):
    """A thread worth a task, with the blocks that can be run: those of the accepted answer first."""

    thread: Thread
    suggestions: tuple[Suggestion, ...]
    annotation: Annotation

    @property
    def id(self) -> str:
        return self.thread.id

    @property
    def own_suggestions(self) -> tuple[Suggestion, ...]:
        """Those of the accepted answer."""
        return tuple(each for each in self.suggestions if each.answer == self.thread.accepted)

    @property
    def other_suggestions(self) -> tuple[Suggestion, ...]:
        """Those of the other answers, the best first."""
        return tuple(each for each in self.suggestions if each.answer != self.thread.accepted)

    def find_original(self, suggestion: Suggestion) -> Suggestion:
        """A suggestion as it was before its values were moved into files."""
        places = (
            each for each in self.suggestions if (each.answer, each.place) == (suggestion.answer, suggestion.place)
        )
        return next(places, suggestion)


class Grade(Record):
    """Four tiers each, the best is 4."""

    testability: int
    completeness: int
    clarity: int

    @property
    def total(self) -> int:
        return self.testability + self.completeness + self.clarity


class Link(Record):
    """What is asserted about, and the sentence of a goal that asks for it."""

    about: Literal["output", "files", "repository"]
    sentence: str = Field(min_length=8, max_length=400)


class Draft(Record):
    """A suggestion that was executed, and what was observed."""

    selected: Selected
    suggestion: Suggestion
    cases: tuple[Case, ...]
    demands: tuple[Demand, ...]
    repair_rounds: int
    """How often something was added until the commands ran."""
    partials: int
    """Solutions with a step left out that were tried, and failed."""
    alternatives: tuple[str, ...]
    """Other suggestions that have the same effects."""
    shows_input: bool
    shows_result: bool
    inputs: tuple[str, ...] = ()
    """What a solver has to be told of values that were moved into files, and of what is printed beside."""
    ties: tuple[str, ...] = ()
    """What ties the suggestion to the question."""
    writer: Literal["rules", "model"] = "rules"
    goal: str = ""
    """What a model wrote as the goal; empty: the asker's own words are the goal."""
    links: tuple[Link, ...] = ()
    """The sentences of such a goal that ask for what is asserted."""
    judged: Grade | None = None
    """What a judge says of it, where one was asked."""

    @property
    def id(self) -> str:
        return f"{self.selected.id}-{digest(self.suggestion)[:8]}"

    @property
    def grade(self) -> Grade:
        """How good a task it makes."""
        return Grade(
            testability=2 + bool(self.partials) + bool(self.alternatives),
            completeness=2 + self.shows_input + self.shows_result,
            clarity=4 - min(3, self.repair_rounds),
        )
