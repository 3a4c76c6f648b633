"""What a browser means to the spine: pages of an application that runs in a box, looked at from within its network.

    async with browser.open(box) as window, window.open_page() as page:
        await page.goto("http://localhost:8000/")
        picture = await page.screenshot()

The browser is the service `browser`. It runs in a box of its own that shares the network of the box under test: the
application needs no network, and what an attempt made never meets a browser on the host. A page that hangs, crashes
or does not have what is asked for raises PageFailed; the next page is a fresh one.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from typing import Literal, NamedTuple, Protocol

from pydantic import Field

from crucible.record import Json, Record
from crucible.sandbox import Sandbox

Doing = Literal[
    "open", "click", "fill", "choose", "check", "press", "reload", "back", "wait", "rest", "send", "populate"
]
"""What is done; `rest` watches the page for a while: what it changes by itself is no effect of what is watched later;
`populate` fills every empty field with something of its kind, with any value once it has made another choice in every
list."""
Expecting = Literal["text", "no text", "element", "no element", "count", "value", "enabled", "disabled", "url"]
Pictures = Literal["none", "fault", "end", "all"]
"""Which pictures are taken of a page: at the end if the last action failed, at the end in any case, or also before the
first element is used."""


class Target(Record):
    """An element as a person would point at it, however it is marked up, in shadow trees too. Of several that fit, the
    one that fits best; of those the first. Only what is visible counts."""

    role: str = ""
    """An ARIA role; roles that a person would take for it (a link for a button) fit less well."""
    names: tuple[str, ...] = ()
    """One of these stands in its accessible name, label, placeholder, title or text, or failing that in its id, its
    class or the text beside it."""
    within: str = ""
    """A text shown by the smallest row, list item or card that it stands in."""
    nth: int = Field(default=0, ge=0)
    """Which of those that fit equally well."""


class Action(Record):
    """One thing that is done to a page, or one that is expected of it."""

    name: Doing | Expecting
    at: Target = Target()
    value: str = ""
    """What is filled in, chosen or pressed; the address of `open` and `send`; seconds for `wait`; `false` unchecks."""
    texts: tuple[str, ...] = ()
    """One of these is expected; several where one thing can be written in several ways."""
    count: int = 0
    method: str = "GET"
    body: Json = None
    """What `send` sends, as JSON; None sends nothing."""
    watch: bool = False
    """Say what changed, also where that takes longer."""
    lists: bool = False
    """Say which buttons the page shows then that it did not show after the actions before."""
    optional: bool = False
    """Go on with the next action if this one fails."""


class Listed(Record):
    """A visible element, by what a person would call it."""

    name: str
    markup: str
    """The start of its markup, as in `Outcome.element`."""
    enabled: bool = True


class Outcome(Record):
    """What came of one action."""

    ok: bool
    why: str = ""
    """Why not, in one line."""
    element: str = ""
    """The start of the markup of the element it was about."""
    changed: tuple[str, ...] = ()
    """What is different after it: `address`, `document`, `storage`, `focus`, `requests`, `dialog`, `download`,
    `window`, `chooser`, `refusal` (an exception about what was filled in), `scroll`, `picture`, `motion` (what went on
    by itself does so no more, or something else does). Of `rest`, what the page changes by itself."""
    buttons: tuple[Listed, ...] = ()
    """Those that the page shows for the first time, where they were asked for."""
    answer: Json = None
    """What `send` was answered: `status`, and `body`, the JSON of it or its text."""
    box: tuple[float, ...] = ()
    """Where that element stands in the picture: left, top, width, height."""
    before: str = ""
    """Where a picture of the page before it lies, if one was taken; `Page.read_picture` gives its bytes."""
    after: str = ""
    """The same, after it."""


class Exchange(Record):
    """A request that a page made, and how it was answered."""

    method: str
    url: str
    status: int = 0
    """0 while there is no answer, and where there never was one."""


class Loading(NamedTuple):
    """A page as it was a moment after it had loaded."""

    status: int
    """The HTTP status; 0 where there is none."""
    url: str
    """Where it led to."""
    errors: tuple[str, ...]
    """As of `Page.errors`."""
    exchanges: tuple[Exchange, ...]
    picture: bytes
    """What the window shows, as PNG."""


class Look(NamedTuple):
    """A page as it stands at one width."""

    width: int
    picture: bytes
    """A PNG of the whole page; of a very long one, its beginning."""
    facts: Json
    """What the script found; it tells of somebody's work, and is to be checked."""


