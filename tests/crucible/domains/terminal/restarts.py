"""A folder whose service reads its settings when it starts, and scripts that change it more or less."""

from __future__ import annotations

from crucible.domains.terminal.comparing import Case, Demand, ScriptParams
from crucible.domains.terminal.scenes import Effect, Entry, Scene

SERVER = """import http.server, signal

def read(*_):
    global page
    page = open("app.conf").read().encode()

class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(page)

read()
signal.signal(signal.SIGHUP, read)
http.server.HTTPServer(("localhost", 8091), Page).serve_forever()
"""
START = "python3 server.py > /dev/null 2>&1 & echo $! > server.pid"
EDIT = 'sed -i "s/=.*/=$(cat new.txt)/" app.conf'
STOP = "pid=$(cat server.pid); kill $pid; while kill -0 $pid 2> /dev/null; do sleep 0.02; done"
FAKE = SERVER.replace('open("app.conf").read().encode()', 'b"word=beta\\n"')
SCRIPTS = {
    "restarts it": f"{EDIT}; {STOP}; {START}",
    "has it reload": f"{EDIT}; kill -HUP $(cat server.pid)",
    "edits and does not restart": EDIT,
    "restarts and does not edit": f"{STOP}; {START}",
    "prints the answer": "echo 200 word=beta",
    "does nothing": "true",
    "answers with a fixed page": f"{EDIT}; {STOP}; echo '{FAKE}' > /tmp/fake.py; "
    "python3 /tmp/fake.py > /dev/null 2>&1 & echo $! > server.pid",
}
DEMANDS = (
    Demand(about="files", sentence="It leaves the folder as shown.", any_content=("server.pid",)),
    Demand(about="answers", sentence="The service answers."),
    Demand(about="restart", sentence="It is a new process."),
)


def make_case(word: str, hidden: bool = False) -> Case:
    """The folder with a new word for the settings, and what a solution leaves there."""
    entries = {
        "server.py": Entry(text=SERVER),
        "app.conf": Entry(text="word=alpha\n"),
        "new.txt": Entry(text=f"{word}\n"),
        "server.pid": Entry(text="1\n"),
    }
    scene = Scene(entries=entries, started=START, asked=("http://localhost:8091/",))
    after = {**entries, "app.conf": Entry(text=f"word={word}\n")}
    expected = Effect(code=0, entries=after, answers=(f"200 word={word}\n",), restarted=True)
    return Case(scene=scene, expected=expected, hidden=hidden)


PARAMS = ScriptParams(demands=DEMANDS, cases=(make_case("beta"), make_case("gamma", hidden=True)))
