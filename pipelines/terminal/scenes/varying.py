"""Other scenes of the same shape: the same seed gives the same scene."""

from __future__ import annotations

import json
import random
import re
from dataclasses import dataclass, field
from typing import Any

from crucible.domains.terminal.crontabs import ENDINGS as TABLES
from crucible.domains.terminal.scenes import Entry, Scene
from pipelines.terminal.posts.examples import PROGRAMS
from pipelines.terminal.scenes.invent import TOKEN, vocabulary
from pipelines.terminal.scenes.invented_archives import invent_archive

FIXED_TOKENS = ("\\", "%", "http://", "https://")
"""How tokens begin that stay as they are: with others a text would no longer be what it is."""
MESSAGE = re.compile(r"(?P<before>\becho\s+(?:-\w+\s+)*|^\s*\w+=)(?P<said>[^\n;|&()`]*)", re.MULTILINE)
# matches: echo "deploying to $target"   target=stage
CODE = re.compile(r"[(){};=]")
"""What a program has, and invented lines have not."""
TIMES = re.compile(r"(?P<minute>[\d*/,-]+)\s+(?P<hour>[\d*/,-]+)(?P<rest>(?:\s+[\w*/,-]+){3}\s+)")
# matches: 30 2 * * 1-5, and the blank behind it
CHOICES = 8
"""How many words are tried until one has not been used for another."""
SHELL_SIGN = re.compile(r"(\$\{?\w+\}?|>+\s*\S+|<+\s*\S+)")  # matches: $target, > out.txt


def vary_scene(scene: Scene, kept: frozenset[str], seed: int, more_files: int = 0, same_length: bool = False) -> Scene:
    """Another scene of the same shape: words and numbers that the commands do not speak of are others, in contents and
    in names; some lines have changed places, one is gone and some are there twice. Programs stay as they are.
    `more_files`: so many files have another of their kind beside them, so that not even their number is the same.
    `same_length`: words are as long as those that they replace, so that columns stay where they are."""
    variation = Variation(kept, seed, same_length, same_lines=bool(scene.started))
    entries = {variation.vary_path(path): variation.vary_entry(path, entry) for path, entry in scene.entries.items()}
    copied = [path for path, entry in scene.entries.items() if entry.text and "." in path.rpartition("/")[2][1:]]
    doubled = dict.fromkeys([*copied[:more_files], *copied[-more_files:]] if more_files and len(copied) > 1 else ())
    for path in doubled:
        stem, _, ending = path.rpartition(".")
        entries.setdefault(
            f"{variation.vary_words(stem)}-{seed}.{ending}", variation.vary_entry(path, scene.entries[path])
        )
    return Scene(entries=entries, stdin=variation.vary("", scene.stdin))


