"""A program that asks web services of this machine for pages, and looks at which processes run here.

    python3 -IB ask_pages.py SECONDS WATCHED ADDRESS...

It waits so many seconds for a service that is only just starting, and a moment for those of the processes WATCHED
(separated by commas) that are only just ending. It prints JSON: {"answers": [...], "processes": [...]}. Of an answer
the status and the text count; who does not answer has none. Of Python's standard library little is loaded: the program
is started often.
"""

from __future__ import annotations

import json
import os
import socket
import sys
import time
from pathlib import Path

LONGEST = 64 << 10
"""Bytes of an answer that are read."""
PAUSE = 0.05
NO_ANSWER = "no answer"
FIRST_REFUSAL = 400
ENDING_SECONDS = 1.0
"""How long a process that was told to end may take."""


def ask_page(address: str, until: float) -> str:
    """The status and the text of an answer; of a refusal the status alone; a word where there is none until then."""
    place, _, path = address.partition("://")[2].partition("/")
    host, _, port = place.partition(":")
    request = f"GET /{path} HTTP/1.0\r\nHost: {place}\r\n\r\n".encode()
    while True:
        try:
            status, _, text = _exchange((host, int(port or 80)), request).partition(" ")
            if status:
                return status if int(status) >= FIRST_REFUSAL else f"{status} {text}"
        except (OSError, ValueError):
            pass
        if time.monotonic() > until:
            return NO_ANSWER
        time.sleep(PAUSE)


def _exchange(place: tuple[str, int], request: bytes) -> str:
    """The status of an answer, a blank, and its text; empty: it is no answer of a web service."""
    with socket.create_connection(place, timeout=5) as connection:
        connection.sendall(request)
        answer = bytearray()
        while len(answer) < LONGEST and (piece := connection.recv(LONGEST)):
            answer += piece
    head, _, body = bytes(answer).decode(errors="replace").partition("\r\n\r\n")
    words = head.split(maxsplit=2)
    return f"{words[1]} {body}" if len(words) > 1 and words[0].startswith("HTTP/") else ""


def list_processes() -> list[str]:
    """The living processes, each by its number and when it was started: those of other users for root, of the same
    user for others, but for this one and those that it was started by."""
    own, found = os.getuid(), []
    ancestors = _ancestors()
    for place in Path("/proc").glob("[0-9]*"):
        try:
            owner, fields = place.stat().st_uid, _read_stat(int(place.name))
        except OSError:  # it ended meanwhile
            continue
        if int(place.name) not in ancestors and fields[0] != "Z" and (owner != 0 if own == 0 else owner == own):
            found.append(f"{place.name}:{fields[19]}")
    return found


def _ancestors() -> set[int]:
    number, found = os.getpid(), {1}
    while number > 1:
        found.add(number)
        number = int(_read_stat(number)[1])
    return found


def _read_stat(process: int) -> list[str]:
    """What `/proc` tells of a process, from its state on: behind its name, which may hold anything."""
    return Path(f"/proc/{process}/stat").read_text(errors="replace").rpartition(")")[2].split()


def main(seconds: str, watched: str, *addresses: str) -> None:
    """Ask one after the other, then look until none of those watched is left, but not for long."""
    until = time.monotonic() + float(seconds)
    answers = [ask_page(address, until) for address in addresses]
    ended = time.monotonic() + ENDING_SECONDS
    while set(watched.split(",")) & set(processes := list_processes()) and time.monotonic() < ended:
        time.sleep(PAUSE)
    print(json.dumps({"answers": answers, "processes": processes}))


if __name__ == "__main__":
    main(*sys.argv[1:])
