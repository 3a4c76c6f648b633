"""Removes what dead processes left in the engine: boxes, networks, forked images."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

import docker
from docker.errors import APIError, NotFound

from crucible.store.owner import is_dead
from envs.docker import firewall
from envs.docker.labels import OWNER_LABEL


def sweep_engine(api: docker.APIClient, is_gone: Callable[[str], bool] = is_dead, dry_run: bool = False) -> list[str]:
    """Remove every box, network and forked image whose owner is gone; returns one line for each."""
    swept: list[str] = []
    boxes = _rows_of_gone_owners(api.containers(all=True, filters={"label": OWNER_LABEL}), is_gone)
    for box in boxes:
        swept.append(f"box {box['Names'][0].lstrip('/')}")
        _remove_unless(dry_run, api.remove_container, box["Id"], force=True, v=True)
    for network in _rows_of_gone_owners(api.networks(filters={"label": OWNER_LABEL}), is_gone):
        swept.append(f"network {network['Name']}")
        _remove_unless(dry_run, api.remove_network, network["Id"])
    for image in _rows_of_gone_owners(api.images(filters={"label": OWNER_LABEL}), is_gone):
        swept.append(f"image {(image.get('RepoTags') or [image['Id']])[0]}")
        _remove_unless(dry_run, api.remove_image, image["Id"], force=True)
    if not dry_run:
        firewall.sweep_rules()
    return swept


def _rows_of_gone_owners(rows: Iterable[dict[str, Any]], is_gone: Callable[[str], bool]) -> list[dict[str, Any]]:
    """The rows of the engine's listing that belong to an owner who is gone."""
    return [row for row in rows if is_gone((row.get("Labels") or {}).get(OWNER_LABEL, ""))]


def _remove_unless(dry_run: bool, remove: Callable[..., object], *args: Any, **named: Any) -> None:
    if not dry_run:
        with suppress(NotFound, APIError):  # another janitor was quicker
            remove(*args, **named)
