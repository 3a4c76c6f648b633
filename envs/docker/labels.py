"""Names and labels of everything the Docker world creates, so that a janitor knows whose it was."""

from __future__ import annotations

import secrets

from crucible.store.owner import current_owner
from envs.engine import CONNECTION_LABEL, Engine

OWNER_LABEL = "crucible.owner"
"""The label that names the process something was made by."""


def owner_labels(engine: Engine) -> dict[str, str]:
    """Labels that name this process as the owner, and the connection to the engine."""
    return {OWNER_LABEL: current_owner(), CONNECTION_LABEL: engine.token}


def fresh_name() -> str:
    """A name for something new, chosen by us: what a cancelled call made can still be found and removed."""
    return f"crucible-{secrets.token_hex(6)}"
