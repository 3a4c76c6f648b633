"""What lies in the folder of an export: ours is replaced whole, what is not ours is left alone, damage is found."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from crucible.cli.app import invoke
from crucible.errors import NothingToExport, SettingsError
from crucible.running.run import Run
from crucible.shards.checking import check_folder
from crucible.shards.manifest import Request
from crucible.stages import export
from tests.crucible.stages.export.exports import TRL, fill, read_manifest, read_tree


@pytest.mark.parametrize("there", ["file", "stranger", "link"])
async def test_what_is_not_ours_is_not_replaced(run: Run, out: Path, there: str) -> None:
    if there == "file":
        out.write_text("mine")
    elif there == "link":
        out.symlink_to(run.settings.home)
    else:
        out.mkdir()
        (out / "thesis.txt").write_text("mine")
    with pytest.raises(SettingsError, match=r"not an export of ours|is not a folder"):
        await export(run, TRL, out)
    assert there == "link" or "mine" in (out if there == "file" else out / "thesis.txt").read_text()


async def test_the_root_of_all_folders_is_not_ours(run: Run) -> None:
    fill(run)
    with pytest.raises(SettingsError, match="not an export of ours"):
        await export(run, TRL, Path("/"))


async def test_an_earlier_export_is_replaced_whole(run: Run, out: Path) -> None:
    fill(run, 1)
    await export(run, Request(format="atif"), out)
    await export(run, TRL, out)
    assert sorted(path.name for path in (out / "data").iterdir()) == ["train-00000-of-00001.parquet"]
    assert [path.name for path in out.parent.iterdir() if path.name.startswith(".out")] == []


async def test_a_second_export_touches_only_what_the_first_one_listed(run: Run, out: Path) -> None:
    fill(run, 1)
    await export(run, Request(format="atif"), out)
    (out / ".git").mkdir()
    (out / ".git" / "HEAD").write_text("ref: main")
    (out / "train.py").write_text("import torch")
    await export(run, TRL, out)
    assert (out / "train.py").read_text() == "import torch"
    assert (out / ".git" / "HEAD").read_text() == "ref: main"
    assert [path.name for path in (out / "data").iterdir()] == ["train-00000-of-00001.parquet"]
    assert check_folder(out).faults == ()


async def test_a_file_of_the_users_in_our_place_stops_the_export(run: Run, out: Path) -> None:
    fill(run, 1)
    await export(run, Request(format="atif"), out)
    mine = out / "data" / "train-00000-of-00001.parquet"
    mine.write_text("mine")
    with pytest.raises(SettingsError, match="is in the way and not ours"):
        await export(run, TRL, out)
    assert mine.read_text() == "mine"
    assert read_manifest(out).request.format == "atif"


async def test_without_a_row_nothing_is_written_and_the_earlier_export_stays(run: Run, out: Path) -> None:
    with pytest.raises(NothingToExport, match="nothing to export yet"):
        await export(run, TRL, out)
    assert not out.exists()
    fill(run, 1)
    await export(run, TRL, out)
    before = read_tree(out)
    with pytest.raises(NothingToExport, match="left out: 7 filtered"):
        await export(run, Request(format="trl", where="reward > 1"), out)
    assert read_tree(out) == before


@pytest.mark.parametrize("place", ["file/below", "/proc/shards", "x" * 300])
def test_a_place_that_cannot_be_is_one_line(
    run: Run, tmp_path: Path, place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    out = str(tmp_path / place)
    assert invoke(["--set", f"home={run.settings.home}", "export", "--format", "trl", "--out", out]) == 2
    assert "give another folder with --out" in capsys.readouterr().err


async def test_the_card_loads_and_names_the_licence_that_all_share(run: Run, out: Path) -> None:
    fill(run, 1)
    await export(run, TRL, out)
    assert "license: mit\n" in (out / "README.md").read_text()


@pytest.mark.parametrize("damage", ["missing", "cut", "changed", "stray"])
async def test_a_damaged_export_is_found_by_its_manifest(
    run: Run, out: Path, damage: str, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(run, 1)
    await export(run, TRL, out)
    assert invoke(["export", "--check", str(out)]) == 0
    shard = out / read_manifest(out).shards[0].name
    content = shard.read_bytes()
    if damage == "missing":
        shard.unlink()
    elif damage == "stray":
        shard.with_name("other.parquet").write_bytes(content)
    else:
        shard.write_bytes(content[:-1] + (b"" if damage == "cut" else b"x"))
    capsys.readouterr()
    assert invoke(["--json", "export", "--check", str(out)]) == 1
    assert len(json.loads(capsys.readouterr().out)["faults"]) == 1
