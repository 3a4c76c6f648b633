"""What policies need that act: the exported task of `peers.live_task`, its episodes, and models that answer."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[1]
ACTING_TOOLS = ("skyrl", "verifiers", "verl")
"""The tools whose checks roll out policies."""


@contextmanager
def serve_live_task(folder: Path) -> Iterator[dict[str, str]]:
    """Export the task into the folder, and serve its episodes and the models while the block runs. Gives the variables
    that the tools' checks read."""
    subprocess.run([sys.executable, "-m", "peers.live_task", str(folder)], check=True, cwd=ROOT)
    serve = ("-m", "crucible", "episodes", "--json", "--set", f"home={folder / 'home'}")
    with _start(*serve) as server, _start("-m", "peers.endpoint") as models:
        assert server.stdout is not None
        assert models.stdout is not None
        address = json.loads("".join(iter(server.stdout.readline, "}\n")) + "}")
        endpoint = models.stdout.readline().strip()
        yield {"EPISODES_URL": address["url"], "EPISODES_TOKEN": address["token"], "ENDPOINT": endpoint}


@contextmanager
def _start(*words: str) -> Iterator[subprocess.Popen[str]]:
    """A process of our own interpreter, ended with the block."""
    with subprocess.Popen([sys.executable, *words], cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.terminate()
