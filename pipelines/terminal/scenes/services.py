"""Web services for suggestions that ask one, with pages for the addresses that the commands and their files speak of;
and the addresses at which a server answers that commands start."""

from __future__ import annotations

import re

from crucible.domains.terminal.scenes import Scene, own_entries
from crucible.domains.terminal.services import WebService
from pipelines.terminal.scenes.invent import invent_folder, invent_text

ADDRESS = re.compile(r"https?://(?:localhost|127\.0\.0\.1)(?::(?P<port>\d+))?(?P<path>/[\w./-]*)?")
# matches: http://localhost:8000/data/a.json
STARTS_SERVER = re.compile(r"http\.server|SimpleHTTPServer|\bnc\b[^|\n]*\s-\w*l|&\s*$", re.MULTILINE)
# matches: python3 -m http.server   nc -l 9000   ./server.sh &
SENDS = (
    "While it runs, a web service answers at `{address}` with the pages that `pages` of the examples shows. It sends "
)
SENDS_REQUESTS = SENDS + "that service exactly what `requests.txt` of the examples shows."
SENDS_NOTHING = SENDS + "nothing to it: it only asks for pages."

FILE_SERVER = re.compile(
    r"-m (?:http\.server|SimpleHTTPServer)\b(?P<options>[^&|;\n>]*?)(?:\s+\d?>[^&]*(?:&1)?)?\s*&", re.MULTILINE
)
# matches: python3 -m http.server 8080 > server.log 2>&1 &
ENDS_PROCESS = re.compile(r"\b(?:kill|pkill|killall|fuser)\b")  # matches: kill %1
PORT = re.compile(r"(?:^|\s)(\d{2,5})\b")  # matches: the 8080 of --directory site 8080
DIRECTORY = re.compile(r"(?:-d|--directory)[ =]([\w./-]+)")  # matches: --directory site
ANSWERS = (
    "Once it has ended, a web service goes on answering at `http://localhost:{port}`: what it is asked for and what it "
    "answers is shown by `answers.txt` of the examples."
)
MOST_PAGES = 6


def add_asked(scene: Scene, script: str) -> Scene:
    """The scene with the files that a server is asked for which the commands start and do not end themselves."""
    server = FILE_SERVER.search(script)
    if server is None or ENDS_PROCESS.search(script, server.end()):
        return scene
    port = PORT.search(server["options"])
    directory = DIRECTORY.search(server["options"])
    entered = re.search(r"^\s*cd ([\w./-]+)", script, re.MULTILINE)
    root = (directory and directory[1]) or (entered and entered[1]) or ""
    below = f"{root.strip('./')}/" if root.strip("./") else ""
    entries = scene.entries
    if below and not any(path.startswith(below) for path in entries):  # a server does not complain of it
        entries = {**entries, **invent_folder(below.rstrip("/"), 0)}
    paths = [path.removeprefix(below) for path in own_entries(entries) if path.startswith(below)][:MOST_PAGES]
    address = f"http://localhost:{port[1] if port else 8000}"
    asked = tuple(f"{address}/{path}" for path in [*paths, "no-such-page"])
    return scene.model_copy(update={"entries": entries, "asked": asked})


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
