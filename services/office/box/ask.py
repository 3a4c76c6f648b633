"""Runs in the office suite's box, once for each document: `ask.py [SOCKET PROGRAM ARGUMENT... [, SOCKET PROGRAM ...]]`.

Lays the files that standard input has, each on a line as `NAME BASE64`, in the folder where it runs, which it empties
first; without any it leaves the folder as it is. Then has `serve.py` run the programs, one after the other, and ends as
the first one that fails has ended, with what that said. Code 3: nobody answers.
"""

import _socket  # `socket`, like `json`, takes longer to import than all else here takes together
import os
import sys
from binascii import a2b_base64

GONE = 3


def lay_files(lines: list[bytes]) -> None:
    """Empty the folder, then write the files."""
    for left in os.listdir():  # noqa: PTH208  (pathlib takes long, too)
        os.unlink(left)  # noqa: PTH108
    for line in lines:
        name, _, text = line.partition(b" ")
        with open(name, "wb") as file:  # noqa: PTH123
            file.write(a2b_base64(text))


def ask(place: str, words: list[str]) -> tuple[int, bytes]:
    """Have a program run; its exit code, and what it said."""
    connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    answer = b""
    try:
        connection.connect(place)
        connection.sendall("\0".join(words).encode())
        connection.shutdown(_socket.SHUT_WR)
        while more := connection.recv(1 << 16):
            answer += more
    except OSError:
        answer = b""
    code, _, said = answer.partition(b"\n")
    return (int(code), said) if code else (GONE, f"nobody answers at {place}, or not to the end\n".encode())


if lines := sys.stdin.buffer.readlines():
    lay_files(lines)
code, words = 0, sys.argv[1:]
while words and not code:
    end = words.index(",") if "," in words else len(words)
    code, said = ask(words[0], words[1:end])
    sys.stderr.buffer.write(said)
    words = words[end + 1 :]
sys.exit(code)
