"""A trainer's side for tests: the client that exports carry, against a server in this process."""

from __future__ import annotations

import asyncio
import importlib.util
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from types import ModuleType
from typing import Any

from crucible.episodes.server import bind, serve_episodes
from crucible.running.run import Run

READY = Path(__file__).parents[3] / "exporters" / "ready"
TOKEN = "the-token"


def load_client() -> Any:
    """The module that exports carry."""
    return load_file(READY / "crucible_client.py")


def load_file(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@asynccontextmanager
async def serving(run: Run) -> AsyncIterator[str]:
    """The address of a server for the run's episodes."""
    with bind("127.0.0.1", 0) as listening:
        server = asyncio.create_task(serve_episodes(run, listening, TOKEN))
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.cancel()
            with suppress(asyncio.CancelledError):
                await server


def calling(name: str, **arguments: str) -> dict[str, Any]:
    """A message of a policy that calls a tool."""
    return {"role": "assistant", "content": "", "tool_calls": [{"function": {"name": name, "arguments": arguments}}]}
