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

from agents.speech import Turn, canonical
from agents.teachers.played import Player, playing
from crucible import parts
from crucible.acting import Ask, TeacherRun
from crucible.errors import SettingsError
from crucible.model import Step, Task, ToolSpec, Trajectory
from crucible.record import Json, Record

PROBES = Path(__file__).parent.parent / "probes"


class Script(Record):
    """An authored attempt."""

    about: str = ""
    kinds: tuple[str, ...] = ()
    """For a probe: the kinds of tasks it knows how to cheat in; all when empty. At others it does nothing."""
    turns: tuple[Turn, ...]


@parts.teacher("scripted")
def scripted(settings: TeacherRun) -> AbstractAsyncContextManager[Player]:
    """Plays the attempt that the agent's options name: turns, script, trajectory or probe."""
    return playing(_chosen, settings)


def probe_names() -> list[str]:
    """The cheating attempts there are; each is also a teacher named `probe.NAME`."""
    return sorted(file.stem for file in PROBES.glob("*.toml"))


def load(path: Path) -> Script:
    """A script from its file."""
    return _parsed(_text(path), path)


def replay(trajectory: Trajectory) -> list[Turn]:
    """The turns of a recorded attempt, in the tools' own words, so that any scaffold can play them."""
    return [_turn(step, trajectory.tools, trajectory.form) for step in trajectory.steps]


def _turn(step: Step, tools: Sequence[ToolSpec], form: str) -> Turn:
    text = step.text if form == "native" else step.text.partition("```call")[0].strip()
    return Turn(thinking=step.thinking, text=text, calls=tuple(canonical(call, tools) for call in step.calls))


def _chosen(_task: Task, ask: Ask) -> Sequence[Turn]:
    given = [(key, ask.options[key]) for key in PLAYS if key in ask.options]
    if len(given) != 1:
        raise SettingsError(f"a scripted teacher takes one of the options {', '.join(PLAYS)}; it got {len(given)}")
    key, value = given[0]
    return PLAYS[key](value)


def _inline(turns: Json) -> Sequence[Turn]:
    return _parsed(json.dumps({"turns": turns}), Path("turns.json")).turns


def _file(path: Json) -> Sequence[Turn]:
    return load(Path(str(path))).turns


def _recording(path: Json) -> Sequence[Turn]:
    try:
        return replay(Trajectory.model_validate_json(_text(Path(str(path)))))
    except ValidationError as fault:
        raise SettingsError(f"{path} is not a trajectory: {fault}") from None


def _probe(name: Json) -> Sequence[Turn]:
    if name not in probe_names():
        raise SettingsError(f"agents/probes has no '{name}'; it has: {', '.join(probe_names())}")
    return load(PROBES / f"{name}.toml").turns


PLAYS: dict[str, Callable[[Json], Sequence[Turn]]] = {
    "turns": _inline,
    "script": _file,
    "trajectory": _recording,
    "probe": _probe,
}


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as fault:
        raise SettingsError(f"{path} cannot be read: {fault}") from None


def _parsed(text: str, path: Path) -> Script:
    try:
        read: Any = tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)
        return Script.model_validate(read)
    except ValueError as fault:
        raise SettingsError(f"{path} is not a script: {fault}") from None


def _part(script: Script) -> Callable[[TeacherRun], AbstractAsyncContextManager[Player]]:
    def score(task: Task, _ask: Ask) -> Sequence[Turn]:
        return script.turns if not script.kinds or task.kind in script.kinds else ()

    def make(settings: TeacherRun) -> AbstractAsyncContextManager[Player]:
        return playing(score, settings)

    make.__doc__ = script.about
    return make


for _name in probe_names():
    _script = load(PROBES / f"{_name}.toml")
    parts.teacher(f"probe.{_name}", kinds=_script.kinds)(_part(_script))
