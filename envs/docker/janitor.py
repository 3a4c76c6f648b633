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
from envs.engine import CONNECTION_LABEL


def sweep_dead_owners(
    api: docker.APIClient, is_gone: Callable[[str], bool] = is_dead, dry_run: bool = False
) -> list[str]:
    """Remove every box, network and forked image whose owner is gone; returns one line for each."""
    swept = _sweep_labelled(api, OWNER_LABEL, is_gone, dry_run)
    if not dry_run:
        firewall.sweep_rules()
    return swept


def sweep_connection(api: docker.APIClient, token: str) -> None:
    """Remove every box, network and forked image that was made through one connection to the engine."""
    _sweep_labelled(api, CONNECTION_LABEL, token.__eq__)


def _sweep_labelled(
    api: docker.APIClient, label: str, is_swept: Callable[[str], bool], dry_run: bool = False
) -> list[str]:
    """Remove what carries the label with a value that is to be swept; returns one line for each."""
    swept: list[str] = []

    def select(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
        return [row for row in rows if is_swept((row.get("Labels") or {}).get(label, ""))]

    for box in select(api.containers(all=True, filters={"label": label})):
        if not box["Names"]:
            continue  # the engine is removing it, or was cut off when it did
        swept.append(f"box {box['Names'][0].lstrip('/')}")
        _remove_unless(dry_run, api.remove_container, box["Id"], force=True, v=True)
    for network in select(api.networks(filters={"label": label})):
        swept.append(f"network {network['Name']}")
        _remove_unless(dry_run, _remove_network, api, network["Id"])
    for image in select(api.images(filters={"label": label})):
        swept.append(f"image {(image.get('RepoTags') or [image['Id']])[0]}")
        _remove_unless(dry_run, api.remove_image, image["Id"], force=True)
    return swept


def _remove_network(api: docker.APIClient, network: str) -> None:
    """Remove a network, after what is still joined to it was let go: the package cache serves many."""
    for container in api.inspect_network(network)["Containers"] or ():
        with suppress(NotFound, APIError):
            api.disconnect_container_from_network(container, network, force=True)
    api.remove_network(network)


def _remove_unless(dry_run: bool, remove: Callable[..., object], *args: Any, **named: Any) -> None:
    if not dry_run:
        with suppress(NotFound, APIError):  # another janitor was quicker
            remove(*args, **named)
