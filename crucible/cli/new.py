"""The verb that begins a new part: a skeleton in its folder, and tests beside it that fail until it is written."""

from __future__ import annotations

import keyword
import re
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from string import Template
from typing import Annotated

import typer

from crucible import parts
from crucible.cli.options import get_options
from crucible.errors import CrucibleError, SettingsError
from crucible.part_kinds import FOLDERS
from crucible.record import Record

TEMPLATES = Path(__file__).parent / "templates"
NAME = re.compile(r"[a-z][a-z0-9_-]*(\.[a-z][a-z0-9_-]*)*")
# matches: report-exists  terminal.files  almanac


class Kind(StrEnum):
    """What can be begun."""

    verifier = "verifier"
    router = "router"
    source = "source"
    exporter = "exporter"
    service = "service"
    proof = "proof"
    policy = "policy"
    tool = "tool"
    pipeline = "pipeline"


HOME = {
    Kind.verifier: "verifiers",
    Kind.router: "pipelines/swe/routes",
    Kind.source: "pipelines",
    Kind.exporter: "exporters",
    Kind.service: "services",
    Kind.proof: "verifiers/proofs",
    Kind.policy: "exporters/policies",
    Kind.tool: "agents/tools",
}
"""Where a part with a plain name goes; a dotted name says its own subfolder."""

PIPELINE_FILES = {
    "pipelines/{}": (
        "model.py",
        "source.py",
        "filter.py",
        "environment.py",
        "reward.py",
        "statement.py",
        "instruction.md",
        "pipeline.py",
    ),
    "sample_data/{}": ("items.jsonl",),
    "tests/pipelines/{}": ("test_pipeline.py",),
}
"""What a new pipeline consists of, by folder."""


class Skeleton(Record):
    """The files that were written, and what to do next."""

    files: tuple[str, ...]
    next: str


def add_to(app: typer.Typer) -> None:
    app.command(epilog="Example: crucible new verifier report-exists; crucible new pipeline almanac")(new)


def new(
    context: typer.Context,
    kind: Annotated[Kind, typer.Argument(help="What to begin.")],
    name: Annotated[str, typer.Argument(help="Its name; dots make subfolders.")],
    root: Annotated[Path, typer.Option(help="The checkout to write into.")] = Path(),
) -> None:
    """Begin a new part. Writes its skeleton and failing tests, and says what to fill in."""
    check_name(kind, name)
    check_root(root)
    write = write_pipeline if kind is Kind.pipeline else write_part
    get_options(context).emit(write(kind, name, root))


def check_name(kind: Kind, name: str) -> None:
    """A name that can be a module's, and that no part of the kind has."""
    words = re.split(r"[.-]", name)
    if not NAME.fullmatch(name) or any(keyword.iskeyword(word) for word in words):
        raise SettingsError(f"'{name}' is no name for a {kind}", "lower-case words, dashes, dots: terminal.files")
    if kind is Kind.pipeline and "." in name:
        raise SettingsError(f"'{name}' is no name for a pipeline", "one word: it becomes a folder of pipelines/")
    taken = next((part for part in parts.every(kind) if part.name == name), None)
    if taken:
        raise CrucibleError(f"there is a {kind} '{name}' already: {taken.origin}", "choose another name")


def check_root(root: Path) -> None:
    """A checkout: folders of parts are found in it."""
    if not any((root / folder).is_dir() for folder in FOLDERS.values()):
        remedy = "run it in a checkout, or name one with --root"
        raise SettingsError(f"{root.absolute()} is no checkout of Crucible", remedy)


def write_part(kind: Kind, name: str, root: Path) -> Skeleton:
    """One module with a part, and its test."""
    folder, _, leaf = name.replace("-", "_").replace(".", "/").rpartition("/")
    place = Path(FOLDERS[kind], folder) if folder else Path(HOME[kind])
    code, test = place / f"{leaf}.py", Path("tests") / place / f"test_{leaf}.py"
    words = {
        "name": name,
        "title": leaf.replace("_", " ").capitalize(),
        "function": leaf,
        "classname": "".join(word.capitalize() for word in leaf.split("_")),
        "module": ".".join(code.with_suffix("").parts),
    }
    write_files(root, {code: f"{kind}.py.tmpl", test: f"{kind}.test.tmpl"}, words)
    return Skeleton(files=(str(code), str(test)), next=f"python -m pytest {test}, then write what it asks for")


def write_pipeline(kind: Kind, name: str, root: Path) -> Skeleton:
    """A small pipeline that runs: a file for each stage, sample data, and tests of which two ask for your own."""
    leaf = name.replace("-", "_")
    files = {
        Path(folder.format(leaf)) / file: f"pipeline/{file}.tmpl"
        for folder, names in PIPELINE_FILES.items()
        for file in names
    }
    write_files(root, files, {"name": name, "function": leaf})
    test = f"tests/pipelines/{leaf}"
    return Skeleton(
        files=tuple(map(str, files)),
        next=f"crucible mine {name}, crucible validate; python -m pytest {test}, then write what it asks for",
    )


def write_files(root: Path, files: Mapping[Path, str], words: Mapping[str, str]) -> None:
    """All files from their templates, or none where one of them is there already."""
    for path in files:
        if (root / path).exists():
            raise CrucibleError(f"{path} is there already", "choose another name, or edit it")
    for path, template in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        if path.parts[0] not in ("tests", "sample_data"):
            write_packages(root, path.parent)
        (root / path).write_text(Template((TEMPLATES / template).read_text("utf-8")).substitute(words), "utf-8")


def write_packages(root: Path, place: Path) -> None:
    """Every folder down to the part is a package."""
    for depth in range(1, len(place.parts) + 1):
        package = root.joinpath(*place.parts[:depth])
        if not (package / "__init__.py").exists():
            (package / "__init__.py").write_text(f'"""Parts of {".".join(place.parts[:depth])}."""\n')
