"""`task.toml` as records: the tables and keys that say something to us. Unknown ones are let be, as Harbor does."""

from __future__ import annotations

import re
import tomllib
from typing import Any

from pydantic import ConfigDict, Field, ValidationError, field_validator

from crucible.errors import Rejected
from crucible.record import Record

UNITS = {"K": 1 / 1024, "M": 1, "G": 1024, "T": 1024 * 1024}
"""In megabytes."""
SIZE = re.compile(r"(\d+(?:\.\d+)?)([KMGT])i?B?")  # matches: 2G  512MiB


class _LenientTable(Record):
    """A table in which keys that we do not know are no error."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class TaskTable(_LenientTable):
    """The table `[task]`."""

    name: str = ""
    description: str = ""
    keywords: tuple[str, ...] = ()


class TimeoutTable(_LenientTable):
    """The tables `[verifier]` and `[agent]`."""

    timeout_sec: float = Field(default=600.0, gt=0, le=86_400)


class EnvironmentTable(_LenientTable):
    """The table `[environment]`."""

    docker_image: str = ""
    cpus: float = Field(default=1.0, gt=0, le=64)
    memory_mb: int = Field(default=2048, ge=64, le=1 << 20)
    storage_mb: int = Field(default=10_240, ge=64, le=1 << 22)
    network_mode: str = ""
    allowed_hosts: tuple[str, ...] = ()
    workdir: str = ""


class TaskToml(_LenientTable):
    """All of `task.toml` that we read."""

    schema_version: str = "1.0"
    task: TaskTable = TaskTable()
    metadata: dict[str, Any] = Field(default_factory=dict)
    verifier: TimeoutTable = TimeoutTable()
    environment: EnvironmentTable = EnvironmentTable()

    @field_validator("schema_version")
    @classmethod
    def _require_schema_1(cls, version: str) -> str:
        if not re.fullmatch(r"1(\.\d+)*", version):  # matches: 1.4
            raise ValueError(f"schema {version} is not known; 1.x is")
        return version


def read_task_toml(data: bytes) -> TaskToml:
    """What the file says; Rejected when it cannot be understood."""
    try:
        return TaskToml.model_validate(_modernised(tomllib.loads(data.decode())))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as broken:
        raise Rejected("bad_toml", str(broken)[:300]) from broken
    except ValidationError as wrong:
        first = wrong.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise Rejected("bad_task_toml", f"{where}: {first['msg']}"[:300]) from wrong


def _modernised(tables: dict[str, Any]) -> dict[str, Any]:
    """The tables in the words of today's schema: the oldest folders say `version`, and sizes as "2G"."""
    environment = tables.get("environment")
    if isinstance(environment, dict):
        for old, new in (("memory", "memory_mb"), ("storage", "storage_mb")):
            size = SIZE.fullmatch(str(environment.get(old, "")))
            if size and new not in environment:
                environment[new] = int(float(size[1]) * UNITS[size[2]])
    return {"schema_version": tables.get("version", "1.0"), **tables}
