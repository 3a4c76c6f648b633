"""Scripted teachers: an authored script, a recorded trajectory, or one of the cheating attempts in `agents/probes`.

`options` of the agent say what is played, one of:
    turns       the turns themselves
    script      path of a TOML or JSON file that has them
    trajectory  path of a recorded trajectory, as JSON
    probe       name of a file in `agents/probes`
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from agents.teachers.player import Player, open_player
from agents.translation import Call, Turn, to_own_call
from crucible import parts
from crucible.acting import Ask, TeacherRun, knows_task
from crucible.errors import SettingsError
from crucible.model import Step, Task, ToolSpec, Trajectory
from crucible.record import Json, Record

PROBES = Path(__file__).parent.parent / "probes"


class Script(Record):
    """An authored attempt."""

    about: str = ""
    kinds: tuple[str, ...] = ()
    """For a probe: the kinds of tasks it knows how to cheat in; all when empty. At others it does nothing."""
    domains: tuple[str, ...] = ()
    """For a probe: the domains it knows, in the same way."""
    harmless_to: tuple[str, ...] = ()
    """For a probe: the verifiers it cannot fool; at tasks that have no other it does nothing."""
    runners: tuple[str, ...] = ()
    """For a probe: the test frameworks it knows, in the same way; tasks that name none count as known."""
    version: int = 1
    """For a probe: raised when it learns something, so that what was proven without that is proven anew."""
    lays: str = ""
    """A folder, seen from the script's own, whose files are written first: the turns then change what is there."""
    turns: tuple[Turn, ...] = ()


@parts.teacher("scripted", authored=True)
def scripted(settings: TeacherRun) -> AbstractAsyncContextManager[Player]:
    """Plays the attempt that the agent's options name: turns, script, trajectory or probe."""
    return open_player(_turns_by_options, settings)


def probe_names() -> list[str]:
    """The cheating attempts there are; each is also a teacher named `probe.NAME`."""
    return sorted(file.stem for file in PROBES.glob("*.toml"))


def load_script(path: Path) -> Script:
    """The script in a TOML or JSON file; SettingsError when it cannot be read or is none."""
    return _parse_script(_read_text(path), path)


def recorded_turns(trajectory: Trajectory) -> list[Turn]:
    """The turns of a recorded attempt, in the tools' own words, so that any scaffold can play them."""
    return [_recorded_turn(step, trajectory.tools, trajectory.form) for step in trajectory.steps]


def _recorded_turn(step: Step, tools: Sequence[ToolSpec], form: str) -> Turn:
    text = step.text if form == "native" else step.text.partition("```call")[0].strip()
    return Turn(thinking=step.thinking, text=text, calls=tuple(to_own_call(call, tools) for call in step.calls))


def _turns_by_options(_task: Task, ask: Ask) -> Sequence[Turn]:
    """The turns that the agent's options name, in exactly one of the ways there are."""
    keys = [key for key in TURN_SOURCES if key in ask.options]
    if len(keys) != 1:
        raise SettingsError(
            f"a scripted teacher takes one of the options {', '.join(TURN_SOURCES)}; it got {len(keys)}"
        )
    return TURN_SOURCES[keys[0]](ask.options[keys[0]])


def _turns_in_options(turns: Json) -> Sequence[Turn]:
    return _parse_script(json.dumps({"turns": turns}), Path("turns.json")).turns


def _turns_of_file(path: Json) -> Sequence[Turn]:
    script = load_script(Path(str(path)))
    laying = [_lay_files(Path(str(path)).parent / script.lays)] if script.lays else []
    return [*laying, *script.turns]


def _lay_files(folder: Path) -> Turn:
    """The turn that writes all files of a folder."""
    files = sorted(file for file in folder.rglob("*") if file.is_file())
    if not files:
        raise SettingsError(f"{folder} has no files to be laid")
    arguments = [{"path": str(file.relative_to(folder)), "content": _read_text(file)} for file in files]
    return Turn(calls=tuple(Call(tool="write", arguments=dict(each)) for each in arguments))


def _turns_of_recording(path: Json) -> Sequence[Turn]:
    try:
        return recorded_turns(Trajectory.model_validate_json(_read_text(Path(str(path)))))
    except ValidationError as fault:
        raise SettingsError(f"{path} is not a trajectory: {fault}") from None


def _turns_of_probe(name: Json) -> Sequence[Turn]:
    if name not in probe_names():
        raise SettingsError(f"agents/probes has no '{name}'; it has: {', '.join(probe_names())}")
    return load_script(PROBES / f"{name}.toml").turns


TURN_SOURCES: dict[str, Callable[[Json], Sequence[Turn]]] = {
    "turns": _turns_in_options,
    "script": _turns_of_file,
    "trajectory": _turns_of_recording,
    "probe": _turns_of_probe,
}
"""How the turns are had, by the option that names them."""


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as fault:
        raise SettingsError(f"{path} cannot be read: {fault}") from None


def _parse_script(text: str, path: Path) -> Script:
    try:
        fields: Any = tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)
        return Script.model_validate(fields)
    except ValueError as fault:
        raise SettingsError(f"{path} is not a script: {fault}") from None


def _probe_part(script: Script) -> Callable[[TeacherRun], AbstractAsyncContextManager[Player]]:
    """A teacher that plays the probe's script at tasks of its kinds, and does nothing at others."""

    def choose_turns(task: Task, _ask: Ask) -> Sequence[Turn]:
        return script.turns if knows_task(script, task) else ()

    def make(settings: TeacherRun) -> AbstractAsyncContextManager[Player]:
        return open_player(choose_turns, settings)

    make.__doc__ = script.about
    return make


for _name in probe_names():
    _script = load_script(PROBES / f"{_name}.toml")
    _part = parts.teacher(
        f"probe.{_name}",
        version=_script.version,
        kinds=_script.kinds,
        domains=_script.domains,
        harmless_to=_script.harmless_to,
        runners=_script.runners,
        authored=True,
    )
    _part(_probe_part(_script))
