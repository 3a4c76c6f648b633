"""Every setting, its default and its meaning. `crucible/running/settings_layers.py` reads them from the outside.

A part owns its settings: a record in a file `settings.py` of the part's folder, decorated with the section's name.

    @section("repair")
    class RepairSettings(Record): ...
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import BeforeValidator, Field, SecretStr, SerializeAsAny
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from crucible.acting import Stops, TeacherSettings
from crucible.record import Record

PREFIX = "CRUCIBLE_"
SECTION_OWNERS = ("pipelines", "envs", "services", "agents", "verifiers", "exporters")
"""Folders whose parts may have settings of their own."""

S = TypeVar("S", bound=Record)
_sections: dict[str, type[Record]] = {}
_domains: dict[str, DomainSettings] = {}


def section(name: str) -> Callable[[type[S]], type[S]]:
    """Make the decorated record the section `name` of the settings."""

    def register(kind: type[S]) -> type[S]:
        _sections[name] = kind
        return kind

    return register


@cache
def part_sections() -> Mapping[str, type[Record]]:
    """The sections that parts own, by name: of the checkout's folders, and of entry points `crucible.settings`."""
    for folder in SECTION_OWNERS:
        package = find_spec(folder)
        for place in (package and package.submodule_search_locations) or ():
            for file in sorted(Path(place).rglob("settings.py")):
                importlib.import_module(".".join([folder, *file.relative_to(place).with_suffix("").parts]))
    for point in entry_points(group="crucible.settings"):
        point.load()
    return dict(sorted(_sections.items()))


class DockerSettings(Record):
    """The Docker world."""

    url: str = ""
    """The engine's address; empty: `DOCKER_HOST`, else the local socket."""
    base: str = ""
    """An image to build on instead of the base named by the recipe."""
    build_seconds: float = Field(default=1800.0, ge=1)
    """How long one command of a recipe may take."""
    open_seconds: float = Field(default=300.0, gt=0)
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
    """Images built at once."""
    retries: int = Field(default=2, ge=0)
    """How often an item that met broken infrastructure is tried again."""
    lease_seconds: float = Field(default=900.0, gt=0)
    """How long a claim holds without renewal before others may take the item."""


class RewardSettings(Record):
    """What the parts of a judgement count."""

    layers: dict[str, Annotated[float, Field(ge=0)]] = Field(
        default_factory=lambda: {"interaction": 2.0, "visual": 1.0}
    )
    """How much a verdict counts in an attempt's reward, by the layer of its verifier; 1 where none is named."""


class EpisodeSettings(Record):
    """Tasks served to a trainer."""

    token: SecretStr = SecretStr("")
    """What a trainer must say to be let in; empty: `crucible episodes` makes one and prints it."""


class SoundnessSettings(Record):
    """How a draft proves itself."""

    repeats: int = Field(default=3, ge=1)
    """How often the oracle must pass, and doing nothing fail."""
    probes: bool = True
    """Whether cheating attempts are made too."""
    mutants: int = Field(default=40, ge=0)
    """In how many ways, at most, the authored good work of a task is spoilt to see whether its checks notice."""
    least_mutation_score: float = Field(default=0.0, ge=0, le=1)
    """A task whose checks notice a smaller share of them is rejected."""


class DomainStops(Record):
    """When attempts at the tasks of one domain end, where that differs from `stops`."""

    steps: int | None = None
    tokens: int | None = None
    seconds: float | None = None
    money_usd: float | None = None


class DomainSettings(Record):
    """How the tasks of one domain are attempted, where that differs from other domains."""

    scaffold: str = ""
    """How a teacher is spoken to unless the user says otherwise; empty: as everywhere."""
    tools: tuple[str, ...] = ()
    """Tools besides those of the scaffold."""
    stops: DomainStops = DomainStops()

    def or_else(self, other: DomainSettings) -> DomainSettings:
        """These settings, with the other's where these say nothing."""
        stops = other.stops.model_dump(exclude_none=True) | self.stops.model_dump(exclude_none=True)
        return DomainSettings(
            scaffold=self.scaffold or other.scaffold, tools=self.tools or other.tools, stops=DomainStops(**stops)
        )


