"""Who holds a claim: one process of one machine, and whether it still lives."""

from __future__ import annotations

import os
import socket
from functools import cache
from pathlib import Path


def current_owner() -> str:
    """This process, named so that a later process with the same number is not taken for it."""
    return f"{_machine_name()}/{os.getpid()}/{_start_time(os.getpid())}"


def is_dead(owner: str) -> bool:
    """Known to be gone (what follows a `#` is the owner's own affair).

    A process of another machine is never known to be: its lease must expire."""
    rest, _, started = owner.partition("#")[0].rpartition("/")
    machine, _, process = rest.rpartition("/")
    if machine != _machine_name() or not process.isdigit():
        return False
    return _start_time(int(process)) != started


def is_running(process: int) -> bool:
    """Whether there is such a process, and not merely its unburied remains."""
    return bool(_start_time(process))


@cache
def _machine_name() -> str:
    """Name, boot and process namespace: where process numbers mean the same thing."""
    boot = _read("/proc/sys/kernel/random/boot_id")[:8]
    try:
        namespace = Path("/proc/self/ns/pid").readlink().name.strip("pid:[]")
    except OSError:
        namespace = ""
    return f"{socket.gethostname()}-{boot}-{namespace}"


def _start_time(process: int) -> str:
    """When it started, in the kernel's ticks; empty when it does not run (or has ended unburied)."""
    fields = _read(f"/proc/{process}/stat").rpartition(")")[2].split()
    if not fields:
        return _is_alive(process)
    return "" if fields[0] in "ZX" else fields[19]


def _is_alive(process: int) -> str:
    """Where there is no /proc the number alone must do."""
    if Path("/proc/self").exists():
        return ""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return ""
    except PermissionError:
        pass
    return "0"


def _read(path: str) -> str:
    try:
        return Path(path).read_text()
    except OSError:
        return ""
