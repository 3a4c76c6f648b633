"""Runs a script in scenes within a box, and observes what it did there, out of the script's reach."""

from __future__ import annotations

import shlex
from base64 import b64encode
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from crucible.domains.terminal.repositories import DESCRIBE, Repository, parse_repositories
from crucible.domains.terminal.scenes import Effect, Entry, Scene, pack_scenes, read_entries
from crucible.domains.terminal.services import Asked, ask_services, read_requests, start_folder_service, start_service
from crucible.errors import BoxExhausted, SandboxError
from crucible.sandbox import Done, Sandbox

FOLDER = "/tmp/scenes"
"""Where the scenes lie in the box."""
SECONDS = 10.0
"""How long a script may take in one scene."""
HOME = "/tmp/scenes.home"
"""The home of whoever runs a script: an empty folder, so that settings which somebody left elsewhere do not count."""
DESCRIBING = f"{FOLDER}.describe.py"
"""Where the program lies that tells what repositories hold."""
SHORT_ARCHIVE = 60_000
"""Bytes of an archive of scenes that may be part of a command: writing a file of the box takes much longer."""
CLEAR = f"chmod -R u+rwX {FOLDER} {HOME} 2>/dev/null; rm -rf {FOLDER} {HOME} {DESCRIBING}"
GIT_DATE = "2025-01-01T00:00:00+0000"
"""When every commit of a script is made."""
ENVIRONMENT = f"LC_ALL=C.UTF-8 TZ=UTC HOME={HOME} GIT_AUTHOR_DATE={GIT_DATE} GIT_COMMITTER_DATE={GIT_DATE}"
REFRESH = (
    f"for git in $(find {FOLDER} -maxdepth 3 -type d -name .git); do git -C ${{git%/.git}} update-index -q --refresh; "
    "done; true"
)
"""Has git look at the files that were just laid, so that it does not take them for changed."""


class Trial(NamedTuple):
    """A script to be run in a scene."""

    script: str
    """Its path in the box."""
    scene: Scene
    leaves_processes: bool = False
    """Whether what it left running has to end before the next: a server holds its port."""


class Outcome(NamedTuple):
    """What a trial came to: the effect, and how the command itself ended."""

    effect: Effect
    done: Done


async def run_trials(box: Sandbox, trials: Sequence[Trial], seconds: float = SECONDS) -> list[Outcome]:
    """Run each script in a scene of its own, one after the other; what they leave is looked at when none runs any more,
    through the engine."""
    await _lay_scenes(box, [trial.scene for trial in trials])
    runs, requests, answers, restarts = [], [], [], []
    for number, trial in enumerate(trials):
        if trial.scene.service is not None:
            await start_service(box, trial.scene.service)
        running = await _start_running(box, trial.scene, number) if trial.scene.started else ()
        runs.append(await _run(box, trial.script, number, seconds))
        requests.append(await read_requests(box) if trial.scene.service is not None else ())
        asked = await ask_services(box, trial.scene.asked, running) if trial.scene.asked else Asked((), ())
        answers.append(asked.answers)
        restarts.append(bool(running) and not set(running) & set(asked.processes))
        if trial.leaves_processes or trial.scene.service is not None or trial.scene.asked or trial is trials[-1]:
            await box.end_processes()
    remains = await box.collect()
    if remains.left == "too_large":  # nothing could be compared, and whatever was left would do
        raise BoxExhausted("what scripts leave", remains.detail)
    archive = remains.archive or b""
    entries = [read_entries(archive, f"{FOLDER}/{number}") if archive else {} for number in range(len(runs))]
    repositories = await _describe_repositories(box) if any(map(_has_repository, entries)) else {}
    return [
        Outcome(
            Effect(
                code=done.code,
                out=done.out,
                entries=found,
                repositories=repositories.get(str(number), {}),
                requests=sent,
                answers=answered,
                restarted=restarted,
            ),
            done,
        )
        for number, (done, found, sent, answered, restarted) in enumerate(
            zip(runs, entries, requests, answers, restarts, strict=True)
        )
    ]


def _has_repository(entries: Mapping[str, Entry]) -> bool:
    return any(path == ".git" or path.endswith("/.git") for path in entries)


async def _describe_repositories(box: Sandbox) -> dict[str, dict[str, Repository]]:
    """What all repositories of all scenes hold, as git tells it once no script runs any more."""
    await box.write(DESCRIBING, DESCRIBE.read_bytes())
    done = await box.exec(f"HOME={HOME} python3 -IB {DESCRIBING} {FOLDER}", timeout=60)
    return parse_repositories(done.out)


async def _lay_scenes(box: Sandbox, scenes: Sequence[Scene]) -> None:
    archive, place = pack_scenes(scenes), f"{FOLDER}.tar"
    if len(archive) > SHORT_ARCHIVE:
        await box.write(place, archive)
    source = f"cat {place}" if len(archive) > SHORT_ARCHIVE else f"echo {b64encode(archive).decode()} | base64 -d"
    unpack = f"mkdir -p {FOLDER} {HOME} && {source} | tar -C {FOLDER} -xp && rm -f {place}"
    commands = [CLEAR, unpack]
    if any(_has_repository(scene.entries) for scene in scenes):
        commands.append(REFRESH)
    done = await box.exec("; ".join(commands), timeout=60)
    if not done.ok:
        raise SandboxError(f"the scenes cannot be laid: {done.err[-300:]}")


async def clear_scenes(box: Sandbox) -> None:
    """Take away what trials laid in a box, and what the scripts made of it."""
    await box.exec(CLEAR, timeout=60)


async def _start_running(box: Sandbox, scene: Scene, number: int) -> tuple[str, ...]:
    """The processes of the service that runs in a scene before its script does."""
    return await start_folder_service(box, f"cd {FOLDER}/{number}\nexport {ENVIRONMENT}\n{scene.started}", scene.asked)


async def _run(box: Sandbox, script: str, number: int, seconds: float) -> Done:
    command = f"cd {FOLDER}/{number} && {ENVIRONMENT} bash {shlex.quote(script)} < {FOLDER}/{number}.in"
    return await box.exec(command, timeout=seconds)
