"""Web services for suggestions that ask one: pages for the addresses that the commands and their files speak of."""

from __future__ import annotations

import re

from crucible.domains.terminal.scenes import Scene
from crucible.domains.terminal.services import WebService
from pipelines.terminal.scenes.invent import invent_text

ADDRESS = re.compile(r"https?://(?:localhost|127\.0\.0\.1)(?::(?P<port>\d+))?(?P<path>/[\w./-]*)?")
# matches: http://localhost:8000/data/a.json
STARTS_SERVER = re.compile(r"http\.server|SimpleHTTPServer|\bnc\b[^|\n]*\s-\w*l|&\s*$", re.MULTILINE)
# matches: python3 -m http.server   nc -l 9000   ./server.sh &
SENDS = (
    "While it runs, a web service answers at `{address}` with the pages that `pages` of the examples shows. It sends "
)
SENDS_REQUESTS = SENDS + "that service exactly what `requests.txt` of the examples shows."
SENDS_NOTHING = SENDS + "nothing to it: it only asks for pages."


def add_service(scene: Scene, script: str, seed: int) -> Scene:
    """The scene with a service where the commands ask one and do not start it; another seed gives other pages."""
    texts = [script, *(entry.text for entry in scene.entries.values())]
    addresses = [match for text in texts for match in ADDRESS.finditer(text)]
    if not ADDRESS.search(script) and "curl" not in script and "wget" not in script:
        return scene
    if not addresses or STARTS_SERVER.search(script):
        return scene
    port = int(addresses[0]["port"] or 80)
    paths = {(match["path"] or "/").rstrip(".") for match in addresses if int(match["port"] or 80) == port}
    pages = {(f"{path}index.html" if path.endswith("/") else path): "" for path in sorted(paths)}
    pages = {path: invent_text(path.lstrip("/"), seed) for path in pages}
    return scene.model_copy(update={"service": WebService(port=port, pages=pages)})
