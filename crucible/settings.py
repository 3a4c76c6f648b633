"""Every setting, its default and its meaning. Reading them from the outside is `crucible/layering.py`'s job."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import BeforeValidator, Field
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from crucible.acting import Stops, TeacherSettings
from crucible.mining import RepairSettings, SourceSettings
from crucible.record import Record

PREFIX = "CRUCIBLE_"


class DockerSettings(Record):
    """The Docker world."""

    url: str = ""
    """The engine's address; empty: `DOCKER_HOST`, else the local socket."""
    base: str = ""
    """An image to build on instead of the base named by the recipe."""
    build_seconds: float = Field(default=1800.0, ge=1)
    """How long one command of a recipe may take."""
    open_seconds: float = Field(default=60.0, gt=0)
    """How long the creation of one box may take."""
    pool: int = Field(default=4, ge=0)
    """At most so many boxes are opened ahead of need, where the same one is opened again and again."""
    budget_gb: float = Field(default=20.0, gt=0)
    """Disk that images may use; `crucible gc` removes the least recently used beyond it."""


class LimitSettings(Record):
    """How much happens at once, and how often it is tried."""

    boxes: int = Field(default=2, ge=1)
    """Items worked on at once. A proof has a second box, where attempts are played while earlier ones are graded."""
    builds: int = Field(default=1, ge=1)
    retries: int = Field(default=2, ge=0)
    """How often an item that met broken infrastructure is tried again."""
    lease_seconds: float = Field(default=900.0, gt=0)
    """How long a claim holds without renewal before others may take the item."""


class JudgeSettings(Record):
    """Who compares meanings where rules cannot."""

    teacher: str = ""
    """A teacher's name; empty: nobody, and rules decide alone."""


class SoundnessSettings(Record):
    """How a draft proves itself."""

    repeats: int = Field(default=3, ge=1)
    probes: bool = True
    """Whether cheating attempts are made too."""


class Wish(Record):
    """A pipeline that runs every night."""

    name: str
    origin: str = ""
    """Where its raw items come from; empty: its sample data."""
    limit: int = Field(default=0, ge=0)
    """At most so many raw items; 0: all."""


def _wishes(value: object) -> object:
    """A flag or a variable says `swe=PATH_TO_CLONE,other`; a file has a table for each."""
    if not isinstance(value, str):
        return value
    pairs = [one.partition("=") for one in value.split(",") if one.strip()]
    return [{"name": name.strip(), "origin": origin.strip()} for name, _, origin in pairs]


def _words(value: object) -> object:
    return [one.strip() for one in value.split(",") if one.strip()] if isinstance(value, str) else value


class NightlySettings(Record):
    """What happens every night. Money is limited by `teacher.budget_usd`, boxes by `limits.boxes`."""

    pipelines: Annotated[tuple[Wish, ...], BeforeValidator(_wishes)] = ()
    minutes: float = Field(default=480.0, gt=0)
    """When they are over nothing more is begun; what there is by then is selected and exported."""
    chunk_items: int = Field(default=200, ge=1)
    chunk_minutes: float = Field(default=10.0, gt=0)
    """A stage is worked in chunks, so many items or minutes each: what the scheduler sees, and retries."""
    teachers: Annotated[tuple[str, ...], BeforeValidator(_words)] = ("oracle",)
    samples: int = Field(default=1, ge=1)
    """Attempts by each teacher at each task."""
    keep: int = Field(default=1, ge=1)
    """Accepted attempts of each task that are selected."""
    format: str = "trl"
    """What the trainer reads; empty: nothing is exported."""
    where: str = ""
    """Which accepted attempts are exported."""
    out: str = ""
    """Folder for the shards; empty: `shards` in the home."""


class Settings(BaseSettings):
    """Every setting. Made without arguments it is the defaults; `load` reads the outside world."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_nested_delimiter="__",
        frozen=True,
        extra="forbid",
        use_attribute_docstrings=True,
        validate_default=True,
    )

    home: Path = Path(".crucible")
    """Where the ledger, blobs and logs live unless told otherwise."""
    ledger: str = Field(default_factory=lambda data: f"sqlite:///{data.get('home', '.crucible')}/ledger.sqlite")
    """SQLAlchemy URL of the ledger."""
    blobs: str = Field(default_factory=lambda data: f"{data.get('home', '.crucible')}/blobs")
    """fsspec URL of the blob store."""
    docker: DockerSettings = DockerSettings()
    limits: LimitSettings = LimitSettings()
    soundness: SoundnessSettings = SoundnessSettings()
    teacher: TeacherSettings = TeacherSettings()
    judge: JudgeSettings = JudgeSettings()
    stops: Stops = Stops()
    """When an attempt ends whether or not the teacher is done."""
    sources: SourceSettings = SourceSettings()
    repair: RepairSettings = RepairSettings()
    nightly: NightlySettings = NightlySettings()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Only what `load` has gathered: it layers the sources itself, to know where a value came from."""
        return (init_settings,)
