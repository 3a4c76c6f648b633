"""A rubric: what an application must have and do, as data.

It is written with the query, and read alike by the rules that use the application and by a model that does. Words in
braces stand for values that are drawn anew each time a workflow is played, so that nothing can be hard-coded:

    [[workflows]]
    name = "a note that was added stays after a reload"
    values = { title = "words" }
    steps = [
        { do = "fill", at = { role = "textbox", names = ["title", "note"] }, value = "{title}" },
        { do = "click", at = { role = "button", names = ["add", "save"] } },
        { expect = "text", text = "{title}" },
        { do = "reload" },
        { expect = "text", text = "{title}" },
    ]
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from pydantic import Field, model_validator

from crucible.record import Json, Record

Surface = Literal["page", "api", "window"]
"""How an application is used: in a browser, by requests, or as a program with a window."""
ValueKind = Literal["word", "words", "number", "amount", "email", "date", "password", "url"]
"""What a drawn value is; `amount` has two decimals, `words` are three."""
Doing = Literal["open", "click", "fill", "choose", "check", "press", "reload", "back", "wait", "send"]
Expecting = Literal[
    "text", "no text", "element", "no element", "count", "value", "enabled", "disabled", "url", "answer", "picture"
]
PLACE = re.compile(r"\{([^{}]+)\}")  # matches: {title}  {a * b + 2}
IN_WINDOWS = frozenset({"press", "fill", "wait", "reload", "text", "no text", "picture"})
"""What can be done in, and expected of, a program with a window. `fill` types where the focus is; `text` is printed or
the title of a window; `picture` is another one than before what was done last, and is expected of nothing else."""


class Element(Record):
    """An element as a person would point at it, however it is marked up. Of several that fit, the first visible one."""

    role: str = ""
    """Its ARIA role (`button`, `textbox`, `listitem`); any when empty, and any field where it is filled in."""
    names: tuple[str, ...] = ()
    """One of these stands in its accessible name, label, placeholder, title or text, without regard to case; any when
    empty."""
    within: str = ""
    """A text shown by the smallest row, list item or card that it stands in."""


class Step(Record):
    """One thing that is done, or one that is expected; exactly one of `do` and `expect` is given."""

    do: Doing | None = None
    expect: Expecting | None = None
    at: Element = Element()
    value: str = ""
    """What is filled in, chosen or pressed (`Enter`); a path for `open`; seconds for `wait`."""
    text: str = ""
    """What is expected to be shown, or not to be; for `url` a part of the address."""
    count: int = 0
    """How many visible elements are expected at `at`."""
    method: str = "GET"
    path: str = ""
    body: Json = None
    """What `send` sends, as JSON; a text in it may name values."""
    keep: dict[str, str] = Field(default_factory=dict)
    """Values taken from an answer, where one is sent for or expected, for later steps: a name, and the path to it
    (`items.0.id`)."""
    status: tuple[int, ...] = ()
    """For `answer`: one of these; any below 400 when empty."""
    answer: Json = None
    """For `answer`: what the last answer holds, as JSON; fields that are not named may be anything, and a list holds
    these items among others."""

    def list_places(self) -> set[str]:
        """What stands in braces in its texts: values, each alone or in a sum."""
        return {place for text in _list_texts(self.model_dump(exclude={"keep"})) for place in PLACE.findall(text)}

    @model_validator(mode="after")
    def _is_one_thing(self) -> Step:
        if (self.do is None) == (self.expect is None):
            raise ValueError("a step either does something or expects something")
        return self


class ExpectedElement(Record):
    """An element that must be there when the application has loaded."""

    name: str
    """The criterion, in words."""
    at: Element
    path: str = "/"
    weight: float = Field(default=1.0, ge=0)


class Workflow(Record):
    """Something a user does from beginning to end, and what must come of it."""

    name: str
    """The criterion, in words."""
    start: str = "/"
    """The path that is opened first."""
    values: dict[str, ValueKind] = Field(default_factory=dict)
    """Values drawn for each playing, by name."""
    steps: tuple[Step, ...]
    weight: float = Field(default=1.0, ge=0)
    about: tuple[str, ...] = ()
    """The faults that this workflow is meant to find, by name; whatever it happens to find when empty."""

    @model_validator(mode="after")
    def _names_what_it_has(self) -> Workflow:
        known = set(self.values)
        for step in self.steps:
            named = {name for place in step.list_places() for name in re.findall(r"[^\W\d]\w*", place)}
            if unknown := sorted(named - known):
                raise ValueError(f"'{self.name}' names {', '.join(unknown)}; its values are {', '.join(sorted(known))}")
            known |= set(step.keep)
        return self

    @property
    def begins(self) -> str:
        """The first address that it opens."""
        first = self.steps[0] if self.steps else Step(do="open")
        return (first.value or first.path or self.start) if first.do == "open" else self.start


class Quality(Record):
    """A criterion of looks or care: a rule measures it, and a model is asked in words where one is configured."""

    rule: str
    """The name of a rule of the visual layer; empty where only a model can tell."""
    question: str
    """What a model is asked: answered with yes when it is met."""
    weight: float = Field(default=1.0, ge=0)


class Rubric(Record):
    """All that an application is judged by beside that it runs."""

    surface: Surface = "page"
    elements: tuple[ExpectedElement, ...] = ()
    workflows: tuple[Workflow, ...] = ()
    paths: tuple[str, ...] = ()
    """Addresses that must work when they are opened directly, as from a bookmark."""
    qualities: tuple[Quality, ...] = ()
    """What is asked of its looks beside what is asked of every page."""

    @property
    def home(self) -> str:
        """The address at which the application is opened: where the first workflow begins, if nothing is asked of its
        root."""
        asked = [*(element.path for element in self.elements), *(workflow.begins for workflow in self.workflows)]
        fixed = [workflow.begins for workflow in self.workflows if "{" not in workflow.begins]
        return fixed[0] if fixed and not any(path in ("", "/") for path in (*asked, *self.paths)) else "/"

    @model_validator(mode="after")
    def _fits_its_surface(self) -> Rubric:
        used = {step.do or step.expect for workflow in self.workflows for step in workflow.steps}
        if self.surface == "window" and (unfit := used - IN_WINDOWS or self.elements or self.paths):
            raise ValueError(f"no rule can tell this of a program with a window: {unfit}")
        if self.surface != "window" and "picture" in used:
            raise ValueError("a picture is expected of a program with a window; of a page, say what it shows")
        return self


def _list_texts(value: Json) -> Iterator[str]:
    """Every text in a value, the names of fields included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from (text for each in (*value, *value.values()) for text in _list_texts(each))
    elif isinstance(value, list | tuple):
        yield from (text for each in value for text in _list_texts(each))
