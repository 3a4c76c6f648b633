"""What is made by commands before a suggestion is run: files that the question has commands for, or a git repository
that it only speaks of. Other scenes get the same with other words."""

from __future__ import annotations

import re
from typing import NamedTuple

from pipelines.terminal.commands.shell import is_known, read_script
from pipelines.terminal.posts.examples import Shown
from pipelines.terminal.scenes.invent import TOKEN
from pipelines.terminal.scenes.repositories import (
    TICK,
    Wanted,
    add_wanted,
    calls_git,
    git_subcommands,
    repository_commands,
)
from pipelines.terminal.scenes.varying import Variation
from pipelines.terminal.scenes.workspace import missing_names

SETUP_WORDS = frozenset(
    {"dev", "zero", "null", "bin", "sh", "bash", "env", "in", "do", "done", "for", "n", "c", "p", "usr", "python3"}
    | {"seq", "txt", "HEAD", "git", "example", "org", "index"}
)
"""Words of commands that make files: with others they would make none."""
ENDING = re.compile(r"\w\.([A-Za-z]{1,5})\b")  # matches: html of index.html
OPTION = re.compile(r"(?<=\s)--?[A-Za-z][\w-]*")  # matches: -f, also of a command that is written into a file
MODE = re.compile(r"chmod\s+(?:-R\s+)?(\d+)")  # matches: chmod 644


class Setup(NamedTuple):
    """How a scene is made."""

    commands: str = ""
    """As the question shows them."""
    repository: Wanted | None = None
    """What the invented repository must have, where there is one."""

    def write_commands(self, script: str, kept: frozenset[str], seed: int) -> str:
        """The commands for one scene; those of the first scene, with seed 0, are as shown."""
        if self.repository is not None:
            return TICK + repository_commands(script, _vary_files(self.repository, kept, seed), seed)
        text = self.commands if seed == 0 else _vary_commands(self.commands, kept, seed)
        return TICK + text if "git " in text else text


def choose_setup(script: str, shown: Shown) -> Setup:
    """The question's own commands, else a repository where the suggestion works in one."""
    if shown.setup or not calls_git(script):
        return Setup(shown.setup)
    files = {name: text for name, text in shown.files.items() if name.strip()} | dict.fromkeys(shown.names, "")
    return Setup(repository=Wanted(files))


def widen_setup(setup: Setup, complaints: str, script: str) -> Setup | None:
    """With what the commands missed in an invented repository; None where they missed nothing that can be made."""
    if setup.repository is None:
        return None
    named = {name: "" for name in missing_names(complaints) if name not in setup.repository.files}
    wanted = add_wanted(setup.repository, complaints, script)
    if wanted is None and not named:
        return None
    wanted = wanted or setup.repository
    return setup._replace(repository=wanted._replace(files={**wanted.files, **named}))


def _vary_files(wanted: Wanted, kept: frozenset[str], seed: int) -> Wanted:
    if seed == 0:
        return wanted
    variation = Variation(kept, seed)
    return wanted._replace(files={name: variation.vary(name, text) for name, text in wanted.files.items()})


def _vary_commands(commands: str, kept: frozenset[str], seed: int) -> str:
    """The commands with other words; names of commands, subcommands, options, modes and the
    endings of files stay."""
    script = read_script(commands)
    options = OPTION.findall(commands)
    fixed = [call.name for call in script.calls] + git_subcommands(script) + options + MODE.findall(commands)
    known = [word for word in TOKEN.findall(commands) if is_known(word)]
    words = frozenset([*TOKEN.findall(" ".join(fixed)), *ENDING.findall(commands), *known])
    return Variation(kept | words | script.assigned | SETUP_WORDS, seed).vary_words(commands)
