"""Runs in the office suite's box, so that no program waits for its imports: `serve.py SOCKET [--fork] MODULE...`.

Imports the modules, then runs programs as `ask.py` asks for them, in the folder where it was started. One that only
talks to the suite runs here, after the one before it; one that reads a document itself gets a process of its own
(`--fork`), which a document may bring down.
"""

from __future__ import annotations

import importlib
import io
import os
import signal
import socket
import sys
import traceback
from functools import cache
from pathlib import Path
from types import CodeType


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
    """Run one program, and say how it ended and what it told on standard error."""
    with connection.makefile("rb") as request:
        words = request.read().decode().split("\0")
    code, said = run_program(words)
    connection.sendall(f"{code}\n{said}".encode(errors="replace"))


def run_program(words: list[str]) -> tuple[int, str]:
    """Run a file of Python as if it had been started with these words; its exit code and what it said."""
    sys.argv, sys.stderr = words, io.StringIO()
    code = 0
    try:
        # Not by `runpy`, which has another main module meanwhile: the bridge to the suite keeps what it needs in that.
        exec(compile_program(words[0]), {"__name__": "__main__", "__file__": words[0]})
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except Exception:
        traceback.print_exc()
        code = 1
    said, sys.stderr = sys.stderr.getvalue(), sys.__stderr__
    return code, said


@cache
def compile_program(path: str) -> CodeType:
    return compile(Path(path).read_text(), path, "exec")


if __name__ == "__main__":
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those who end
    place, *modules = sys.argv[1:]
    forks = "--fork" in modules
    for module in modules:
        if module != "--fork":
            importlib.import_module(module)
    serve(place, forks)
