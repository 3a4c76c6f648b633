"""A program that is a web service for one scene: it answers with given pages, and writes down what is asked of it.

    python3 -IB serve_pages.py PAGES LOG   PAGES: JSON of {"port": 8000, "pages": {"/a.txt": "text"}}

The log is made once the port is open, so that whoever waits for it need not try. Python's standard library is enough.
"""

from __future__ import annotations

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

TYPES = {".json": "application/json", ".html": "text/html", ".csv": "text/csv", ".xml": "application/xml"}
FIXED_DATE = "Mon, 01 Jan 2024 00:00:00 GMT"


class Service(ThreadingHTTPServer):
    """The server with its pages, and where it writes what was asked."""

    daemon_threads = True
    pages: dict[str, str]
    log: Path


class Handler(BaseHTTPRequestHandler):
    """Answers with a page, or with what was sent; 404 where there is no page."""

    server: Service
    server_version = "pages"
    sys_version = ""

    def do_GET(self) -> None:
        self._write_down("")
        path = self.path.partition("?")[0]
        page = self.server.pages.get(path, self.server.pages.get(f"{path.rstrip('/')}/index.html"))
        self._answer(404 if page is None else 200, "not found\n" if page is None else page)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode(errors="replace")
        self._write_down(body)
        self._answer(201 if self.command == "POST" else 200, f"{self.command} {self.path}\n{body}\n")

    do_HEAD = do_GET
    do_PUT = do_PATCH = do_DELETE = do_POST

    def date_time_string(self, timestamp: float | None = None) -> str:
        return FIXED_DATE

    def log_message(self, format: str, *arguments: object) -> None:
        """What was asked is written down by `_write_down`."""

    def _write_down(self, body: str) -> None:
        with self.server.log.open("a") as log:
            log.write(json.dumps({"method": self.command, "path": self.path, "body": body}) + "\n")

    def _answer(self, code: int, text: str) -> None:
        data = text.encode()
        ending = Path(self.path.partition("?")[0]).suffix
        self.send_response(code)
        self.send_header("Content-Type", TYPES.get(ending, "text/plain"))
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)


def main(pages: str, log: str) -> None:
    """Serve until the process is ended."""
    told = json.loads(Path(pages).read_text())
    service = Service(("", told["port"]), Handler)
    service.pages, service.log = told["pages"], Path(log)
    service.log.touch()
    service.serve_forever()


if __name__ == "__main__":
    main(*sys.argv[1:])
