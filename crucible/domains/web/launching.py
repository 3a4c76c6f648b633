"""Starts an application in its box and finds where it answers, whatever port or interface it chose.

The kernel's table of listening sockets tells, in any language and without a word from the application: what listens
after the start and did not before is its own. What it prints is kept to its end.
"""

from __future__ import annotations

import asyncio
import json
import re
import secrets
import shlex
import time
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path

from crucible.domains.web.rubric import Surface
from crucible.domains.web.stacks import PYTHON, SERVER, Plan
from crucible.record import Record
from crucible.sandbox import Sandbox

SCRIPTS = Path(__file__).parent / "box"
LISTENING = "0A"
"""The state of a listening socket in the kernel's table."""
PAUSE_SECONDS = 0.1
ANSWER_SECONDS = 10.0
"""How long one request may take: a first page may be compiled only when it is asked for."""
PAGE_GRACE_SECONDS = 3.0
"""How long a page is waited for where something else answers already: a server beside it may be the faster one."""
LOG_CHARS = 2000
ADDRESS_TABLES = "cat /proc/net/tcp /proc/net/tcp6 2>/dev/null"
FIRST_PROCESS = 1
PROCESS = re.compile(r"(\d+) \(.*\) [^ZX] (\d+) (\d+) ")
# matches: 41 (python3) S 1 40 40 0 -1   gives 41, 1, 40: its number, its parent and its group; none that is dead
VARIABLES = "PORT={port} HOST=127.0.0.1 BROWSER=none"


class Answer(Record):
    """The head of an HTTP answer."""

    address: str
    """Host and port, as a browser beside the box reaches them."""
    status: int
    kind: str = ""
    """The content type."""
    location: str = ""
    """Where it sends the browser on to."""

    @property
    def is_page(self) -> bool:
        return self.status < 400 and ("html" in self.kind or bool(self.location))


class Launched(Record):
    """An application that was started."""

    log: str
    """Where in the box the end of what it prints is."""
    before: tuple[str, ...]
    """What listened before it was started."""


async def launch(box: Sandbox, plan: Plan, environment: str = "") -> Launched:
    """Start the application in the background."""
    before = await list_listeners(box)
    if SERVER in plan.start:
        await box.write(SERVER, read_script("serve.py").encode())
    log = f"/tmp/.crucible-{secrets.token_hex(8)}"
    port = VARIABLES.format(port=plan.port) if plan.stack == "procfile" else "BROWSER=none"
    run = f"( cd {shlex.quote(plan.folder or '.')} && export {port} {environment} && {plan.start} )"
    keep = f"{make_script_command('keep_output.py')} {log}"
    command = f"echo $$ >{log}.group; {{ {run}; echo $? >{log}.exit; }} 2>&1 | {keep}"
    await box.exec(f"setsid sh -c {shlex.quote(command)} >/dev/null 2>&1 </dev/null &")
    return Launched(log=log, before=before)


async def end(box: Sandbox, launched: Launched) -> None:
    """End the application with all that it started and did not set apart."""
    await box.exec(f"kill -9 -- -$(cat {launched.log}.group) 2>/dev/null")


async def wait_for_answer(
    box: Sandbox, launched: Launched, plan: Plan, surface: Surface, seconds: float
) -> Answer | None:
    """The best answer it gives within the time; None when it gives none, or has ended."""
    ends = time.monotonic() + seconds
    best, page_ends = None, ends
    while time.monotonic() < page_ends:
        listening = [address for address in await list_listeners(box) if address not in launched.before]
        answers = await ask_addresses(box, listening, plan.path) if listening else []
        if answers and best is None and not plan.companions:
            page_ends = min(ends, time.monotonic() + PAGE_GRACE_SECONDS)
        best = choose_answer([*answers, *([best] if best else [])], plan.port)
        if best and (best.is_page or surface == "api"):
            return best
        if not listening and await has_ended(box, launched):
            return best
        await asyncio.sleep(PAUSE_SECONDS)
    return best


def choose_answer(answers: list[Answer], port: int) -> Answer | None:
    """The answer that is a page, else one that is well, and of these the one at the expected port."""

    def rank(answer: Answer) -> tuple[bool, int, bool, str]:
        return not answer.is_page, answer.status // 100, not answer.address.endswith(f":{port}"), answer.address

    return min(answers, key=rank, default=None)


async def ask_addresses(box: Sandbox, addresses: list[str], path: str) -> list[Answer]:
    """What each address answers over HTTP."""
    words = shlex.join([str(ANSWER_SECONDS), path, *addresses])
    done = await box.exec(f"{make_script_command('ask.py')} {words}", timeout=2 * ANSWER_SECONDS)
    return [Answer.model_validate(answer) for answer in json.loads(done.out)] if done.ok else []


async def list_listeners(box: Sandbox) -> tuple[str, ...]:
    """Host and port of every listening socket, as the box and a browser beside it reach them."""
    rows = [line.split() for line in (await box.exec(ADDRESS_TABLES)).out.splitlines()]
    return tuple(dict.fromkeys(_read_address(row[1]) for row in rows if len(row) > 3 and row[3] == LISTENING))


def _read_address(field: str) -> str:
    """An address of the kernel's table, `0100007F:1F90`: words of four bytes, each the other way round. An application
    that listens everywhere, or on a loopback address, is at `localhost`."""
    host, _, port = field.partition(":")
    data = b"".join(bytes.fromhex(host[at : at + 8])[::-1] for at in range(0, len(host), 8))
    address: IPv4Address | IPv6Address = IPv4Address(data) if len(data) == 4 else IPv6Address(data)
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    if address.is_unspecified or address in (IPv4Address("127.0.0.1"), IPv6Address("::1")):
        return f"localhost:{int(port, 16)}"
    return f"{address}:{int(port, 16)}" if address.version == 4 else f"[{address}]:{int(port, 16)}"


async def read_log(box: Sandbox, launched: Launched) -> str:
    """The end of what the application has printed."""
    return (await box.exec(f"tail -c {LOG_CHARS} {launched.log} 2>/dev/null")).out


async def read_exit(box: Sandbox, launched: Launched) -> str:
    """The exit code of the start command; empty while it runs."""
    return (await box.exec(f"cat {launched.log}.exit 2>/dev/null")).out.strip()


async def has_ended(box: Sandbox, launched: Launched) -> bool:
    """Whether the start command has ended and has left nothing running: a server may go to the background some time
    before it listens. What it started later than itself is in its group, or has no parent but the first process."""
    log = launched.log
    done = await box.exec(f"[ -s {log}.exit ] && cat {log}.group && cat /proc/[0-9]*/stat 2>/dev/null")
    if not done.out:
        return False
    group, *rows = done.out.splitlines()
    running = [tuple(map(int, row.groups())) for row in map(PROCESS.match, rows) if row]
    return not any(
        pid >= int(group) and (parent == FIRST_PROCESS or its_group == int(group)) for pid, parent, its_group in running
    )


def read_script(name: str) -> str:
    """A program that runs in the box."""
    return (SCRIPTS / name).read_text(encoding="utf-8")


def make_script_command(name: str) -> str:
    """The command that runs a program of ours in a box, without a file there."""
    return f"{PYTHON} -c {shlex.quote(read_script(name))}"
