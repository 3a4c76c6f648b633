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

BRIDGE = "crb-"


def can_guard() -> bool:
    """Whether packet filters can be set here: root, and the tool for it."""
    return os.geteuid() == 0 and shutil.which("iptables") is not None


def guard(bridge: str, open_port: int | None = None) -> bool:
    """Refuse new connections from the bridge to the host, but for one port; False if that cannot be done."""
    if not can_guard():
        return False
    made = _iptables("-I", "INPUT", "-i", bridge, "-m", "conntrack", "--ctstate", "NEW", "-j", "DROP")
    if made and open_port is not None:
        made = _iptables("-I", "INPUT", "-i", bridge, "-p", "tcp", "--dport", str(open_port), "-j", "ACCEPT")
    return made


def unguard(bridge: str) -> None:
    """Remove the rules of one bridge."""
    if can_guard():
        for rule in _rules():
            if f"-i {bridge} " in rule:
                _iptables("-D", *rule.split()[1:])


def sweep() -> None:
    """Remove the rules of bridges that no longer exist."""
    if can_guard():
        named = {found[0] for rule in _rules() if (found := re.findall(rf"-i ({BRIDGE}\w+) ", rule))}
        for bridge in named:
            if not Path(f"/sys/class/net/{bridge}").exists():
                unguard(bridge)


def _rules() -> list[str]:
    listed = subprocess.run(["iptables", "-w", "-S", "INPUT"], capture_output=True, text=True, check=False)
    return [line for line in listed.stdout.splitlines() if BRIDGE in line]


def _iptables(*words: str) -> bool:
    return subprocess.run(["iptables", "-w", *words], capture_output=True, check=False).returncode == 0
