"""The settings of the judge, and what they come to where it borrows the teacher's endpoint."""

from __future__ import annotations

from pydantic import Field

from crucible.acting import EndpointSettings, TeacherSettings
from crucible.record import Record
from crucible.settings import Settings, section


@section("judge")
class JudgeSettings(EndpointSettings):
    """Who compares meanings where rules cannot. Without a `base_url` it is asked at the teacher's endpoint, with the
    teacher's key and prices; an empty model or temperature is the teacher's too."""

    teacher: str = ""
    """A teacher's name; empty: `openai` where an endpoint is set, else nobody, and rules decide alone."""
    votes: int = Field(default=1, ge=1)
    """How often each question is asked; the majority decides, so an odd number is best."""
    budget_usd: float = Field(default=5.0, ge=0)
    """What the judge may spend of the run's money, which `teacher.budget_usd` limits for both together; only counted
    where prices are set."""


class JudgeIdentity(Record):
    """What the judge's answers depend on."""

    teacher: str
    base_url: str
    model: str
    temperature: float | None
    votes: int


def identify_judge(settings: Settings) -> JudgeIdentity | None:
    """Who judges by these settings; None: nobody."""
    options = settings.section(JudgeSettings)
    teacher = options.teacher or ("openai" if options.base_url else "")
    if not teacher:
        return None
    endpoint = judge_endpoint(settings)
    return JudgeIdentity(
        teacher=teacher,
        base_url=endpoint.base_url,
        model=endpoint.model,
        temperature=endpoint.temperature,
        votes=options.votes,
    )


def judge_endpoint(settings: Settings) -> TeacherSettings:
    """The endpoint the judge asks: its own, or the teacher's with what the judge changes about it."""
    options, teacher = settings.section(JudgeSettings), settings.teacher
    own = {name: getattr(options, name) for name in EndpointSettings.model_fields} if options.base_url else {}
    changes = {
        "model": options.model or teacher.model,
        "temperature": teacher.temperature if options.temperature is None else options.temperature,
        "budget_usd": options.budget_usd,
    }
    return teacher.model_copy(update=own | changes)
