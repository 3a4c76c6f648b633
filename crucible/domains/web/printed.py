"""What programs print, read: which line says why a command failed, and where an application says it is to be found."""

from __future__ import annotations

import re
from itertools import dropwhile, takewhile

EXCEPTION_LINES = 3
"""So much of what an exception says in several lines is told: what is wrong, with what, and how."""
TELLING = re.compile(r"(?i)error|not found|no matching|cannot|failed|denied|refused|missing")
NPM_ERROR = re.compile(r"npm (?:error|ERR!) \S")
SCRIPT_FAILED = re.compile(r"npm (?:error|ERR!) command failed$")
SCRIPT_ERROR = re.compile(r"npm (?:error|ERR!) .*\b\w*Error: ")
"""What npm prints first where a script of a package failed, and the line of the script's own output that says why."""
NOT_TELLING = re.compile(
    r"complete log of this run|npm (?:error|ERR!) (?:code|path|Lifecycle)|npm notice|^\s*at |not a problem with pip"
    r"|error: subprocess-exited-with-error|^\s*Failed to compile\.\s*$"
    r"|^> Build failed because of webpack errors|code \d{3}, message |\" 5\d\d Internal Server Error"
    r"|^\(Background on this error at: |^ERROR: \"[^\"]+\" exited with \d+"
    r"|\[ERROR\] (?:Worker \(pid|Exception in worker|Shutting down|Reason: Worker failed to boot)"
    r"|^\s+(?:[a-z]\w*|\[Symbol\(\w+\)\]): (?:'[^']*'|undefined|\d+|\{\}|\[[^]]*\]),?$"  # matches: name: 'MongoError',
)
TRACEBACK = "Traceback (most recent call last)"
CAUSED = "The above exception was the direct cause of the following exception:"
"""What Python prints before an exception, and between it and one that was raised from it."""
FRAME = re.compile(r'\s+File "[^"]+", line \d+')
"""Where an exception came by, the last time right before it; of a long way the beginning is often cut off."""
COLOURS = re.compile(r"\x1b\[[\d;]*m")  # matches what turns a word red on a terminal
BUILDS = (
    ("subprocess-exited-with-error", re.compile(r"(?m)^\s*Collecting (\S+)")),
    ("command failed", re.compile(r"npm (?:error|ERR!) path \S*/node_modules/(\S+)")),
    ("ERESOLVE", re.compile(r"(?m)^npm (?:error|ERR!) +(peer \S+ from \S+)")),
)
"""What pip and npm print when a package cannot be built, or not beside another, and where they name it."""
# matches: Collecting bottle==0.12.7 (from -r requirements.txt)    npm error path /workspace/node_modules/node-sass
# npm error peer vite@"^5.0.0" from plugin@2.0.0


def find_telling_line(output: str) -> str:
    """The line of an output that says most about why a command failed, after the package that could not be built."""
    packages = [package for sign, named in BUILDS if sign in output for package in named.findall(output)[-1:]]
    plain = _cut_consequences(COLOURS.sub("", output)).splitlines()
    lines = [line.strip() for line in plain if line.strip() and not NOT_TELLING.search(line)]
    npm = [line for line in lines if NPM_ERROR.match(line)]  # says first what is wrong, then what one might do
    telling = [line for line in lines if TELLING.search(line)]
    if npm and SCRIPT_FAILED.match(npm[0]):
        npm = [line for line in npm if SCRIPT_ERROR.match(line)] or npm
    line = npm[0] if npm else telling[-1] if telling else lines[-1] if lines else "it printed nothing"
    exception = _read_last_exception(plain)
    return ": ".join([*packages, " ".join(exception[:EXCEPTION_LINES]) if line in exception[1:] else line])


def _read_last_exception(lines: list[str]) -> list[str]:
    """The lines of what Python's last exception says, its name first; none where there was no exception."""
    frames = [number for number, line in enumerate(lines) if FRAME.match(line)]
    said = dropwhile(lambda line: line.startswith(" "), lines[frames[-1] :] if frames else [])
    return [line.strip() for line in takewhile(str.strip, said)]


def _cut_consequences(output: str) -> str:
    """An output up to the exception that the last one was raised from: that says why."""
    parts = output.split(CAUSED)
    while len(parts) > 1 and parts[-1].count(TRACEBACK) == 1:
        parts.pop()
    return CAUSED.join(parts)


def find_printed_path(output: str, address: str) -> str:
    """The folder at which an application says that it is to be opened; empty where it names none."""
    local = rf"http://(?:localhost|127\.0\.0\.1):{address.rpartition(':')[2]}(/[\w./-]+/)"
    named = re.search(local, COLOURS.sub("", output))  # matches: http://localhost:4173/notes/
    return named[1] if named else ""
