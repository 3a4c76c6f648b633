"""Every setting, its default and its meaning. Reading them from the outside is `crucible/layering.py`'s job."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from crucible.acting import Stops, TeacherSettings
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
    pool: int = Field(default=0, ge=0)
    """Boxes kept ready ahead of need."""
    budget_gb: float = Field(default=20.0, gt=0)
    """Disk that images may use; `crucible gc` removes the least recently used beyond it."""


class LimitSettings(Record):
    """How much happens at once, and how often it is tried."""

    boxes: int = Field(default=2, ge=1)
    builds: int = Field(default=1, ge=1)
    retries: int = Field(default=2, ge=0)
    """How often an item that met broken infrastructure is tried again."""
    lease_seconds: float = Field(default=900.0, gt=0)
    """How long a claim holds without renewal before others may take the item."""


class SoundnessSettings(Record):
    """How a draft proves itself."""

    repeats: int = Field(default=3, ge=1)
    probes: bool = True
    """Whether cheating attempts are made too."""


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
    stops: Stops = Stops()
    """When an attempt ends whether or not the teacher is done."""

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