class Provided(NamedTuple):
    """A file that pages get at an address of another host."""

    address: str
    """Without its scheme, as in `unpkg.com/vue@3/dist/vue.global.js`."""
    kind: str
    """The content type."""
    data: bytes


class Page(Protocol):
    """One page in a context of its own: no cookie or storage of another page is seen."""

    async def goto(self, url: str) -> int:
        """Open an address and wait until it is loaded; returns the HTTP status, 0 where there is none."""

    async def load(self, url: str) -> Loading:
        """Open an address, and tell all that is to be told of it once it has loaded and settled. In one call, for a
        call takes longer than most of what it asks for."""

    async def screenshot(self, *, full_page: bool = False) -> bytes:
        """A picture of the page, as PNG."""

    async def text(self, selector: str = "body") -> str:
        """The visible text of the first element that the CSS selector finds; `title` gives the page's title."""

    async def click(self, selector: str) -> None:
        """Click the first element that the selector finds, once it can be clicked."""

    async def fill(self, selector: str, value: str) -> None:
        """Write a value into the first field that the selector finds."""

    async def evaluate(self, expression: str) -> Json:
        """The value of a JavaScript expression in the page."""

    async def look(self, script: str, widths: Sequence[int]) -> tuple[Look, ...]:
        """The page at each of these widths: a picture of it, and the JSON text that a script gives, which runs apart
        from the page's own scripts. The page is left at the last width."""

    async def audit(self) -> Json:
        """The rules of axe-core that the page breaks: a list of `rule`, `impact`, `tags`, `help`, `count`, `nodes`."""

    async def errors(self) -> tuple[str, ...]:
        """What went wrong in the page so far: errors on its console, exceptions, requests that failed; and what it
        asked for in vain or out of turn: dialogs, downloads, windows."""

    async def play(self, actions: Sequence[Action], *, pictures: Pictures = "none") -> tuple[Outcome, ...]:
        """Do one after the other what is listed, each once the page has settled, up to the first that fails. All in
        one call, for a call takes longer than most actions. PageFailed only when the page hangs or is lost."""

    async def read_picture(self, place: str) -> bytes:
        """The bytes of a picture that an outcome names, as JPEG."""

    async def elements(self, role: str) -> tuple[Listed, ...]:
        """The visible elements of a role, in the order of the page."""

    async def tree(self) -> str:
        """The page as assistive technology sees it: roles, names, values, as indented text."""

    async def url(self) -> str:
        """Its address."""

    async def exchanges(self) -> tuple[Exchange, ...]:
        """The requests it made so far, up to a few hundred."""


class Window(Protocol):
    """A browser beside one box; its pages share a process and nothing else."""

    def open_page(
        self, *, width: int = 1280, height: int = 800, used: bool = False
    ) -> AbstractAsyncContextManager[Page]:
        """A fresh page; with `used` one will do that was used before and cleared of all that was kept in it, which
        takes half the time. One that was lost with its browser does not keep the next from opening."""

    async def provide(self, files: Sequence[Provided]) -> None:
        """Answer requests of pages that are opened from now on for these addresses, and no others of their hosts."""


class Browser(Protocol):
    """The service `browser`."""

    def open(self, box: Sandbox) -> AbstractAsyncContextManager[Window]:
        """A browser that sees what the processes of this box serve on `localhost`, for as long as the box is not
        restarted. SandboxError when there is none to be had."""
