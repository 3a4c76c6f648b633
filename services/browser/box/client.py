"""Runs in the browser's box, once for each call: hands one JSON line to the driver and prints what it answers."""

import sys
from _socket import AF_UNIX, SHUT_WR, socket  # the module around it takes longer to load than Python to start

connection = socket(AF_UNIX)
connection.connect(sys.argv[1])
connection.sendall(sys.argv[2].encode() + b"\n")
connection.shutdown(SHUT_WR)
while data := connection.recv(1 << 16):
    sys.stdout.buffer.write(data)
