"""Runs in the browser's box, once for each call: hands one JSON line to the driver and prints what it answers."""

import socket
import sys

with socket.socket(socket.AF_UNIX) as connection:
    connection.connect(sys.argv[1])
    connection.sendall(sys.argv[2].encode() + b"\n")
    connection.shutdown(socket.SHUT_WR)
    while data := connection.recv(1 << 16):
        sys.stdout.buffer.write(data)
