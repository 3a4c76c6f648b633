"""Opens the judge: a teacher with the judge's endpoint, budget and votes. `crucible.asking.ask` asks it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from crucible import parts
from crucible.acting import Ask, Reply, with_pictures
from crucible.asking import TeacherJudge
from crucible.errors import BudgetSpent, ServiceMissing
from crucible.mining import BlobStore
from crucible.purse import Paid, Purse, PurseShare
from crucible.serving import OpenWorld
from crucible.settings import Settings
from services.judge.settings import identify_judge, judge_endpoint


@dataclass(frozen=True)
class BudgetedJudge(TeacherJudge):
    """A judge that sees pictures, and pays from the run's purse within a limit of its own. Implements
    `crucible.asking.Judge` and `crucible.purse.Paid`."""

    read_picture: Callable[[str], bytes] = field(kw_only=True)
    """The bytes of a picture, by its digest."""
    budget_usd: float = field(kw_only=True)
    """What it may spend of the run's money."""

    def pay_from(self, purse: Purse) -> None:
        """Spend the run's money from now on: what the judge spends is not there for the teachers any more."""
        if isinstance(self.teacher, Paid):
            self.teacher.pay_from(PurseShare(limit=self.budget_usd, setting="judge.budget_usd", whole=purse))

    async def reply(self, ask: Ask) -> Reply:
        """The model's answer, as long as there is money for it."""
        try:
            return await super().reply(await asyncio.to_thread(with_pictures, ask, self.read_picture))
        except BudgetSpent as spent:
            raise BudgetSpent(f"the judge: {spent}", spent.remedy) from None


@parts.service("judge", version=1, identity=identify_judge)
@asynccontextmanager
async def judge(settings: Settings, blobs: BlobStore, open_world: OpenWorld) -> AsyncIterator[BudgetedJudge]:
    """A model that compares meanings where rules cannot: `crucible.asking.Judge`."""
    who = identify_judge(settings)
    if who is None:
        raise ServiceMissing("judge", "no model is set", "set judge.teacher, or judge.base_url and judge.model")
    opened = settings.model_copy(update={"teacher": judge_endpoint(settings)})
    async with parts.find("teacher", who.teacher).make(opened) as teacher:
        yield BudgetedJudge(teacher, who.votes, read_picture=blobs.get, budget_usd=opened.teacher.budget_usd)
