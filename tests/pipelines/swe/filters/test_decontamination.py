"""What a public benchmark asks for is known by number, by base, or by what it changes."""

import json
from pathlib import Path

import pytest

from crucible.errors import Rejected, SettingsError
from crucible.mining import MiningContext
from crucible.settings import Settings
from pipelines.swe.filters.decontamination import load_lists
from pipelines.swe.filters.stage import filter_pull_request
from pipelines.swe.model import PullRequest
from pipelines.swe.settings import SourceSettings


@pytest.mark.parametrize("by", ["instance", "number", "base", "patch"])
async def test_an_instance_is_known_by_any_mark(by: str, tmp_path: Path, pulls: dict[int, PullRequest]) -> None:
    pull = pulls[7].model_copy(update={"repo": "team/shelf"})
    ways = {
        "instance": {"instance_id": "team__shelf-7"},
        "number": {"repo": "Team/Shelf", "number": 7},
        "base": {"repo": "team/shelf", "base_commit": pull.base_commit},
        "patch": {"patch": pull.patch, "problem_statement": "more fields than we read"},
    }
    (tmp_path / "own.jsonl").write_text(json.dumps(ways[by]) + "\n")
    context = MiningContext(
        None, None, settings=Settings(sections={"sources": SourceSettings(lists=(str(tmp_path / "own.jsonl"),))})
    )  # type: ignore[arg-type]
    with pytest.raises(Rejected) as caught:
        await filter_pull_request(pull, context)
    assert caught.value.reason == "benchmark_instance"
    assert "own@" in caught.value.detail
    [other] = await filter_pull_request(pulls[11], context)
    assert [name.partition("@")[0] for name in other.held_against] == ["swe-bench-verified", "own"]


def test_a_list_that_cannot_be_read_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="cannot be read"):
        load_lists((str(tmp_path / "none.jsonl"),))
    (tmp_path / "bad.jsonl").write_text("[]\n")
    with pytest.raises(SettingsError, match="no instance"):
        load_lists((str(tmp_path / "bad.jsonl"),))
