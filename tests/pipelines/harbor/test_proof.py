"""A Harbor folder that somebody wrote proves itself in real boxes: its solution passes, nothing done fails."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from crucible.mining import ImportPlace
from crucible.running.run import Run, open_run
from crucible.settings import Settings, SoundnessSettings
from crucible.stages import validate
from crucible.stages.import_tasks import import_tasks
from crucible.store.funnel import count_funnel

pytestmark = pytest.mark.slow

FILES = {
    "task.toml": 'schema_version = "1.4"\n[task]\nname = "someone/sum"\n[verifier]\ntimeout_sec = 60.0\n',
    "instruction.md": "Put the sum of the numbers in data/numbers.txt into sum.txt.\n",
    "environment/Dockerfile": (
        "FROM debian\nRUN apt-get update && apt-get install -y --no-install-recommends ca-certificates git\n"
        "WORKDIR /app\nCOPY data data\nENV UNIT=euro\nRUN chmod 644 data/numbers.txt && echo $UNIT > unit.txt\n"
    ),
    "environment/data/numbers.txt": "4\n38\n",
    "solution/solve.sh": '#!/bin/sh\nawk -f "$(dirname "$0")/sum.awk" data/numbers.txt > sum.txt\n',
    "solution/sum.awk": "{ s += $1 } END { print s }\n",
    "tests/test.sh": (
        '#!/bin/sh\n[ "$(cat sum.txt)" = "$(cat /tests/expected)" ] && [ "$(cat unit.txt)" = euro ]\n'
        'echo "{\\"reward\\": $((1 - $?))}" > /logs/verifier/reward.json\n'
    ),
    "tests/expected": "42\n",
}


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    soundness = SoundnessSettings(repeats=1)
    with open_run(Settings(home=tmp_path / "home", soundness=soundness)) as opened:
        yield opened


def written(folder: Path, **changes: str) -> Path:
    for path, text in (FILES | changes).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return folder


async def test_a_folder_that_somebody_wrote_is_proved(run: Run, tmp_path: Path) -> None:
    written(tmp_path / "tasks" / "sum")
    written(tmp_path / "tasks" / "easy", **{"tests/test.sh": "#!/bin/sh\necho 1 > /logs/verifier/reward.txt\n"})
    await import_tasks(run, "harbor", ImportPlace(tmp_path / "tasks"))
    tally = await validate(run)
    reasons = [stage.reasons for stage in count_funnel(run.ledger).stages if stage.stage == "validate"]
    assert (tally.done, tally.dropped, tally.errors) == (1, 1, 0), reasons
    assert reasons == [{"nop_passes": 1}]
