"""Values under keys, over HTTP, kept in a JSON file."""

import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock
from urllib.parse import unquote

FILE = Path(__file__).with_name("values.json")
LOCK = Lock()


def load():
    return json.loads(FILE.read_text()) if FILE.exists() else {}


def save(values):
    FILE.write_text(json.dumps(values))


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path == "/":
            return self.answer(200, {"service": "settings"})
        key, values = self.key(), load()
        if key not in values:
            return self.answer(404, {"error": "nothing is kept under this key"})
        self.answer(200, {"key": key, "value": values[key]})

    def do_PUT(self):
        try:
            body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))))
            value = body["value"]
        except (ValueError, KeyError, TypeError):
            return self.answer(400, {"error": "send a JSON object with a value"})
        with LOCK:
            values = load()
            values[self.key()] = value
            save(values)
        self.answer(200, {"key": self.key(), "value": value})

    def do_DELETE(self):
        with LOCK:
            values = load()
            found = values.pop(self.key(), None)
            save(values)
        self.answer(404 if found is None else 200, {"key": self.key()})

    def key(self):
        return unquote(self.path.removeprefix("/store/"))

    def answer(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


if __name__ == "__main__":
    ThreadingHTTPServer(("0.0.0.0", int(os.environ.get("PORT", "8000"))), Handler).serve_forever()
