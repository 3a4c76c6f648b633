"""Repairs by a model: it sees the plan and the end of the log, and answers with a changed plan, strictly checked.

Asked only where the settings name a teacher, never for more money than they allow for one repository.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

from pydantic import Field

from crucible.asking import ask, count_usage
from crucible.errors import TeacherError
from crucible.mining import MiningContext
from crucible.record import Record
from pipelines.swe.recipes.diagnosis import Diagnosis
from pipelines.swe.recipes.plan import Plan
from pipelines.swe.settings import RepairSettings

HERE = Path(__file__).parent
SYSTEM = "You repair build recipes. You answer with JSON only."
LOG_CHARS = 3000
"""Characters of the log's end that the model is shown."""

Package = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9+.-]{1,60}$")]
# matches: libstdc++6  python3-dev
Command = Annotated[str, Field(min_length=1, max_length=600, pattern=r"^[^\x00\n]+$")]
# matches any single line: pip install -e .


class Advice(Record):
    """A model's answer."""

    packages: tuple[Package, ...] = Field(default=(), max_length=20)
    commands: tuple[Command, ...] = Field(default=(), max_length=12)
    test: Annotated[str, Field(max_length=300, pattern=r"^[^\x00\n]*$")] = ""  # matches any single line: pytest tests
    why: str = Field(default="", max_length=600)


class Adviser:
    """Asks the mining teacher about one repository, within its budget."""

    def __init__(self, context: MiningContext) -> None:
        self._context = context
        self._spent = 0.0

    async def mend(self, plan: Plan, diagnosis: Diagnosis) -> Plan | None:
        """The plan as the model would have it; None without a teacher, money, or an answer that can be used."""
        adviser, limit = self._context.adviser, self._context.section(RepairSettings).usd
        if adviser is None or self._spent >= limit:
            return None
        with count_usage() as meter:
            try:
                advice = await ask(adviser, write_prompt(plan, diagnosis), (), Advice, system=SYSTEM)
            except TeacherError:  # no answer is no advice: what the rules found out still stands
                return None
            finally:
                self._spent += meter.usage.cost_usd
        return apply_advice(plan, advice)


def write_prompt(plan: Plan, diagnosis: Diagnosis) -> str:
    """The prompt that asks a model to repair a plan. The log goes in last, so that braces in it stay as they are."""
    excerpt = plan.model_dump(mode="json", include={"language", "packages", "commands", "suite"})
    text = (HERE / "advice.md").read_text()
    text = text.replace("{plan}", json.dumps(excerpt, indent=1)).replace("{kind}", diagnosis.kind)
    return text.replace("{log}", diagnosis.log[-LOG_CHARS:])


def apply_advice(plan: Plan, advice: Advice) -> Plan | None:
    """The plan changed as the advice says; None when nothing would change."""
    suite = plan.suite.model_copy(update={"command": advice.test}) if advice.test.strip() else plan.suite
    update = {
        "packages": tuple(dict.fromkeys((*plan.packages, *advice.packages))),
        "commands": advice.commands or plan.commands,
        "suite": suite,
    }
    better = plan.model_copy(update=update)
    return better.model_copy(update={"why": f"{plan.why}; advised: {advice.why}"}) if better != plan else None
