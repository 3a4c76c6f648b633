"""Plans that are nothing but data: the files that call for them, what is installed, how the tests start."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from crucible.datafile import rows, words
from crucible.domains.code.suite import Suite
from crucible.record import Record
from pipelines.swe.recipes.plan import Plan
from pipelines.swe.recipes.tree import Tree


class Way(Record):
    """One way to test a repository, as a language's table lists them, best first."""

    when: tuple[str, ...]
    """Pathspecs: at least one file must match."""
    beside: tuple[str, ...] = ()
    """Pathspecs of which one must match too, if there are any."""
    text: str = ""
    """What the first of these files must hold, if anything."""
    packages: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    environment: dict[str, str] = Field(default_factory=dict)
    runner: str
    command: str
    build: str = ""
    offline: bool = False


def plans(tree: Tree, file: Path, toolchain: str) -> list[Plan]:
    """The ways that this tree calls for."""
    language = file.stem
    dependencies = words(file, "dependencies")
    return [
        Plan(
            language=language,
            toolchain=toolchain,
            packages=way.packages,
            commands=way.commands,
            environment=way.environment,
            suite=Suite(runner=way.runner, command=way.command, build=way.build, timeout=600),
            dependencies=dependencies,
            offline=way.offline,
            why=f"{matched[0]}: {way.command}",
        )
        for way in rows(file, "ways", Way)
        if (matched := tree.matching(*way.when))
        and (not way.beside or tree.matching(*way.beside))
        and way.text in tree.text(matched[0])
    ]
