"""Local services: a web service of a scene that answers while a script runs, and what is asked of it; a service of the
folder that runs already when the script starts; and what services answer once the script has ended.

The scene's own runs as root, so that a script can neither end it nor forge what it wrote down. The folder's runs as
whoever runs the script, who is to end it and to start it anew.
"""

from __future__ import annotations

import json
import shlex
from base64 import b64encode
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from crucible.domains.terminal import ask_pages, serve_pages
from crucible.errors import SandboxError
from crucible.record import Record
from crucible.sandbox import Sandbox

PROGRAM = Path(serve_pages.__file__)
ASKING_PROGRAM = Path(ask_pages.__file__)
NO_ANSWER = ask_pages.NO_ANSWER
START_SECONDS = 5.0
"""How long a service that a script has started may take until it answers."""
FIRST_START_SECONDS = 30.0
"""How long the service of a folder may take until it answers, before the script is run."""
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
    lay = (
        f"rm -rf {FOLDER} && mkdir -m 700 {FOLDER} && {_print_command(content)} > {FOLDER}/pages.json && "
        f"{_print_command(PROGRAM.read_bytes())} > {FOLDER}/serve.py || exit 1"
    )
    run = f"setsid python3 -IB {FOLDER}/serve.py {FOLDER}/pages.json {FOLDER}/log"
    done = await box.exec(f"{lay}\n{run} < /dev/null > /dev/null 2> {FOLDER}/err &\n{WAIT}", user="root", timeout=60)
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


class Asked(NamedTuple):
    """What services answered, and the processes that ran at that moment."""

    answers: tuple[str, ...]
    processes: tuple[str, ...]


class ServiceNotStarted(SandboxError):
    """The service of a folder does not answer before the script is run."""


async def start_folder_service(box: Sandbox, command: str, addresses: Sequence[str]) -> tuple[str, ...]:
    """Start the service of a folder as whoever works in the box; its processes, once every address answers."""
    await box.exec("true")  # the shell that commands of the box are run by is no process of the service
    others = set((await ask_services(box, ())).processes)
    started = await box.exec(f"( {command}\n) < /dev/null > /dev/null 2>&1", timeout=60)
    asked = await ask_services(box, addresses, seconds=FIRST_START_SECONDS)
    processes = tuple(process for process in asked.processes if process not in others)
    if NO_ANSWER in asked.answers or not processes:
        raise ServiceNotStarted(f"nothing answers at {' '.join(addresses)}: it ended with code {started.code}")
    return processes


async def ask_services(
    box: Sandbox, addresses: Sequence[str], watched: Sequence[str] = (), seconds: float | None = None
) -> Asked:
    """What services answer at addresses of the box, one after the other; those of the processes `watched` that are
    about to end get a moment for it, and services `seconds` to start."""
    program = _print_command(ASKING_PROGRAM.read_bytes())
    words = " ".join(map(shlex.quote, (",".join(watched), *addresses)))
    done = await box.exec(
        f"{program} | python3 -IB - {START_SECONDS if seconds is None else seconds} {words}", user="root", timeout=60
    )
    if not done.ok:
        raise SandboxError(f"the services of a script cannot be asked: {done.err[-300:]}")
    found = json.loads(done.out)
    return Asked(tuple(found["answers"]), tuple(found["processes"]))


def _print_command(content: bytes) -> str:
    """A command that prints these bytes: a file of root's would have to be laid through the engine, which takes longer
    and holds the box still meanwhile."""
    return f"echo {b64encode(content).decode()} | base64 -d"
