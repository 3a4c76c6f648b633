"""Of two pull requests with nearly the same change the earlier number stays, in whatever order they come."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from crucible.errors import Rejected
from crucible.mining import MiningContext
from pipelines.swe.filters.stage import filter_pull_request
from pipelines.swe.repository.history import build_repository

PEOPLE = '[people]\na = "Ada <a@x>"\n'
BEFORE = "".join(f"line_{n} = {n}\n" for n in range(40))
AFTER = BEFORE.replace("= 1", "= 'one'").replace("= 2", "= 'two'")
MIT = 'Permission is hereby granted, free of charge, to any person obtaining a copy\nThe software is provided "as is"\n'


@pytest.fixture
def twice(tmp_path: Path) -> Path:
    """A change, taken back on the main line, and made again under another number."""
    rows = []
    for place, (code, message) in enumerate(
        [
            (BEFORE, 'kind = "commit"\nmessage = "first"'),
            (AFTER, 'kind = "squash"\nnumber = 5\ntitle = "Name the numbers that matter"\nmessage = ""'),
            (BEFORE, 'kind = "commit"\nmessage = "back"'),
            (AFTER + "x = 1\n", 'kind = "squash"\nnumber = 9\ntitle = "Name the numbers once more"\nmessage = ""'),
        ]
    ):
        folder = tmp_path / "written" / str(place)
        folder.mkdir(parents=True)
        (folder / "a.py").write_text(code)
        (folder / "test_a.py").write_text(f"import a  # {code[-9:]!r}, {len(code)}\n")
        (folder / "LICENSE").write_text(MIT)
        rows.append(
            f'[[changes]]\ntree = "{place}"\nauthor = "a"\ndate = "2024-01-0{place + 1}T00:00:00Z"\n{message}\n'
        )
    (tmp_path / "written/history.toml").write_text('name = "x"\n' + PEOPLE + "".join(rows))
    return build_repository(tmp_path / "written", tmp_path / "twice.git")


@pytest.mark.parametrize("newest_first", [True, False])
async def test_the_earlier_number_stays(
    newest_first: bool, twice: Path, mine: Callable[..., Any], no_world: MiningContext
) -> None:
    pulls = await mine(twice, no_world)
    assert [pull.number for pull in pulls] == [9, 5]
    kept, dropped = [], []
    for pull in pulls if newest_first else reversed(pulls):
        try:
            kept += [one.number for one in await filter_pull_request(pull, no_world)]
        except Rejected as rejected:
            dropped.append(rejected.reason)
    assert (kept, dropped) == ([5], ["near_duplicate"])
