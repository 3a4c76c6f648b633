"""The settings of the SWE pipeline: where pull requests come from, how far a recipe is repaired, how many variants
are made."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field, SecretStr

from crucible.mining import MiningContext
from crucible.record import Record
from crucible.settings import Settings, section


@section("sources")
class SourceSettings(Record):
    """Where raw material comes from over the network, and what it is held against."""

    github_url: str = "https://api.github.com"
    """The API; of an Enterprise server `https://HOST/api/v3`."""
    github_token: SecretStr = SecretStr("")
    """Without one GitHub answers 60 questions an hour, with one 5000."""
    protocols: tuple[str, ...] = ("https",)
    """How repositories may be cloned: https, http, file."""
    wait_seconds: float = Field(default=120.0, ge=0)
    """The longest wait for a rate limit; beyond it, collecting stops and says when to come back."""
    cache: Path = Path()
    """Folder for clones and answers; left out: `sources` in the home."""
    lists: tuple[str, ...] = ()
    """Files of benchmark instances, as JSON lines, that no task may be made of; besides those that come along."""


@section("repair")
class RepairSettings(Record):
    """How far a recipe that does not work is repaired."""

    rounds: int = Field(default=5, ge=0)
    """How often it is changed and tried again."""
    teacher: str = ""
    """Who is asked where the rules do not help; empty: nobody."""
    usd: float = Field(default=0.5, ge=0)
    """What the advice on one repository may cost."""


@section("transforms")
class TransformSettings(Record):
    """What else is made of a task."""

    variants: int = Field(default=1, ge=0)
    """How many variants of a task are made at most; 0: none. Each costs a full proof of soundness."""


def adviser_name(settings: Settings) -> str:
    """The name of the teacher that gives advice on recipes and looks at statements; empty: nobody does."""
    return settings.section(RepairSettings).teacher


def clone_folder(context: MiningContext) -> Path:
    """The folder for clones and answers of the network."""
    configured = context.section(SourceSettings).cache
    return context.settings.home / "sources" if configured == Path() else configured
