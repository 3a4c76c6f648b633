"""A program that asks web services of this machine for pages, and prints what they answer, as a JSON list of texts.

    python3 -IB ask_pages.py SECONDS ADDRESS...   waits so long for a service that is only just starting

Of an answer the status and the text count; who does not answer has none. Python's standard library is enough.
"""

from __future__ import annotations

import http.client
import json
import sys
import time
import urllib.error
import urllib.request

LONGEST = 64 << 10
"""Bytes of an answer that are read."""
PAUSE = 0.05


def ask_page(address: str, until: float) -> str:
    """The status and the text of an answer; a word where there is none until then."""
    while True:
        try:
            with urllib.request.urlopen(address, timeout=5) as answer:
                return f"{answer.status} {answer.read(LONGEST).decode(errors='replace')}"
        except urllib.error.HTTPError as refusal:
            return f"{refusal.code}"
        except (OSError, http.client.HTTPException):
            if time.monotonic() > until:
                return "no answer"
            time.sleep(PAUSE)


def main(seconds: str, *addresses: str) -> None:
    """Ask one after the other."""
    until = time.monotonic() + float(seconds)
    print(json.dumps([ask_page(address, until) for address in addresses]))


if __name__ == "__main__":
    main(*sys.argv[1:])
