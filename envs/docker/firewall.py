"""Keeps a networked box away from the host's own services, where this process may set packet filters.

An internal Docker network still has the host at its gateway address: without a rule, a box on it could
knock at everything the host listens on. Bridges are named by us, so stale rules are recognised.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

BRIDGE_PREFIX = "crb-"
"""How the names of our networks' bridges begin."""


def can_guard() -> bool:
    """Whether packet filters can be set here: root, and the tool for it."""
    return os.geteuid() == 0 and shutil.which("iptables") is not None


def guard_bridge(bridge: str, open_port: int | None = None) -> bool:
    """Refuse new connections from the bridge to the host, but for one port; False if that cannot be done."""
    if not can_guard():
        return False
    guarded = _iptables("-I", "INPUT", "-i", bridge, "-m", "conntrack", "--ctstate", "NEW", "-j", "DROP")
    if guarded and open_port is not None:
        guarded = _iptables("-I", "INPUT", "-i", bridge, "-p", "tcp", "--dport", str(open_port), "-j", "ACCEPT")
    return guarded


def unguard_bridge(bridge: str) -> None:
    """Remove the rules of one bridge."""
    if can_guard():
        for rule in list_rules():
            if f"-i {bridge} " in rule:
                _iptables("-D", *rule.split()[1:])


def sweep_rules() -> None:
    """Remove the rules of bridges that no longer exist."""
    if can_guard():
        interface = re.compile(rf"-i ({BRIDGE_PREFIX}\w+) ")
        # matches the bridge in: -A INPUT -i crb-0a1b2c3d4e -m conntrack --ctstate NEW -j DROP
        for bridge in {match[1] for rule in list_rules() if (match := interface.search(rule))}:
            if not Path(f"/sys/class/net/{bridge}").exists():
                unguard_bridge(bridge)


def list_rules() -> list[str]:
    """The packet filters on our bridges, as `iptables -S` writes them."""
    listed = subprocess.run(["iptables", "-w", "-S", "INPUT"], capture_output=True, text=True, check=False)
    return [line for line in listed.stdout.splitlines() if BRIDGE_PREFIX in line]


def _iptables(*arguments: str) -> bool:
    """Run `iptables`; whether it succeeded."""
    return subprocess.run(["iptables", "-w", *arguments], capture_output=True, check=False).returncode == 0
