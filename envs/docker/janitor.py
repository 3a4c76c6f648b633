"""Removes what dead processes left in the engine: boxes, networks, forked images."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

import docker
from docker.errors import APIError, NotFound

from crucible.store.owner import is_dead
from envs.docker import firewall
from envs.docker.labels import OWNER


def sweep(api: docker.APIClient, gone: Callable[[str], bool] = is_dead, dry_run: bool = False) -> list[str]:
    """Remove everything whose owner is gone; returns one line for each thing removed."""
    swept: list[str] = []
    boxes = _owned(api.containers(all=True, filters={"label": OWNER}), gone)
    for box in boxes:
        swept.append(f"box {box['Names'][0].lstrip('/')}")
        _unless(dry_run, api.remove_container, box["Id"], force=True, v=True)
    for network in _owned(api.networks(filters={"label": OWNER}), gone):
        swept.append(f"network {network['Name']}")
        _unless(dry_run, api.remove_network, network["Id"])
    for image in _owned(api.images(filters={"label": OWNER}), gone):
        swept.append(f"image {(image.get('RepoTags') or [image['Id']])[0]}")
        _unless(dry_run, api.remove_image, image["Id"], force=True)
    if not dry_run:
        firewall.sweep()
    return swept


def _owned(rows: Iterable[dict[str, Any]], gone: Callable[[str], bool]) -> list[dict[str, Any]]:
    return [row for row in rows if gone((row.get("Labels") or {}).get(OWNER, ""))]


def _unless(dry_run: bool, remove: Callable[..., object], *args: Any, **named: Any) -> None:
    if not dry_run:
        with suppress(NotFound, APIError):  # another janitor was quicker
            remove(*args, **named)
