"""Removes images nobody needs until the rest fits the disk budget, the longest unused first."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

import docker
from docker.errors import APIError

from envs.docker.labels import RECIPE
from envs.images.uses import last_use


def collect(
    api: docker.APIClient, home: Path, budget: int, keep: Collection[str] = (), dry_run: bool = False
) -> list[str]:
    """Remove recipe images until they fit `budget` bytes; `keep` names those that live tasks refer to."""
    rows = [row for row in api.df()["Images"] or [] if RECIPE in (row.get("Labels") or {}) and row.get("RepoTags")]
    used = sum(_own_size(row) for row in rows)
    removed: list[str] = []
    for row in sorted(rows, key=lambda row: last_use(home, row["RepoTags"][0]) or float(row["Created"])):
        name = row["RepoTags"][0]
        if used <= budget:
            break
        if name in keep or row.get("Containers", 0) > 0:
            continue
        with suppress(APIError):  # in use by a box: the engine refuses, and that is right
            if not dry_run:
                api.remove_image(name)
            removed.append(f"image {name} ({_own_size(row) >> 20} MB)")
            used -= _own_size(row)
    return removed


def _own_size(row: dict[str, int]) -> int:
    return int(row["Size"]) - max(0, int(row.get("SharedSize", 0)))
