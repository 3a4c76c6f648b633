"""A server that answers in GitHub's shapes, out of a table, and counts what it was asked."""

from __future__ import annotations

import hashlib
import json
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

Answer = tuple[int, dict[str, str], bytes]


class Forge:
    """What is at each path. `before` holds answers that are given first, one for each question."""

    def __init__(self) -> None:
        self.at: dict[str, Any] = {}
        self.before: dict[str, list[Answer]] = {}
        self.statuses: Counter[int] = Counter()
        self.asked: list[str] = []
        self.page = 100
        self.url = ""

    def answer(self, target: str, etag: str) -> Answer:
        parts = urlsplit(target)
        self.asked.append(parts.path)
        if self.before.get(parts.path):
            return self.before[parts.path].pop(0)
        if parts.path not in self.at:
            return 404, {}, b'{"message": "Not Found"}'
        data, heads = self.at[parts.path], {}
        if isinstance(data, list):
            number = int(parse_qs(parts.query).get("page", ["1"])[0])
            end = number * self.page
            if end < len(data):
                heads["Link"] = f'<{self.url}{parts.path}?page={number + 1}&per_page=100>; rel="next", <x>; rel="last"'
            data = data[end - self.page : end]
        body = json.dumps(data).encode()
        heads["ETag"] = f'W/"{hashlib.sha256(body).hexdigest()[:12]}"'
        return (304, heads, b"") if etag == heads["ETag"] else (200, heads, body)


@contextmanager
def forge() -> Iterator[Forge]:
    """The server, while the block runs."""
    forge_state = Forge()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, heads, body = forge_state.answer(self.path, self.headers.get("If-None-Match", ""))
            forge_state.statuses[status] += 1
            self.send_response(status)
            for name, value in heads.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    forge_state.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield forge_state
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
