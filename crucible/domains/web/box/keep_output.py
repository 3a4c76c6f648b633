"""Runs in the box of an application: keeps the end of what comes in, in a file that stays small.

COMMAND 2>&1 | python3 -I keep_output.py FILE
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

MOST, KEPT = 1 << 18, 1 << 14


def main() -> None:
    file, size = Path(sys.argv[1]), 0
    while data := os.read(0, 1 << 16):
        if size > MOST:
            file.write_bytes(file.read_bytes()[-KEPT:])
            size = KEPT
        with file.open("ab") as log:
            size += log.write(data)


main()
