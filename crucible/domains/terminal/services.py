"""Local services: a web service of a scene that answers while a script runs, and what is asked of it; and what services
that a script has started answer once it has ended.

The scene's own runs as root, so that a script can neither end it nor forge what it wrote down.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from pathlib import Path

from crucible.domains.terminal import ask_pages, serve_pages
from crucible.errors import SandboxError
from crucible.record import Record
from crucible.sandbox import Sandbox

PROGRAM = Path(serve_pages.__file__)
ASKING_PROGRAM = Path(ask_pages.__file__)
START_SECONDS = 5.0
"""How long a service that a script has started may take until it answers."""
FOLDER = "/tmp/.services"
READ_ONLY = ("GET", "HEAD")
"""How a service is asked without anything being sent to it; how often that is done is everybody's own affair."""
WAIT = f"for try in $(seq 600); do [ -e {FOLDER}/log ] && exit 0; sleep 0.05; done; exit 1"


class WebService(Record):
    """A web service of this machine."""

    port: int
    pages: dict[str, str]
    """Texts by path; a folder's page is its `index.html`."""

    @property
    def address(self) -> str:
        return f"http://localhost:{self.port}"


async def start_service(box: Sandbox, service: WebService) -> None:
    """Start the service, and wait until its port is open."""
    content = json.dumps({"port": service.port, "pages": service.pages}).encode()
    await box.exec(f"rm -rf {FOLDER} && mkdir -m 700 {FOLDER}", user="root")
    await box.write(f"{FOLDER}/pages.json", content, mode=0o600, user="root")
    await box.write(f"{FOLDER}/serve.py", PROGRAM.read_bytes(), user="root")
    run = f"setsid python3 -IB {FOLDER}/serve.py {FOLDER}/pages.json {FOLDER}/log"
    done = await box.exec(f"{run} < /dev/null > /dev/null 2> {FOLDER}/err &\n{WAIT}", user="root", timeout=60)
    if not done.ok:
        raise SandboxError(f"the service of a scene does not start: {done.err[-300:]}")


async def read_requests(box: Sandbox) -> tuple[str, ...]:
    """What was sent to the service, a line for each request, in order."""
    lines = (await box.read(f"{FOLDER}/log")).decode(errors="replace").splitlines()
    requests = [json.loads(line) for line in lines]
    return tuple(
        f"{request['method']} {request['path']} {request['body']}".rstrip()
        for request in requests
        if request["method"] not in READ_ONLY
    )


async def ask_services(box: Sandbox, addresses: Sequence[str]) -> tuple[str, ...]:
    """What services answer at addresses of the box, one after the other."""
    place = f"{FOLDER}.ask.py"
    await box.write(place, ASKING_PROGRAM.read_bytes(), user="root")
    asked = " ".join(map(shlex.quote, addresses))
    done = await box.exec(f"python3 -IB {place} {START_SECONDS} {asked}", user="root", timeout=60)
    if not done.ok:
        raise SandboxError(f"the services of a script cannot be asked: {done.err[-300:]}")
    return tuple(json.loads(done.out))