def register_domain(name: str, defaults: DomainSettings) -> None:
    """What a domain asks for unless the user says otherwise; a pipeline calls this in its file `settings.py`."""
    _domains[name] = defaults


class CalibrationSettings(Record):
    """Which band a task is in, by how often a solver solves it."""

    too_easy: float = Field(default=0.9, ge=0, le=1)
    """Solved more often than this."""
    never: float = Field(default=0.0, ge=0, le=1)
    """Solved no more often than this. What lies between the two is usable."""
    boxes: int = Field(default=8, ge=1)
    """Attempts made and judged at once: most of the time they wait for their solver."""


class NightlyPipeline(Record):
    """A pipeline that runs every night."""

    name: str
    origin: str = ""
    """Where its raw items come from; empty: its sample data."""
    limit: int = Field(default=0, ge=0)
    """At most so many new raw items; 0: all."""


def _parse_pipelines(value: object) -> object:
    """A flag or a variable says `swe=PATH_TO_CLONE,other`; a file has a table for each."""
    if not isinstance(value, str):
        return value
    pairs = [pair.partition("=") for pair in value.split(",") if pair.strip()]
    return [{"name": name.strip(), "origin": origin.strip()} for name, _, origin in pairs]


class NightlySettings(Record):
    """What happens every night. Money is limited by `teacher.budget_usd`, boxes by `limits.boxes`."""

    pipelines: Annotated[tuple[NightlyPipeline, ...], BeforeValidator(_parse_pipelines)] = ()
    """Which pipelines are mined, each with where from: `swe`, `swe=PATH`."""
    minutes: float = Field(default=480.0, gt=0)
    """When they are over nothing more is begun; what there is by then is selected and exported."""
    chunk_items: int = Field(default=200, ge=1)
    """The most items of a chunk."""
    chunk_minutes: float = Field(default=10.0, gt=0)
    """A stage is worked in chunks, so many items or minutes each: what the scheduler sees, and retries."""
    teachers: tuple[str, ...] = ("oracle",)
    """Who attempts every sound task."""
    samples: int = Field(default=1, ge=1)
    """Attempts by each teacher at each task."""
    keep: int = Field(default=1, ge=1)
    """Accepted attempts of each task that are selected."""
    format: str = "trl"
    """What the trainer reads; empty: nothing is exported."""
    where: str = ""
    """Which accepted attempts are exported."""
    authored: bool = False
    """Whether attempts that people wrote, the oracle's and scripted ones, are selected and exported too."""
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
    reward: RewardSettings = RewardSettings()
    soundness: SoundnessSettings = SoundnessSettings()
    calibration: CalibrationSettings = CalibrationSettings()
    teacher: TeacherSettings = TeacherSettings()
    stops: Stops = Stops()
    """When an attempt ends whether or not the teacher is done."""
    domains: dict[str, DomainSettings] = Field(default_factory=dict)
    """How the tasks of a domain are attempted, by its name, where that differs: scaffold, tools, stops."""
    nightly: NightlySettings = NightlySettings()
    episodes: EpisodeSettings = EpisodeSettings()
    sections: dict[str, SerializeAsAny[Record]] = Field(default_factory=dict)
    """The sections that parts own, by name; one that is missing is at its defaults."""

    def section(self, kind: type[S]) -> S:
        """The part's section that is described by this record."""
        return next((section for section in self.sections.values() if isinstance(section, kind)), None) or kind()

    def domain(self, name: str) -> DomainSettings:
        """How the tasks of a domain are attempted: what the user says, else what its pipeline registered."""
        part_sections()
        return self.domains.get(name, DomainSettings()).or_else(_domains.get(name, DomainSettings()))

    def domain_stops(self, name: str) -> Stops:
        """When attempts at the tasks of a domain end."""
        return self.stops.model_copy(update=self.domain(name).stops.model_dump(exclude_none=True))

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
