"""Runs in the browser's box: answers requests for files of other hosts that were laid in the box.

Only requests to the hosts of these files are held up for it; all others go on as if it were not there.
"""

from __future__ import annotations

import json
from base64 import b64encode
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit
from zipfile import ZipFile

from playwright.async_api import CDPSession, Error

from services.browser.box.pages import OpenPage

PLACE = Path("/tmp/provided.zip")
FIELDS = {
    "Access-Control-Allow-Origin": "*",
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Cache-Control": "max-age=600",
}
"""Files of content networks may be used by pages of any origin, also where these check their hash."""


@dataclass(frozen=True)
class ProvidedFiles:
    """The files, by address: the name in the archive and the content type."""

    index: dict[str, tuple[str, str]] = field(default_factory=dict)

    @classmethod
    def read(cls) -> ProvidedFiles:
        """Those that lie in the box; none where nobody has laid any."""
        if not PLACE.exists():
            return cls()
        with ZipFile(PLACE) as archive:
            return cls(json.loads(archive.read("index.json")))

    async def answer_in(self, opened: OpenPage) -> None:
        """Answer a page's requests from now on."""
        hosts = {address.partition("/")[0] for address in self.index}
        if not hosts:
            return
        session = await opened.open_session()
        session.on("Fetch.requestPaused", lambda event: self._answer(session, event))
        await session.send("Fetch.enable", {"patterns": [{"urlPattern": f"http*://{host}/*"} for host in hosts]})

    async def _answer(self, session: CDPSession, event: dict[str, Any]) -> None:
        """Answer one request, or let it go on, which leads nowhere."""
        held = {"requestId": event["requestId"]}
        found = self.find(event["request"]["url"])
        with suppress(Error):  # the page went away meanwhile
            if found is None:
                await session.send("Fetch.continueRequest", held)
                return
            name, kind = found
            with ZipFile(PLACE) as archive:
                body = b64encode(archive.read(name)).decode()
            fields = [{"name": name, "value": value} for name, value in (FIELDS | {"Content-Type": kind}).items()]
            await session.send(
                "Fetch.fulfillRequest", held | {"responseCode": 200, "responseHeaders": fields, "body": body}
            )

    def find(self, url: str) -> tuple[str, str] | None:
        """The file at an address, whatever its scheme; what stands after `?` counts if it is known with that."""
        parts = urlsplit(url)
        path = f"{parts.netloc.lower()}{unquote(parts.path) or '/'}"
        return self.index.get(f"{path}?{parts.query}") or self.index.get(path)
