"""Parts are found by name, in the folders, through entry points, or by reference."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from crucible import parts
from crucible.errors import DuplicatePart, UnknownPart

EVERY = [part for kind in parts.FOLDERS for part in parts.every(kind)]


@pytest.fixture(autouse=True)
def _registry() -> Iterator[None]:
    before = dict(parts._known)
    yield
    parts._known.clear()
    parts._known.update(before)


@parts.router("tests.sample", pipeline="tests")
def sample(item: object) -> None:
    """A part of this file."""


def test_an_unknown_name_lists_the_known_ones() -> None:
    parts.register("exporter", "known.one")(sample)
    with pytest.raises(UnknownPart, match=r"exporters/ has no exporter 'exakt'; it has: .*known\.one"):
        parts.find("exporter", "exakt")


def test_two_parts_of_one_name_are_an_error() -> None:
    parts.register("exporter", "twice")(sample)
    parts.register("exporter", "twice")(sample)
    with pytest.raises(DuplicatePart, match=r"twice.*sample.*test_"):
        parts.register("exporter", "twice")(test_an_unknown_name_lists_the_known_ones)


def test_a_part_is_found_by_reference() -> None:
    parts.register("router", "referred")(sample)
    found = parts.find("router", f"{sample.__module__}:sample")
    assert found.make is sample


def test_asking_for_a_part_imports_no_other() -> None:
    asked = "import sys; from crucible import parts; parts.find('verifier', 'deck'); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert {name for name in done.stdout.split() if name.startswith("verifiers.")} & {
        "verifiers.suite",
        "verifiers.office.sheet",
    } == set()


@pytest.mark.parametrize("name", ["nosuch.module:thing", "json:nosuch"])
def test_a_reference_that_leads_nowhere_is_named(name: str) -> None:
    with pytest.raises(UnknownPart, match=name):
        parts.find("verifier", name)


def test_a_reference_to_something_else_says_how_to_make_it_a_part() -> None:
    with pytest.raises(UnknownPart, match="is not a verifier") as told:
        parts.find("verifier", "json:loads")
    assert "@verifier" in told.value.remedy


def entry_point(folder: Path, code: str) -> subprocess.CompletedProcess[str]:
    """Ask for the routers where a package of that code is installed."""
    (folder / "guest.py").write_text(code)
    info = folder / "guest-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: guest\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[crucible.parts]\nguest = guest\n")
    see = f"import sys; sys.path.append({str(folder)!r}); from crucible import parts"
    ask = f"{see}; print(parts.find('teacher', 'guest.one').summary)"
    return subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=False)


def test_a_guests_parts_are_found_through_its_entry_point(tmp_path: Path) -> None:
    code = 'from crucible.parts import teacher\n@teacher("guest.one")\ndef one(settings):\n    """From outside."""\n'
    assert entry_point(tmp_path, code).stdout.strip() == "From outside."


def test_a_guest_that_does_not_load_is_named(tmp_path: Path) -> None:
    said = entry_point(tmp_path, "import nosuch_module").stderr
    assert "the entry point 'guest' (guest) does not load" in said


@pytest.mark.parametrize("part", EVERY, ids=lambda part: f"{part.kind}:{part.name}")
def test_every_part_says_in_one_line_what_it_is(part: parts.Part) -> None:
    assert part.summary
    assert part.summary.isprintable()
    assert part.version >= 1


@pytest.mark.parametrize("part", EVERY, ids=lambda part: f"{part.kind}:{part.name}")
def test_every_part_is_found_by_its_name(part: parts.Part) -> None:
    assert parts.find(part.kind, part.name).make is part.make


@pytest.mark.parametrize("part", [one for one in EVERY if one.kind == "verifier"], ids=lambda part: part.name)
def test_every_verifier_says_what_it_looks_at_and_what_it_costs(part: parts.Part) -> None:
    assert part.layer in ("execution", "function", "interaction", "visual", "rubric")
    assert part.cost in ("milliseconds", "seconds", "minutes", "money")
