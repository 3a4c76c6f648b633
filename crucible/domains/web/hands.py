"""The browser tools of a model that uses an application: what it may call, and what it is shown.

Whatever a page says is fenced by marks that its author cannot know, and cut to a length.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from pydantic import Field, ValidationError

from crucible.browsing import Action, Outcome, Page, Target
from crucible.domains.web.playing import describe_action, make_address
from crucible.model import ToolCall, ToolSpec
from crucible.record import Json, Record
from crucible.tooling import arguments_schema

TREE_CHARS = 6000
"""How much of a page is shown at once."""
MOST_ERRORS = 5


class Nothing(Record):
    """Takes no arguments."""


class Opened(Record):
    """Where to go."""

    path: str = "/"


class Pointed(Record):
    """An element, as a person would point at it."""

    role: str = ""
    """Its ARIA role, such as button, link, textbox, checkbox, combobox, listitem; empty for any."""
    name: str = ""
    """Its name, label, placeholder or text."""
    beside: str = ""
    """A text in the same row or card, to tell it from others of its name."""


class Typed(Pointed):
    """A field, and what is written into it."""

    text: str


class Chosen(Pointed):
    """A list, and the option that is chosen in it."""

    option: str


class Pressed(Record):
    """A key."""

    key: str
    """Enter, Escape, Tab, ArrowDown, a letter."""


class Waited(Record):
    """A pause."""

    seconds: float = Field(default=1.0, gt=0, le=10)


class Asserted(Record):
    """A text that should be visible."""

    text: str


TOOLS: dict[str, tuple[str, type[Record]]] = {
    "open": ("Open an address of the application.", Opened),
    "look": ("Look at the page: its accessibility tree and a screenshot.", Nothing),
    "click": ("Click an element.", Pointed),
    "type": ("Write a text into a field, in place of what it holds.", Typed),
    "select": ("Choose an option of a list.", Chosen),
    "check": ("Tick a checkbox.", Pointed),
    "press": ("Press a key.", Pressed),
    "reload": ("Load the page again.", Nothing),
    "back": ("Go back, as by the browser's button.", Nothing),
    "wait": ("Wait for some seconds.", Waited),
    "assert_text": ("Find out whether a text is visible on the page.", Asserted),
}
"""The tools by name: what each is for, and what it takes."""
LOOKING = ("look", "wait", "assert_text")
"""Tools that change nothing."""


def list_tools() -> list[ToolSpec]:
    """The tools as a model is told of them."""
    return [make_tool(name, description, takes) for name, (description, takes) in TOOLS.items()]


def make_tool(name: str, description: str, takes: type[Record]) -> ToolSpec:
    """A tool as a model is told of it."""
    properties, required = arguments_schema(takes)
    parameters: dict[str, Json] = {"type": "object", "properties": properties, "required": list(required)}
    return ToolSpec(name=name, does=name, description=description, parameters=parameters)


@dataclass
class Hands:
    """Carries out a model's calls on one page."""

    page: Page
    url: str
    token: str
    """What the marks around a page's text hold."""
    shown: list[str] = field(default_factory=list)
    """All that the page said so far, for evidence to be held against."""
    acted: bool = False
    """Whether something was done since the last conclusion."""

    async def call(self, call: ToolCall) -> tuple[str, bytes]:
        """What the model is told of its call, and a picture where it asked for one. PageFailed when the page is
        lost."""
        try:
            arguments = TOOLS[call.name][1].model_validate(call.mapping())
        except KeyError:
            return f"there is no tool '{call.name}'; there are: {', '.join(TOOLS)}, conclude", b""
        except (ValueError, ValidationError) as wrong:
            return f"the arguments cannot be read: {' '.join(str(wrong).split())[:300]}", b""
        if call.name == "look":
            return await self.describe_page(), await self.page.screenshot()
        action = make_action(call.name, arguments, self.url)
        self.acted = self.acted or call.name not in LOOKING
        [outcome] = await self.page.play([action])
        return f"{self.fence(report(action, outcome))}\n{await self.describe_page()}", b""

    async def describe_page(self) -> str:
        """Where the page is, what it holds and complains about, fenced."""
        errors = (await self.page.errors())[-MOST_ERRORS:]
        tree = await self.page.tree()
        self.shown.append(tree)
        return self.fence("\n".join([f"address: {await self.page.url()}", tree[:TREE_CHARS], *errors]))

    def fence(self, text: str) -> str:
        """Text of the page between marks that it cannot hold."""
        return f"<page-{self.token}>\n{text.replace(self.token, '')}\n</page-{self.token}>"

    def was_shown(self, quotation: str) -> bool:
        """Whether the page has said this, word for word but for spaces and case."""
        wanted = _squeeze(quotation)
        return len(wanted) > 1 and any(wanted in _squeeze(text) for text in self.shown)


def make_action(tool: str, arguments: Record, url: str) -> Action:
    """What the browser does for a call."""
    match arguments:
        case Opened(path=path):
            return Action(name="open", value=make_address(url, path))
        case Typed(text=text):
            return Action(name="fill", at=_target(arguments), value=text)
        case Chosen(option=option):
            return Action(name="choose", at=_target(arguments), value=option)
        case Pointed():
            return Action(name="check" if tool == "check" else "click", at=_target(arguments), watch=tool == "click")
        case Pressed(key=key):
            return Action(name="press", value=key)
        case Waited(seconds=seconds):
            return Action(name="wait", value=str(seconds))
        case Asserted(text=text):
            return Action(name="text", texts=(text,))
        case _:
            return Action(name="back" if tool == "back" else "reload")


def report(action: Action, outcome: Outcome) -> str:
    """What came of an action, in one line."""
    if not outcome.ok:
        return f"{describe_action(action)}: not done: {outcome.why}"
    changed = f"; changed: {', '.join(outcome.changed) or 'nothing'}" if action.watch else ""
    return f"{describe_action(action)}: done{changed}"


def _target(pointed: Pointed) -> Target:
    return Target(role=pointed.role, names=(pointed.name,) if pointed.name else (), within=pointed.beside)


def _squeeze(text: str) -> str:
    return " ".join(text.replace('"', " ").split()).lower()
