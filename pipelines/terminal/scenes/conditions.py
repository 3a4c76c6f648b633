"""Scenes for commands that ask whether something holds: some in which it does, some in which it does not."""

from __future__ import annotations

import re

from crucible.domains.terminal.scenes import Entry, Scene
from crucible.record import digest
from pipelines.terminal.commands.values import FILE_TEST, compared_values
from pipelines.terminal.scenes.invent import invent_text, pick_words

CONDITION = re.compile(r"^\s*(?:if|elif|case)\s|\]\]?\s*(?:&&|\|\|)|;\s*if\s", re.MULTILINE)  # matches: if [ -f x ]

QUOTED = re.compile(r"'[^']*'")  # matches: '{ if ($1) print }'


def has_condition(script: str) -> bool:
    """Whether commands do one thing or another. An `if` in quotes belongs to a program of awk or perl."""
    return bool(CONDITION.search(QUOTED.sub("''", script)))


def turn_condition(scene: Scene, script: str) -> list[Scene]:
    """The scene and others like it: files that are asked for are there or not; values are what they are compared with,
    have it within, or are something else."""
    names = [name for _, name in FILE_TEST.findall(script)]
    scenes = (
        [scene, *(_with_files(scene, names, seed) for seed in (1, 2)), _without(scene, names)] if names else [scene]
    )
    single = [path for path, entry in scene.entries.items() if entry.kind == "file" and entry.text.count("\n") == 1]
    for number, value in enumerate(compared_values(script)):
        first, second, other = pick_words(f"condition {number}", 3)
        literal = re.sub(r"[*^$+?\[\]]|\.\*", "", value)
        for text in (f"{first} {literal}{second}", f"{other} {second}", literal, f"{literal}{first}"):
            scenes.append(_with_texts(scene, single, f"{text}\n"))
    return list({digest(each): each for each in scenes}.values())


def _with_files(scene: Scene, names: list[str], seed: int) -> Scene:
    return scene.model_copy(
        update={"entries": scene.entries | {name: Entry(text=invent_text(name, seed)) for name in names}}
    )


def _without(scene: Scene, names: list[str]) -> Scene:
    return scene.model_copy(
        update={"entries": {path: entry for path, entry in scene.entries.items() if path not in names}}
    )


def _with_texts(scene: Scene, paths: list[str], text: str) -> Scene:
    return scene.model_copy(update={"entries": scene.entries | {path: Entry(text=text) for path in paths}})
