"""Runs in the office suite's box, so that no program waits for its imports: `serve.py SOCKET [--fork] MODULE...`.

Imports the modules, then runs programs as `ask.py` asks for them, each with the asker's files and folder. One that only
talks to the suite runs here, after the one before it; one that reads a document itself gets a process of its own
(`--fork`), which a document may bring down.
"""

from __future__ import annotations

import importlib
import json
import os
import signal
import socket
import sys
import traceback
from pathlib import Path

LONGEST_REQUEST = 1 << 16
NOWHERE = os.open(os.devnull, os.O_RDWR)


def serve(place: str, forks: bool) -> None:
    """Answer for ever."""
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(place)
        server.listen()
        while True:
            connection, _ = server.accept()
            with connection:
                if not forks:
                    answer(connection)
                elif os.fork() == 0:
                    answer(connection)
                    os._exit(0)


def answer(connection: socket.socket) -> None:
    """Run one program in the place of whoever asks for it, and say how it ended."""
    request, files, _, _ = socket.recv_fds(connection, LONGEST_REQUEST, 3)
    folder, words = json.loads(request)
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    os.chdir(folder)
    code = run_program(words)
    for number in range(3):  # who asked may wait until nobody holds its files any more
        os.dup2(NOWHERE, number)
    connection.sendall(b"%d" % code)


def run_program(words: list[str]) -> int:
    """Run a file of Python as if it had been started with these words; its exit code."""
    sys.argv = words
    sys.stdin, sys.stdout, sys.stderr = (os.fdopen(number, mode, closefd=False) for number, mode in enumerate("rww"))
    try:
        # Not by `runpy`, which has another main module meanwhile: the bridge to the suite keeps what it needs in that.
        exec(compile(Path(words[0]).read_text(), words[0], "exec"), {"__name__": "__main__", "__file__": words[0]})
        return 0
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except Exception:
        traceback.print_exc()
        return 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()


if __name__ == "__main__":
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those who end
    place, *modules = sys.argv[1:]
    forks = "--fork" in modules
    for module in modules:
        if module != "--fork":
            importlib.import_module(module)
    serve(place, forks)
