"""The labels on everything this world creates, so that a janitor knows whose it was."""

from __future__ import annotations

import secrets

from crucible.store.owner import current_owner

OWNER = "crucible.owner"
"""The label that names the process something was made by."""


def mine() -> dict[str, str]:
    """Labels that name this process as the owner."""
    return {OWNER: current_owner()}


def fresh_name() -> str:
    """A name of our own choosing: what a cancelled call made can still be found and removed."""
    return f"crucible-{secrets.token_hex(6)}"
