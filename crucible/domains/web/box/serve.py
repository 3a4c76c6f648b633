"""Runs in the box of an application: hands out a folder over HTTP, as a developer's server does.

    python3 -I serve.py PORT --directory FOLDER [--single]

Where its pages were built for a folder of their host, as `notes` where they ask for /notes/static/app.js and have
static/app.js, they are found there, and who asks elsewhere is sent there. With `--single` an address without a file is
answered with the first page, which shows by its own script what belongs there.
"""

from __future__ import annotations

import argparse
import re
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOTED = re.compile(r"""(?i)\b(?:src|href)\s*=\s*["']?(/[^/"'?#>\s][^"'?#>\s]*)""")
# matches: src="/notes/static/app.js   href=/notes/favicon.ico
PAGE_BYTES = 200_000


def find_place(folder: Path) -> str:
    """The folder of its host that pages were built for; empty where it is none, or where a file is just not where they
    ask for it, which is a fault. What stands in the first folder itself, as a manifest, says nothing about it."""
    pages = [folder / "index.html"] if (folder / "index.html").is_file() else sorted(folder.glob("*.html"))[:20]
    texts = [page.read_bytes()[:PAGE_BYTES].decode(errors="replace") for page in pages]
    links = {unquote(link).strip("/") for text in texts for link in ROOTED.findall(text)}
    absent = [link for link in links if "." in link and not (folder / link).exists()]
    places = {cut_to_file(folder, link.split("/")) for link in absent} - {""}
    place = places.pop() if len(places) == 1 else ""
    return place if all(link.startswith(f"{place}/") for link in absent) else ""


def cut_to_file(folder: Path, parts: list[str]) -> str:
    """The first folders of an address without which it leads to a file in a folder of its own."""
    cuts = (cut for cut in range(1, len(parts) - 1) if folder.joinpath(*parts[cut:]).is_file())
    return "/".join(parts[: next(cuts, 0)])


class Handler(SimpleHTTPRequestHandler):
    """Answers requests out of one folder."""

    def __init__(self, *args: object, place: str, single: bool, **options: str) -> None:
        self.place, self.single = place, single
        super().__init__(*args, **options)  # type: ignore[arg-type]

    def send_head(self):  # type: ignore[no-untyped-def]
        """Send where a file is to be found, or its head."""
        asked = urlsplit(self.path).path
        if self.place and not f"{asked}/".startswith(f"/{self.place}/"):
            self.send_response(302)
            self.send_header("Location", f"/{self.place}/{self.path.lstrip('/')}")
            self.end_headers()
            return None
        self.path = self.path.removeprefix(f"/{self.place}") if self.place else self.path
        self.path = self.path if self.path.startswith("/") else f"/{self.path}"
        is_file = Path(self.translate_path(self.path)).exists() or "." in asked.rpartition("/")[2]
        if self.single and not is_file:
            self.path = "/index.html"
        return super().send_head()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("port", type=int)
    parser.add_argument("--directory", required=True)
    parser.add_argument("--single", action="store_true")
    wanted = parser.parse_args()
    place = find_place(Path(wanted.directory))
    handler = partial(Handler, directory=wanted.directory, place=place, single=wanted.single)
    ThreadingHTTPServer(("127.0.0.1", wanted.port), handler).serve_forever()


main()
