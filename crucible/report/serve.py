"""Serves the report of a ledger as it stands now, page by page as they are asked for, to this machine only.

Trajectories are hostile reading and the pages show references, so: the loopback address and no other, no
`Host` but that address (a name that an attacker's DNS points at it is refused), GET and HEAD only, and the
same policy in the header that the pages carry within.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from pydantic import ValidationError

from crucible.errors import CrucibleError, SettingsError
from crucible.judging.judges import Identify, identify_nobody
from crucible.report.attempt_page import load_attempt_page
from crucible.report.clip import Clipped, Clipper
from crucible.report.index import LedgerContents, Links, RowFilter, read_contents, render_index
from crucible.report.templates import content_policy, render_template
from crucible.reward import EVEN, Weights
from crucible.running.outline import format_outline
from crucible.store import lookup
from crucible.store.funnel import count_funnel
from crucible.store.ledger import Ledger

LOOPBACK = "127.0.0.1"
HOME = "/"
_LINKS = Links(attempt=("/trajectory/", ""), item=("/item/", ""))
_HEADERS = {
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


@dataclass(frozen=True)
class Answer:
    """The answer to one request: a page and its HTTP status."""

    page: str
    status: HTTPStatus = HTTPStatus.OK
    assets: tuple[str, ...] = ("base.css",)
    """What the page is made of, for its policy."""


class Site:
    """The pages of one ledger. What the first one tells is kept until a count in the funnel changes."""

    def __init__(self, ledger: Ledger, identify: Identify = identify_nobody, layers: Weights = EVEN) -> None:
        self.ledger = ledger
        self.identify = identify
        self.layers = layers
        self._lock = threading.Lock()
        self._kept: LedgerContents | None = None

    def answer(self, path: str) -> Answer:
        """The page at a path; a clear 404 where there is none."""
        split = urlsplit(path)
        kind, _, rest = split.path.removeprefix("/").partition("/")
        id = unquote(rest, errors="replace")
        if not kind or (kind == "index.html" and not rest):
            return Answer(self._index(split.query), assets=("base.css", "index.css", "index.js"))
        if kind == "trajectory" and id:
            return self._trajectory(id)
        if kind == "item" and id:
            return self._item(id)
        return missing_page("There is no such page", "There are / , /trajectory/ID and /item/ID.")

    def _index(self, query: str) -> str:
        asked = dict(parse_qsl(query))
        wanted = RowFilter(asked.pop("table", ""), asked)
        with self._lock:
            if self._kept is None or self._kept.funnel != count_funnel(self.ledger):
                self._kept = read_contents(self.ledger, self.identify, self.layers)
            kept = self._kept
        return render_index(kept, _LINKS, wanted)

    def _trajectory(self, id: str) -> Answer:
        try:
            page = load_attempt_page(self.ledger, id, self.identify, self.layers)
        except ValidationError as wrong:
            return Answer(render_template("message.html.j2", title=f"{id} cannot be read", text=str(wrong), home=HOME))
        if page is None:
            return missing_page(f"The ledger has no trajectory {id[:200]}", "It may be in another home.")
        return Answer(render_template("trajectory.html.j2", one=page, home=HOME), assets=("base.css", "trajectory.css"))

    def _item(self, id: str) -> Answer:
        versions = lookup.item_versions(self.ledger, id)
        if not versions:
            return missing_page(f"The ledger has no item {id[:200]}", "It may be in another home.")
        clip = Clipper()
        page = render_template(
            "item.html.j2",
            id=id,
            fates=lookup.item_fates(self.ledger, id),
            children=[pair for pair in lookup.item_children(self.ledger, id) if pair[1] != id],
            versions=[(version.noun, _format_body(version.body, clip)) for version in versions],
            home=HOME,
        )
        return Answer(page, assets=("base.css", "trajectory.css"))


@contextmanager
def serve_report(
    ledger: Ledger, port: int = 0, identify: Identify = identify_nobody, layers: Weights = EVEN
) -> Iterator[ThreadingHTTPServer]:
    """The server, bound to the loopback address; call its `serve_forever`. Port 0: any that is free."""
    handler = type("Handler", (_Handler,), {"site": Site(ledger, identify, layers)})
    try:
        server = ThreadingHTTPServer((LOOPBACK, port), handler)
    except OSError as taken:
        raise SettingsError(f"port {port} cannot be had: {taken.strerror}", "choose another with --port") from taken
    with server:
        yield server


def server_address(server: ThreadingHTTPServer) -> str:
    return f"http://{LOOPBACK}:{server.server_address[1]}/"


def missing_page(title: str, text: str) -> Answer:
    return Answer(render_template("message.html.j2", title=title, text=text, home=HOME), HTTPStatus.NOT_FOUND)


def _format_body(body: str, clip: Clipper) -> Clipped:
    """A record as an outline, texts with their line breaks; as it lies there when it is no JSON."""
    try:
        return clip(format_outline(json.loads(body)))
    except (ValueError, RecursionError):
        return clip(body)


class _Handler(BaseHTTPRequestHandler):
    site: Site
    server_version = "crucible"
    sys_version = ""
    timeout = 30

    def do_GET(self) -> None:
        self._send(self._answer())

    def do_HEAD(self) -> None:
        self._send(self._answer(), body=False)

    def _answer(self) -> Answer:
        if not self._is_ours():
            text = f"This page answers to {LOOPBACK} and localhost only."
            return Answer(
                render_template("message.html.j2", title="Not by that name", text=text, home=HOME), HTTPStatus(421)
            )
        try:
            return self.site.answer(self.path)
        except CrucibleError as failed:
            page = render_template("message.html.j2", title="The ledger cannot be read", text=failed.line(), home=HOME)
            return Answer(page, HTTPStatus.SERVICE_UNAVAILABLE)

    def _is_ours(self) -> bool:
        port = self.connection.getsockname()[1]
        return self.headers.get_all("Host") in ([f"{LOOPBACK}:{port}"], [f"localhost:{port}"])

    def _send(self, answer: Answer, body: bool = True) -> None:
        data = answer.page.encode()
        self.send_response(answer.status)
        self.send_header("Content-Security-Policy", f"{content_policy(*answer.assets)}; frame-ancestors 'none'")
        self.send_header("Content-Length", str(len(data)))
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        self.end_headers()
        if body:
            self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        """Quiet: what was looked at is nobody's business."""
