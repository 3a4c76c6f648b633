"""Runs in the box of an application: asks each listening address for its first page, all at once.

    python3 -I ask.py SECONDS PATH HOST:PORT...

Prints a JSON list: for each that gave an HTTP answer its address, status, content type, and where it sends on to.
"""

from __future__ import annotations

import http.client
import json
import sys
from concurrent.futures import ThreadPoolExecutor

HEADERS = {"Accept": "text/html,application/json;q=0.9,*/*;q=0.8"}


def ask(address: str, path: str, seconds: float) -> dict[str, object] | None:
    """The head of the answer; None where there is none. Nothing of the body is read: it may have no end."""
    connection = http.client.HTTPConnection(address, timeout=seconds)
    try:
        connection.request("GET", path, headers=HEADERS)
        answer = connection.getresponse()
        kind, location = answer.getheader("Content-Type", ""), answer.getheader("Location", "")
        return {"address": address, "status": answer.status, "kind": kind[:100], "location": location[:300]}
    except (OSError, http.client.HTTPException, ValueError):
        return None
    finally:
        connection.close()


def main() -> None:
    seconds, path, addresses = float(sys.argv[1]), sys.argv[2], sys.argv[3:]
    with ThreadPoolExecutor(max(1, len(addresses))) as threads:
        answers = threads.map(lambda address: ask(address, path, seconds), addresses)
        print(json.dumps([answer for answer in answers if answer]))


main()
