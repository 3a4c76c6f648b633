"""Runs of test frameworks, recorded under data/: `RUNNER/CASE.toml` says how one ended and what must be read from it,
`CASE.report` is its report, or `CASE.files/` what was gathered into one. Made by real runs but for gradle, dotnet,
swift, nextest, nose's own text and the older Go, which are written after their real shapes."""

from __future__ import annotations

import io
import tarfile
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from crucible.domains.code.suite import Report, Runner, find_runner
from crucible.sandbox import Done

DATA = Path(__file__).parent / "data"


def pack_folder(folder: Path) -> bytes:
    """The files as the command gathers them."""
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w:gz") as archive:
        for file in sorted(path for path in folder.rglob("*") if path.is_file()):
            archive.add(file, str(file.relative_to(folder)))
    return held.getvalue()


@dataclass(frozen=True)
class Recorded:
    """One recorded run."""

    runner: str
    case: str

    @property
    def expected(self) -> dict[str, Any]:
        return tomllib.loads((DATA / self.runner / f"{self.case}.toml").read_text(encoding="utf-8"))

    @property
    def report(self) -> bytes:
        plain, folder = DATA / self.runner / f"{self.case}.report", DATA / self.runner / f"{self.case}.files"
        return pack_folder(folder) if folder.is_dir() else plain.read_bytes() if plain.exists() else b""

    @property
    def done(self) -> Done:
        return Done(code=self.expected["code"], out=self.expected.get("out", ""), err=self.expected.get("err", ""))

    def read(self, report: bytes | None = None, **changed: Any) -> Report:
        """What the runner makes of it, or of another report in its place."""
        done = self.done.model_copy(update=changed)
        return get_runner(self.runner).reader.parse(self.report if report is None else report, done)


def get_runner(name: str) -> Runner:
    """The test framework of that name."""
    return find_runner(name)


def all_recorded() -> list[Recorded]:
    return [Recorded(file.parent.name, file.stem) for file in sorted(DATA.glob("*/*.toml"))]
