"""Removes images nobody needs until the rest fits the disk budget, the longest unused first."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from typing import Any

import docker
from docker.errors import APIError

from envs.images.dockerfile import RECIPE_LABEL
from envs.images.uses import last_use


def collect_images(
    api: docker.APIClient, home: Path, budget: int, keep: Collection[str] = (), dry_run: bool = False
) -> list[str]:
    """Remove recipe images until they fit `budget` bytes; `keep` names those that live tasks refer to."""
    images = [image for image in api.df()["Images"] or [] if image.get("RepoTags") and _has_recipe(image)]
    used = sum(_own_size(image) for image in images)
    removed: list[str] = []
    for image in sorted(images, key=lambda image: last_use(home, image["RepoTags"][0]) or float(image["Created"])):
        name = image["RepoTags"][0]
        if used <= budget:
            break
        if name in keep or image.get("Containers", 0) > 0:
            continue
        with suppress(APIError):  # in use by a box: the engine refuses, and that is right
            if not dry_run:
                api.remove_image(name)
            removed.append(f"image {name} ({_own_size(image) >> 20} MB)")
            used -= _own_size(image)
    return removed


def _has_recipe(image: dict[str, Any]) -> bool:
    return RECIPE_LABEL in (image.get("Labels") or {})


def _own_size(image: dict[str, Any]) -> int:
    """Bytes of the layers that no other image has: what removing this one frees."""
    return int(image["Size"]) - max(0, int(image.get("SharedSize", 0)))