@dataclass
class Variation:
    """One way to make other texts of texts: the same word becomes the same other word everywhere."""

    kept: frozenset[str]
    seed: int
    same_length: bool = False
    same_lines: bool = False
    """Lines stay where they are, none is gone or there twice: a service would not take such settings."""
    others: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.chance = random.Random(f"variation {self.seed}")

    def vary_entry(self, path: str, entry: Entry) -> Entry:
        """Another entry of the same kind; an archive is one with other members."""
        if entry.data:
            return invent_archive(path, self.seed) or entry
        return entry.model_copy(update={"text": self.vary(path, entry.text)})

    def vary(self, path: str, text: str) -> str:
        """Another text of the same form."""
        if path.endswith(TABLES):
            return self._vary_table(text)
        if path.endswith(".sh") or text.startswith(("#!/bin/sh", "#!/bin/bash", "#!/usr/bin/env bash")):
            return self._vary_messages(text)
        if (path.endswith(PROGRAMS) and CODE.search(text)) or text.startswith("#!"):
            return text
        try:
            return (
                json.dumps(self._vary_json(json.loads(text)), indent=2) + "\n"
                if text[:1] in "[{"
                else self._vary_lines(text)
            )
        except ValueError:
            return self._vary_lines(text)

    def _vary_table(self, text: str) -> str:
        """A table of cron with other times and commands, which are still times."""
        return "\n".join(self._vary_job(line) for line in text.splitlines()) + "\n"

    def _vary_job(self, line: str) -> str:
        times = TIMES.match(line)
        if times is None:
            return line if "=" in line else self.vary_words(line)
        minute, hour = (
            str(self.chance.randint(0, most)) if field.isdigit() and field not in self.kept else field
            for field, most in zip(times["minute"].split() + times["hour"].split(), (59, 23), strict=True)
        )
        return f"{minute} {hour}{times['rest']}{self.vary_words(line[times.end() :])}"

    def vary_path(self, path: str) -> str:
        """Another path with the same ending; a program keeps its name."""
        stem, dot, ending = path.rpartition(".")
        if path.endswith(PROGRAMS) or not stem or "/" in ending:
            return path if path.endswith(PROGRAMS) else self.vary_words(path)
        return f"{self.vary_words(stem)}{dot}{ending}"

    def vary_words(self, text: str) -> str:
        """The text with other words and numbers, its lines as they are."""
        return TOKEN.sub(lambda match: match[0] if _is_unit(match) else self._other_token(match[0]), text)

    def _vary_messages(self, program: str) -> str:
        """A shell program that says something else: in what it echoes and in plain values words are others."""
        return MESSAGE.sub(lambda match: match["before"] + self._vary_but_variables(match["said"]), program)

    def _vary_but_variables(self, text: str) -> str:
        return "".join(
            part if part.startswith(("$", ">", "<")) else self.vary_words(part) for part in SHELL_SIGN.split(text)
        )

    def _vary_json(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {key: self._vary_json(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self._vary_json(item) for item in value]
        if isinstance(value, str):
            return self.vary_words(value)
        return value if isinstance(value, bool) or value is None else value + self.chance.randint(1, 9)

    def _vary_lines(self, text: str) -> str:
        lines = [self.vary_words(line) for line in text.splitlines()]
        if self.same_lines:
            return "\n".join(lines) + ("\n" if text.endswith("\n") else "")
        free = [number for number, line in enumerate(lines) if number and self._is_free(line)]
        spare = [lines[number] for number in free]
        if len(free) > 2:
            first, second = self.chance.sample(free, 2)
            lines[first], lines[second] = lines[second], lines[first]
            for _ in range(1 + self.seed % 2):  # so that not even their number is the same
                lines.insert(free[0], self.vary_words(self.chance.choice(spare)))
        if len(free) > 3:
            lines[free[-1]] = lines[self.chance.choice(free[:-1])]
        spoken = [number for number, line in enumerate(lines) if self._speaks_of_kept(line)]
        if len(spoken) > 1 and free:  # what is sought stands in several lines: in one more, then
            lines[spoken[-1] : spoken[-1]] = [self.vary_words(lines[spoken[-1]])] * (1 + self.seed % 3)
        return "\n".join(lines) + ("\n" if text.endswith("\n") else "")

    def _is_free(self, line: str) -> bool:
        """Whether a line may change its place: it is no heading, and the commands do not speak of it."""
        return bool(line.strip()) and line[0] not in "[#<{ \t" and not self._speaks_of_kept(line)

    def _speaks_of_kept(self, line: str) -> bool:
        return any(token in self.kept for token in TOKEN.findall(line) if token.isalpha() and len(token) > 2)

    def _other_token(self, token: str) -> str:
        """Another token of the same form; the same one for the same token."""
        if token in self.kept or token.lower() in self.kept or token.startswith(FIXED_TOKENS):
            return token
        if token not in self.others:
            make = _other_number if token.isdigit() else _other_word
            chance = random.Random(f"{token} {self.seed}")  # in every text the same one
            made = [make(token, chance) for _ in range(CHOICES)]
            made = [(other * len(token))[: len(token)] for other in made] if self.same_length else made
            # two words that became one would make other files of the same: nothing to commit, nothing to sort
            self.others[token] = next((other for other in made if other not in self.others.values()), made[0])
        return self.others[token]


def _is_unit(token: re.Match[str]) -> bool:
    """Whether a token is one letter right behind a number: with others 20K, 3m20.5s and 2.3e4 would be no size, no time
    and no number."""
    return len(token[0]) == 1 and token[0].isalpha() and token.string[: token.start()][-1:].isdigit()


def program_words(path: str, text: str) -> str:
    """What of a program must stay as it is: all of it, but what a shell program says."""
    return MESSAGE.sub(lambda match: match["before"], text) if path.endswith(".sh") else text


def _other_number(token: str, chance: random.Random) -> str:
    if len(token) == 4 and token.startswith(("19", "20")):  # a year
        return token[:3] + str(chance.randint(0, 9))
    leading = len(token) - len(token.lstrip("0"))
    return token[:leading] + "".join(chance.choice("123456789") for _ in token[leading:])


def _other_word(token: str, chance: random.Random) -> str:
    if len(token) == 1:
        word = chance.choice("bcdfghkmnpqrtvw")
        return word.upper() if token.isupper() else word
    word = chance.choice(vocabulary().words + vocabulary().names)
    if token.isupper():
        return word.upper()
    return word.capitalize() if token[0].isupper() else word
