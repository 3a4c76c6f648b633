"""The program that grades a script in a Harbor folder, shipped with the modules that the verifier `script-effects` runs
and compares by, as these are in the checkout. Python's standard library is enough.

    python3 -IB grade PARAMS WORKDIR USER LOGS   runs the script in every folder; writes reward.txt, and why.txt
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from crucible.domains.terminal.comparing import Case, ScriptParams, compare_effects, ending_sentence
from crucible.domains.terminal.trials import Outcome, Trial, run_trials
from crucible.errors import BoxExhausted
from crucible.sandbox import LocalBox  # type: ignore[attr-defined]  # `local_box.py` is shipped in its place


async def find_faults(params: ScriptParams, box: LocalBox) -> list[str]:
    """What the script does otherwise than the reference, a text for each; none where it does the same."""
    script = Path(box.workdir, params.script)
    if script.is_symlink() or not script.is_file():
        return [f"{script} is no file"]
    trials = [Trial(str(script), case.scene, leaves_processes=True) for case in params.cases]
    try:
        outcomes = await run_trials(box, trials, params.seconds)
    except BoxExhausted as spent:
        return [str(spent)]
    pairs = zip(params.cases, outcomes, strict=True)
    return [fault for case, outcome in pairs for fault in _judge_case(case, outcome, params)]


def _judge_case(case: Case, outcome: Outcome, params: ScriptParams) -> Iterator[str]:
    """What is wrong in one folder, as the verifier judges it."""
    if outcome.done.stopped:
        yield f"{ending_sentence(params.seconds)}\nIt was stopped: {outcome.done.stopped}"
    for difference in compare_effects(case, outcome.effect, params.demands):
        if difference.evidence:
            yield f"{difference.demand.sentence}\n{difference.evidence}"


def main(params_file: str, workdir: str, user: str, logs: str) -> None:
    """Leave the reward in the logs; where this fails, whatever reward is there already stays."""
    params = ScriptParams.model_validate(json.loads(Path(params_file).read_text(encoding="utf-8")))
    box = LocalBox(workdir, user)
    asyncio.run(box.end_processes())  # what an attempt left running sees nothing of the folders
    faults = asyncio.run(find_faults(params, box))
    Path(logs, "why.txt").write_text("\n\n".join(faults) or "as the reference does\n", errors="replace")
    Path(logs, "reward.txt").write_text(f"{int(not faults)}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
