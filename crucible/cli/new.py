"""The verb that begins a new part: a skeleton in its folder and a test beside it that fails until it is written."""

from __future__ import annotations

import keyword
import re
from enum import StrEnum
from pathlib import Path
from string import Template
from typing import Annotated

import typer

from crucible import parts
from crucible.cli.options import get_options
from crucible.errors import CrucibleError, SettingsError
from crucible.record import Record

TEMPLATES = Path(__file__).parent / "templates"
_NAME = re.compile(r"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*")


class Kind(StrEnum):
    """What can be begun."""

    verifier = "verifier"
    router = "router"
    source = "source"
    exporter = "exporter"


HOME = {
    Kind.verifier: "verifiers",
    Kind.router: "pipelines/swe/routes",
    Kind.source: "pipelines",
    Kind.exporter: "exporters",
}
"""Where a part with a plain name goes; a dotted name says its own subfolder."""


class Skeleton(Record):
    """The two files, and what to do next."""

    part: str
    test: str
    next: str


def add_to(app: typer.Typer) -> None:
    app.command(epilog="Example: crucible new verifier terminal.files")(new)


def new(
    context: typer.Context,
    kind: Annotated[Kind, typer.Argument(help="What to begin.")],
    name: Annotated[str, typer.Argument(help="Its name; dots make subfolders.")],
    root: Annotated[Path, typer.Option(help="The checkout to write into.")] = Path(),
) -> None:
    """Begin a new part. Writes its skeleton and a failing test, and says what to fill in."""
    _check_name(kind, name)
    get_options(context).emit(write_skeleton(kind, name, root))


def write_skeleton(kind: Kind, name: str, root: Path) -> Skeleton:
    """Write both files, or neither."""
    folder, _, leaf = name.replace(".", "/").rpartition("/")
    place = Path(parts.FOLDERS[kind], folder) if folder else Path(HOME[kind])
    code, test = place / f"{leaf}.py", Path("tests") / place / f"test_{leaf}.py"
    for path in (code, test):
        if (root / path).exists():
            raise CrucibleError(f"{path} is there already", "choose another name, or edit it")
    words = {
        "name": name,
        "title": leaf.replace("_", " ").capitalize(),
        "function": leaf,
        "classname": "".join(word.capitalize() for word in leaf.split("_")),
        "module": ".".join(code.with_suffix("").parts),
    }
    _write_packages(root, place)
    _write(root / code, TEMPLATES / f"{kind}.py.tmpl", words)
    _write(root / test, TEMPLATES / f"{kind}.test.tmpl", words)
    return Skeleton(part=str(code), test=str(test), next=f"python -m pytest {test}, then write what it asks for")


def _check_name(kind: Kind, name: str) -> None:
    words = name.split(".")
    if not _NAME.fullmatch(name) or any(keyword.iskeyword(word) for word in words):
        raise SettingsError(f"'{name}' is no name for a {kind}", "lower-case words, underscores, dots: terminal.files")
    taken = next((part for part in parts.every(kind) if part.name == name), None)
    if taken:
        raise CrucibleError(f"there is a {kind} '{name}' already: {taken.origin}", "choose another name")


def _write_packages(root: Path, place: Path) -> None:
    """Every folder down to the part is a package."""
    for depth in range(1, len(place.parts) + 1):
        package = root.joinpath(*place.parts[:depth])
        package.mkdir(parents=True, exist_ok=True)
        if not (package / "__init__.py").exists():
            (package / "__init__.py").write_text(f'"""Parts of {".".join(place.parts[:depth])}."""\n')


def _write(path: Path, template: Path, words: dict[str, str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(Template(template.read_text("utf-8")).substitute(words), "utf-8")
