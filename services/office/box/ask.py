"""Runs in the office suite's box, once for each program: `ask.py SOCKET PROGRAM ARGUMENT...` has `serve.py` run it with
this process's own files and folder, and ends as it ends. Code 3: nobody answers."""

import json
import os
import socket
import sys

GONE = 3

with socket.socket(socket.AF_UNIX) as connection:
    try:
        connection.connect(sys.argv[1])
        here = os.getcwd()  # noqa: PTH109  (pathlib takes longer to import than the rest)
        socket.send_fds(connection, [json.dumps([here, sys.argv[2:]]).encode()], [0, 1, 2])
        code = connection.recv(16)
    except OSError:
        code = b""
if not code:
    print(f"nobody answers at {sys.argv[1]}, or not to the end", file=sys.stderr)
sys.exit(int(code or GONE))
