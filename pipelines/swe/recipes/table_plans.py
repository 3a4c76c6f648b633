"""Plans that need no code of their own: a language's table lists the files that call for a plan, what is installed and
how the tests start."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from crucible.datafile import read_rows, read_words
from crucible.domains.code.suite import Suite
from crucible.record import Record
from pipelines.swe.recipes.plan import Plan
from pipelines.swe.recipes.tree import Tree

HERE = Path(__file__).parent


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


def write_table_plans(language: str, tree: Tree, toolchain: str = "") -> list[Plan]:
    """One plan for each way in the language's table that this tree calls for. The toolchain is called as the language
    is, unless another one is named."""
    table = HERE / f"{language}.toml"
    dependencies = read_words(table, "dependencies")
    return [
        Plan(
            language=language,
            toolchain=toolchain or language,
            packages=way.packages,
            commands=way.commands,
            environment=way.environment,
            suite=Suite(runner=way.runner, command=way.command, build=way.build, timeout=600),
            dependencies=dependencies,
            offline=way.offline,
            why=f"{matched[0]}: {way.command}",
        )
        for way in read_rows(table, "ways", Way)
        if (matched := tree.matching(*way.when))
        and (not way.beside or tree.matching(*way.beside))
        and way.text in tree.text(matched[0])
    ]
