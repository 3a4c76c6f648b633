"""Keeps a networked box away from the host's own services, where this process may set packet filters.

An internal Docker network still has the host at its gateway address: without a rule, a box on it could
knock at everything the host listens on. Bridges are named by us, so stale rules are recognised.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from itertools import product
from pathlib import Path

from crucible.datafile import read_words

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


def guard_build_bridge(bridge: str, open_ports: Sequence[int], name_servers: Sequence[str]) -> bool:
    """Let the bridge out to public addresses and to the name servers, and to nothing of this host but some ports;
    False if that cannot be done, also where the bridge is not on this machine."""
    if not can_guard() or not Path(f"/sys/class/net/{bridge}").exists():
        return False
    here, beyond = ("INPUT", "-i", bridge), (_forward_chain(), "-i", bridge)
    rules: list[tuple[str, ...]] = [(*here, "-p", "tcp", "--dport", str(port), "-j", "ACCEPT") for port in open_ports]
    for server, protocol, chain in product(name_servers, ("udp", "tcp"), (here, beyond)):
        rules.append((*chain, "-d", server, "-p", protocol, "--dport", "53", "-j", "ACCEPT"))
    rules.append((*beyond, "-m", "conntrack", "--ctstate", "ESTABLISHED,RELATED", "-j", "ACCEPT"))
    # Refused and not dropped: a script that knocks is told at once, and does not use up its time.
    rules.append((*here, "-m", "conntrack", "--ctstate", "NEW", "-j", "REJECT"))
    rules += [(*beyond, "-d", network, "-j", "REJECT") for network in list_closed_networks()]
    return all(_iptables("-I", *rule) for rule in reversed(rules))  # the last to be inserted is the first to be met


def open_address(bridge: str, address: str, port: int) -> None:
    """Let what is on a guarded bridge reach one port of one address, though it is a private one."""
    if can_guard():
        _iptables(
            "-I", _forward_chain(), "-i", bridge, "-d", address, "-p", "tcp", "--dport", str(port), "-j", "ACCEPT"
        )


def _forward_chain() -> str:
    """The chain that is met first by what passes through this machine: the engine keeps one for others' rules."""
    return "DOCKER-USER" if _iptables("-S", "DOCKER-USER") else "FORWARD"


def list_closed_networks() -> list[str]:
    """The networks that builds must not reach: private ones, and those that this machine is part of."""
    private = read_words(Path(__file__).parent / "private_networks.toml", "networks")
    rows = [line.split() for line in Path("/proc/net/route").read_text().splitlines()[1:]]
    # a row of the routing table, addresses in hexadecimal, last byte first: eth0 000200C0 00000000 0001 0 0 0 00FFFFFF
    near = [(_parse_address(row[1]), _parse_address(row[7])) for row in rows if row[2] == "00000000"]
    return [*private, *(f"{address}/{mask}" for address, mask in near if mask != "0.0.0.0")]


def _parse_address(word: str) -> str:
    return ".".join(str(byte) for byte in reversed(bytes.fromhex(word)))


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
    listed = subprocess.run(["iptables", "-w", "-S"], capture_output=True, text=True, check=False)
    return [line for line in listed.stdout.splitlines() if BRIDGE_PREFIX in line]


def _iptables(*arguments: str) -> bool:
    """Run `iptables`; whether it succeeded."""
    return subprocess.run(["iptables", "-w", *arguments], capture_output=True, check=False).returncode == 0
