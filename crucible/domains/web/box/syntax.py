"""Runs in the box of an application: reads every file as its language and says what cannot be read.

    python3 -I syntax.py <request   {"files": [...], "scripts": true, "checker": "what Node runs to parse scripts"}

Prints a JSON list of `PATH:LINE: what is wrong`. Programs of Python are compiled, JSON is parsed, scripts are parsed by
Node both as a script and as a module, those within pages too. Templates, and what only a bundler reads, are left out.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import warnings
from html.parser import HTMLParser
from pathlib import Path

MOST_BYTES, MOST_FAULTS = 1_000_000, 20
COMMENTED_JSON = re.compile(r"(^|/)(tsconfig|jsconfig|\.)[^/]*\.json$|\.vscode/|\.devcontainer/")
TEMPLATE = re.compile(r"\{\{|\{%|<%|<\?php")
SCRIPTS = (".js", ".mjs", ".cjs")
SCRIPT_TYPES = ("", "module", "text/javascript", "application/javascript")


class Page(HTMLParser):
    """The scripts within a page, and those that a translator in the browser reads."""

    def __init__(self) -> None:
        super().__init__()
        self.scripts: list[tuple[int, str]] = []
        self.translated: list[str] = []
        self.elements = 0
        self._reading = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements += 1
        if tag != "script":
            return
        given = {name: (value or "").strip() for name, value in attrs}
        kind = given.get("type", "").lower()
        if "src" in given and ("babel" in kind or "jsx" in kind):
            self.translated.append(given["src"].partition("?")[0].rpartition("/")[2])
        self._reading = "src" not in given and kind in SCRIPT_TYPES

    def handle_endtag(self, tag: str) -> None:
        self._reading = self._reading and tag != "script"

    def handle_data(self, data: str) -> None:
        if self._reading and data.strip():
            self.scripts.append((self.getpos()[0], data))


def read_files(paths: list[str]) -> dict[str, bytes]:
    """The files that are plain and small enough to be somebody's work."""
    plain = [path for path in paths if Path(path).is_file() and not Path(path).is_symlink()]
    return {path: Path(path).read_bytes() for path in plain if Path(path).stat().st_size <= MOST_BYTES}


def check_python(path: str, data: bytes) -> str:
    """Why a program does not compile; empty when it does."""
    try:
        compile(data, path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as fault:
        return f"{path}:{getattr(fault, 'lineno', None) or 1}: {getattr(fault, 'msg', fault)}"
    return ""


def check_json(path: str, data: bytes) -> str:
    """Why a file is no JSON; empty when it is."""
    try:
        json.loads(data.decode("utf-8-sig"))
    except json.JSONDecodeError as fault:
        return f"{path}:{fault.lineno}: {fault.msg}"
    except ValueError as fault:
        return f"{path}:1: {fault}"
    return ""


def check_page(path: str, text: str, page: Page) -> str:
    """Why a page is none; empty when it is one."""
    page.feed(text)
    if page.cdata_elem:
        return f"{path}:{page.getpos()[0]}: <{page.cdata_elem}> is never closed"
    page.close()
    return "" if page.elements or not text.strip() else f"{path}:1: there is no element in it"


def check_scripts(sources: list[dict[str, object]], checker: str) -> list[str]:
    """What Node cannot parse; all of it in one process."""
    if not sources:
        return []
    command = ["node", "--experimental-vm-modules", "--no-warnings", "-e", checker]
    done = subprocess.run(command, input=json.dumps(sources), capture_output=True, text=True, check=False)
    faults: list[str] = json.loads(done.stdout or "[]")
    return faults


def main() -> None:
    warnings.simplefilter("ignore")
    request = json.load(sys.stdin)
    files = read_files(request["files"])
    faults = [check_python(path, data) for path, data in files.items() if path.endswith(".py")]
    faults += [check_json(p, d) for p, d in files.items() if p.endswith(".json") and not COMMENTED_JSON.search(p)]
    sources: list[dict[str, object]] = []
    translated: list[str] = []
    for path, data in files.items():
        text = data.decode(errors="replace")
        if path.endswith((".html", ".htm")) and not TEMPLATE.search(text):
            page = Page()
            faults.append(check_page(path, text, page))
            sources += [{"name": path, "line": line, "text": script} for line, script in page.scripts]
            translated += page.translated
    if request["scripts"]:
        for path, data in files.items():
            if path.endswith(SCRIPTS) and Path(path).name not in translated:
                sources.append({"name": path, "line": 1, "text": data.decode(errors="replace")})
    faults += check_scripts(sources, request["checker"])
    print(json.dumps([fault[:500] for fault in faults if fault][:MOST_FAULTS]))


main()
