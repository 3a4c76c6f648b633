"""Services that run already when a suggestion is run: the question shows how its service is started, and the answer
ends it and starts it anew, or has it read its settings again."""

from __future__ import annotations

import re
from collections.abc import Iterator

from crucible.domains.terminal.scenes import Scene
from pipelines.terminal.posts.examples import Shown

ENDS = re.compile(r"\b(?:p?kill|killall|fuser\s+-\w*k)\b")  # matches: kill "$(cat server.pid)"
CONTROL = re.compile(r"^\s*((?:(?:ba)?sh )?(?:\./)?([\w.-]+)) (?:restart|stop|reload)\b", re.MULTILINE)
# matches: ./service.sh restart
STARTS = re.compile(r"^\s*start\s*\)|\bstart\s*\)", re.MULTILINE)  # matches: the start) of a case
BACKGROUND = re.compile(r"(?:\s+\d?>+\s*\S+)*\s*&?\s*$")  # matches: > server.log 2>&1 &
MOST_ASKED = 3

RUNS = (
    "When it starts, a service of the folder is running already; it was started there by {commands}. Once the script "
    "has ended, the service answers as `answers.txt` of the examples shows, at {addresses}."
)
RESTARTED = "By then the service is a new process: the one that ran before the script has ended."
RUNS_ON = "The service goes on as the same process: it is not ended and started anew."


def add_running(scene: Scene, script: str, shown: Shown) -> Scene:
    """The scene with the service that the script is to start anew, where the question shows how it is started and at
    which address it answers."""
    command = find_start_command(script, shown)
    if not command or not shown.addresses:
        return scene
    return scene.model_copy(update={"started": command, "asked": shown.addresses[:MOST_ASKED], "service": None})


def find_start_command(script: str, shown: Shown) -> str:
    """How the question starts the service that the script ends, or tells to start anew; empty: there is none."""
    if control := CONTROL.search(script):
        return f"{control[1]} start" if STARTS.search(shown.files.get(control[2], "")) else ""
    ending = ENDS.search(script)
    if ending is None:
        return ""
    is_signal = re.match(r"\w+ (?:-s )?-?(?:SIG)?(?:HUP|1|USR1|USR2)\b", script[ending.start() :]) is not None
    later = list(_bare_commands(script[ending.end() :]))
    return next((as_background(text) for text in shown.typed if _is_start(text, later, is_signal)), "")


def _is_start(text: str, later: list[str], is_signal: bool) -> bool:
    """Whether commands of a question leave something running that the script starts again later, or tells to go on."""
    if is_signal:
        return re.search(r"&\s*$", text, re.MULTILINE) is not None
    return any(command in later for command in _bare_commands(text) if " " in command or "/" in command)


def _bare_commands(text: str) -> Iterator[str]:
    """The lines of commands without where they print to, and without the sign that leaves them running."""
    return (BACKGROUND.sub("", line).strip() for line in text.splitlines() if line.strip())


def as_background(command: str) -> str:
    """The commands that start a service such that they end: one that is shown alone is left running."""
    is_plain = "\n" not in command and "&" not in command and not command.rstrip().endswith(" start")
    return f"{command} &" if is_plain else command


def describe_running(scene: Scene) -> str:
    """What solvers are told of the service that runs."""
    commands = " and ".join(f"`{line.strip()}`" for line in scene.started.splitlines())
    return RUNS.format(commands=commands, addresses=" and ".join(f"`{address}`" for address in scene.asked))
