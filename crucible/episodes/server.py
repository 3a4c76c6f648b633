"""Episodes over HTTP. Who has the token may open boxes here, so: the loopback address unless told otherwise.

    PUT    /episodes/ID               open one: {"task": {...}} or {"task_id": "..."}
    GET    /episodes/ID               where it stands
    PUT    /episodes/ID/answers/TURN  the policy's message of that turn, counted from 0
    POST   /episodes/ID/finish        the policy has no more to say: judge what there is
    DELETE /episodes/ID               end it, and forget it

Every answer but the last is an `EpisodeState`, given as soon as there is something to tell, after `WAIT_SECONDS` at the
latest. Any request may be sent twice. What is refused has a status from 400 on and {"error": "..."}.
"""

from __future__ import annotations

import asyncio
import secrets
import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

import uvicorn
from pydantic import ValidationError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from crucible.episodes.records import Answer, EpisodeState, Opening
from crucible.episodes.registry import Episodes, open_episodes
from crucible.errors import CrucibleError, Rejected, SettingsError
from crucible.running.run import Run

WAIT_SECONDS = 20.0
"""How long a request waits for something to tell: what lies between trainer and server may close silent connections."""
STATUS = {"no_episode": 404, "no_task": 404, "not_asked": 409}
"""The HTTP status of a refusal by its reason; 400 for others."""

Handler = Callable[[Request], Awaitable[Response]]


class EpisodeServer:
    """The routes over one registry of episodes."""

    def __init__(self, episodes: Episodes, token: str) -> None:
        self.episodes = episodes
        self.token = token
        one = "/episodes/{id}"
        self.app = Starlette(
            routes=[
                Route(one, self._guard(self.open), methods=["PUT"]),
                Route(one, self._guard(self.look), methods=["GET"]),
                Route(one, self._guard(self.close), methods=["DELETE"]),
                Route(one + "/answers/{turn:int}", self._guard(self.answer), methods=["PUT"]),
                Route(one + "/finish", self._guard(self.finish), methods=["POST"]),
            ]
        )

    async def open(self, request: Request) -> Response:
        opening = Opening.model_validate_json(await request.body())
        episode = await self.episodes.open(request.path_params["id"], opening)
        return _tell(await episode.wait(WAIT_SECONDS))

    async def look(self, request: Request) -> Response:
        return _tell(await self.episodes.find(request.path_params["id"]).wait(WAIT_SECONDS))

    async def answer(self, request: Request) -> Response:
        answer = Answer.model_validate_json(await request.body())
        episode = self.episodes.find(request.path_params["id"])
        episode.answer(request.path_params["turn"], answer)
        return _tell(await episode.wait(WAIT_SECONDS))

    async def finish(self, request: Request) -> Response:
        episode = self.episodes.find(request.path_params["id"])
        episode.policy.finish()
        return _tell(await episode.wait(WAIT_SECONDS))

    async def close(self, request: Request) -> Response:
        await self.episodes.close(request.path_params["id"])
        return Response(status_code=204)

    def _guard(self, handle: Handler) -> Handler:
        """The handler for those who have the token; what it refuses is told in one line."""

        async def guarded(request: Request) -> Response:
            given = request.headers.get("authorization", "").removeprefix("Bearer ")
            if not secrets.compare_digest(given.encode(), self.token.encode()):
                return _refuse(401, "the token is missing or wrong")
            try:
                return await handle(request)
            except Rejected as refused:
                return _refuse(STATUS.get(refused.reason, 400), refused.line())
            except CrucibleError as fault:
                return _refuse(503, fault.line())
            except ValidationError as wrong:
                first = wrong.errors()[0]
                return _refuse(422, f"{'.'.join(map(str, first['loc']))}: {first['msg']}")

        return guarded


class Server(uvicorn.Server):
    """The HTTP server, which leaves signals to the command line."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def _tell(state: EpisodeState) -> Response:
    return Response(state.model_dump_json(), media_type="application/json")


def _refuse(status: int, error: str) -> Response:
    return JSONResponse({"error": error}, status)


def bind(host: str, port: int) -> socket.socket:
    """The socket to listen on; port 0 is any that is free."""
    try:
        return socket.create_server((host, port))
    except OSError as taken:
        raise SettingsError(f"{host}:{port} cannot be listened on: {taken.strerror}", "choose another --port") from None


async def serve_episodes(run: Run, listening: socket.socket, token: str) -> None:
    """Serve the run's episodes on a socket until this is cancelled, or the process is told to stop."""
    async with open_episodes(run) as episodes:
        app = EpisodeServer(episodes, token).app
        server = Server(uvicorn.Config(app, log_level="warning", lifespan="off", timeout_graceful_shutdown=3))
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        try:
            await asyncio.shield(serving)  # a server that is cancelled leaves its socket in the event loop
        finally:
            server.should_exit = True
            await serving
