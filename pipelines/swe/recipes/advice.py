"""Repairs by a model: it sees the plan and the end of the log, and answers with a changed plan, strictly checked.

Asked only where the settings name a teacher, never for more money than they allow for one repository.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Annotated

from pydantic import Field, ValidationError

from crucible.acting import Ask
from crucible.errors import TeacherError
from crucible.mining import MiningContext
from crucible.model import Task
from crucible.record import Record
from pipelines.swe.recipes.diagnosis import Diagnosis
from pipelines.swe.recipes.plan import Plan
from pipelines.swe.settings import RepairSettings

HERE = Path(__file__).parent
SYSTEM = "You repair build recipes. You answer with JSON only."
LOG_CHARS = 3000
"""Characters of the log's end that the model is shown."""
JSON_OBJECT = re.compile(r"\{.*\}", re.DOTALL)
# matches: {"packages": ["gcc"]}

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
        teacher, limit = self._context.teacher, self._context.section(RepairSettings).usd
        if teacher is None or self._spent >= limit:
            return None
        prompt = write_prompt(plan, diagnosis)
        task = Task(domain="swe", kind="repair", instruction=prompt)
        try:
            reply = await teacher.reply(task, Ask(system=SYSTEM, prompt=prompt))
        except TeacherError:  # no answer is no advice: what the rules found out still stands
            return None
        self._spent += reply.usage.cost_usd
        advice = parse_advice(reply.text)
        return apply_advice(plan, advice) if advice else None


def write_prompt(plan: Plan, diagnosis: Diagnosis) -> str:
    """The prompt that asks a model to repair a plan. The log goes in last, so that braces in it stay as they are."""
    excerpt = plan.model_dump(mode="json", include={"language", "packages", "commands", "suite"})
    text = (HERE / "advice.md").read_text()
    text = text.replace("{plan}", json.dumps(excerpt, indent=1)).replace("{kind}", diagnosis.kind)
    return text.replace("{log}", diagnosis.log[-LOG_CHARS:])


def parse_advice(answer: str) -> Advice | None:
    """The advice in a model's answer: its JSON object, whatever stands around it. None when it has none, or one that
    is not what was asked for."""
    match = JSON_OBJECT.search(answer)
    try:
        return Advice.model_validate_json(match[0]) if match else None
    except ValidationError:
        return None


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
