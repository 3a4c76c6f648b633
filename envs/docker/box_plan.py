"""How one box is opened: for which env and phase, with which network, and what is laid in it before it starts."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from docker.types import LogConfig, Ulimit

from crucible.record import digest
from crucible.sandbox import Env, LaidFile, Network, Phase
from envs.docker.grader_tools import are_needed
from envs.docker.remains import without_replaced_files


@dataclass(frozen=True)
class BoxPlan:
    """What a box is opened with."""

    env: Env
    network: Network = field(default_factory=Network)
    tools: bool = False
    """Whether it is held by the grader's own tools, as the shell in it may be the attempt's."""
    is_patched: bool = False
    """Whether it stands on an image of its own, with the env's patch, or with files that belong to its commit."""
    files: dict[str, LaidFile] = field(default_factory=dict)
    """What is laid beside the image."""
    beside: str = ""
    """The container whose network it shares, instead of having one."""
    remains: bytes | None = None
    """What another box of the env has left."""

    @property
    def kind(self) -> str:
        """Boxes of one kind may stand in for each other."""
        return digest(self.env, self.network, self.tools)

    def of_fork(self) -> BoxPlan:
        """The plan of a box from this one's files: all is laid already."""
        return replace(self, is_patched=False, files={}, remains=None)


def plan_box(env: Env, phase: Phase, remains: bytes | None = None) -> BoxPlan:
    """How a box of this env is opened in a phase. An attempt's diff is told from the workdir's commit, which must have
    the laid files then; otherwise they are laid beside the image, which many tasks share."""
    committed = env.leaves == "diff"
    beside = {} if committed else env.files if remains is None else without_replaced_files(env)
    return BoxPlan(
        env=env,
        network=getattr(env.networks, phase),
        tools=are_needed(env, phase),
        is_patched=bool(env.patch or (committed and env.files)),
        files=beside,
        remains=remains,
    )


IPV6_LOOPBACK = {"net.ipv6.conf.lo.disable_ipv6": "0"}
"""What an application listens at that says `localhost` may be ::1, which older engines take from a box without network.
A box in the network of another has that of the other."""


def container_limits(env: Env, network: str) -> dict[str, Any]:
    """The engine's options that keep a container within its limits, whoever is in it."""
    limits = env.limits
    disk = limits.disk_mb << 20
    return {
        "network_mode": network,
        "init": True,
        "cap_drop": ["ALL"],
        "cap_add": list(env.capabilities),
        "security_opt": ["no-new-privileges"],
        "pids_limit": limits.pids,
        "mem_limit": limits.memory_mb << 20,
        "memswap_limit": limits.memory_mb << 20,
        "nano_cpus": int(limits.cpus * 1e9),
        "ulimits": [Ulimit(name="fsize", soft=disk, hard=disk), Ulimit(name="core", soft=0, hard=0)],
        "log_config": LogConfig(type="none"),  # otherwise the engine keeps every byte a box prints
        "sysctls": IPV6_LOOPBACK if Path("/proc/sys/net/ipv6").is_dir() and ":" not in network else {},
    }
