"""Any OpenAI-compatible endpoint. Streams, keeps the thinking, and outlasts what endpoints do to their users.

What went wrong is raised as a TeacherError with a remedy; the key is in none of its words.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from pydantic import Field, ValidationError

from agents.teachers.messages import Message, messages
from agents.teachers.patience import Breaker, pause, retry_after
from agents.teachers.purse import Purse, tokens
from agents.teachers.stream import Answer
from agents.teachers.throttle import Throttle
from crucible.acting import Ask, Reply, TeacherRun, TeacherSettings, offered
from crucible.errors import SettingsError, TeacherError
from crucible.model import Task, Usage
from crucible.parts import teacher
from crucible.record import Json, Record, canonical

if TYPE_CHECKING:
    import openai

PASSING = (408, 409, 429)
"""Refusals that pass; the other ones below 500 stay the same however often one asks."""
REMEDIES = {
    401: "set teacher.api_key",
    402: "pay the provider, or choose another with teacher.base_url",
    403: "the key may not use this model: see teacher.api_key and teacher.model",
    404: "see teacher.base_url (it ends in /v1 with most servers) and teacher.model",
    413: "lower stops.tokens: the history is too long for this endpoint",
    400: "see teacher.model and the agent's options; the history may be longer than the model takes",
}


class Sampling(Record):
    """The options of an agent that this teacher takes; they go before the run's settings."""

    model: str = ""
    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int = Field(default=0, ge=0)
    logprobs: bool = False
    extra: dict[str, Json] = Field(default_factory=dict)
    """Anything else the endpoint understands, sent as it is."""


@teacher("openai")
@asynccontextmanager
async def openai_teacher(settings: TeacherRun) -> AsyncIterator[Endpoint]:
    """Asks the OpenAI-compatible endpoint that the settings name."""
    from openai import AsyncOpenAI  # half a second: only for those who ask

    given = settings.teacher
    if not given.base_url:
        raise SettingsError("no endpoint is set", "set teacher.base_url and teacher.model, or use the teacher 'local'")
    key = given.api_key.get_secret_value() or "none"
    async with AsyncOpenAI(
        base_url=given.base_url, api_key=key, max_retries=0, timeout=given.timeout_seconds
    ) as client:
        yield Endpoint(client, given, Purse(given), Throttle(given.concurrency))


class Passing(Exception):
    """An attempt failed in a way that may pass. `asked`: the wait the endpoint wants. `ill`: it looks broken."""

    def __init__(self, why: str, *, asked: float | None = None, ill: bool = True) -> None:
        super().__init__(why)
        self.asked, self.ill = asked, ill


@dataclass
class Endpoint:
    """One endpoint, shared by all attempts of a run: its limits are common, its conversations are not."""

    client: openai.AsyncOpenAI
    settings: TeacherSettings
    purse: Purse
    throttle: Throttle
    breaker: Breaker = field(default_factory=Breaker)

    async def reply(self, task: Task, ask: Ask) -> Reply:
        """The next answer, however many attempts it takes within reason."""
        request = self._request(ask)
        for attempt in range(self.settings.retries + 1):
            self.breaker.check()
            try:
                return await self._attempt(request)
            except Passing as fault:
                if attempt == self.settings.retries:
                    raise TeacherError(f"no answer in {attempt + 1} attempts: {fault}", "try again later") from None
                wait = pause(attempt, fault.asked)
            await asyncio.sleep(wait)
        raise AssertionError("unreachable")

    async def _attempt(self, request: Message) -> Reply:
        """One request in its slot, paid for, with what became of it told to the throttle and the breaker."""
        characters = len(canonical([request["messages"], request.get("tools")]))
        async with self.throttle.slot():
            with self.purse.set_aside(characters, request["max_tokens"]):
                answer = Answer()
                try:
                    await self._stream(request, answer)
                except Passing as fault:
                    self._failed(fault, answer, characters)
                    raise
                self.breaker.succeeded()
                usage = answer.usage or _estimate(characters, answer)
                return answer.reply(self.purse.charge(usage), self._hide)

    def _failed(self, fault: Passing, answer: Answer, characters: int) -> None:
        self.throttle.refused()
        if fault.ill:
            self.breaker.failed()
        if answer.received():
            self.purse.charge(_estimate(characters, answer))

    async def _stream(self, request: Message, answer: Answer) -> None:
        """Fill the answer, within the time one request has. Passing or TeacherError when that fails."""
        import openai

        try:
            async with asyncio.timeout(self.settings.timeout_seconds):
                await self._receive(request, answer)
        except openai.APIStatusError as fault:
            raise self._refusal(fault) from None
        except (TimeoutError, openai.APITimeoutError):
            raise Passing(f"the answer took longer than {self.settings.timeout_seconds:g} s") from None
        except (openai.APIError, ValueError) as fault:
            raise Passing(self._hide(f"the connection failed: {fault}")) from None
        if not answer.finished:
            raise Passing("the connection was closed in the middle of an answer")

    async def _receive(self, request: Message, answer: Answer) -> None:
        began = time.monotonic()
        stream = cast("openai.AsyncStream[Any]", await self.client.chat.completions.create(**request))
        first = True
        async with stream:
            async for chunk in stream:
                if first:
                    self.throttle.began(time.monotonic() - began)
                    first = False
                _take(chunk, answer)

    def _refusal(self, fault: openai.APIStatusError) -> Exception:
        code, said = fault.status_code, self._hide(f"the endpoint answered {fault.status_code}: {fault.message}")[:500]
        if code in PASSING or code >= 500:
            return Passing(said, asked=retry_after(fault.response.headers), ill=code != 429)
        return TeacherError(said, REMEDIES.get(code, "see teacher.base_url and teacher.model"))

    def _request(self, ask: Ask) -> Message:
        chosen = _sampling(ask)
        request = {
            "model": chosen.model or self.settings.model,
            "messages": messages(ask),
            "max_tokens": chosen.max_tokens or self.settings.max_tokens,
            "temperature": self.settings.temperature if chosen.temperature is None else chosen.temperature,
            "top_p": chosen.top_p,
            "seed": ask.seed,
            "logprobs": True if chosen.logprobs else None,
            "tools": [offered(tool) for tool in ask.tools] if ask.form == "native" else None,
            "extra_body": dict(chosen.extra) or None,
        }
        sent: Message = {name: value for name, value in request.items() if value is not None}
        return sent | {"stream": True, "stream_options": {"include_usage": True}}

    def _hide(self, text: str) -> str:
        """The text without the key. One of a few letters is a placeholder, and would take words with it."""
        key = self.settings.api_key.get_secret_value()
        return text.replace(key, "[key]") if len(key) >= 8 else text


def _take(chunk: Any, answer: Answer) -> None:
    """The library checks nothing it receives; a chunk of another shape shows here."""
    try:
        answer.take(chunk)
    except (AttributeError, TypeError, ValueError) as odd:
        raise Passing(f"the endpoint sent what is no piece of an answer: {odd}") from None


def _sampling(ask: Ask) -> Sampling:
    try:
        return Sampling.model_validate(ask.options)
    except ValidationError as fault:
        raise SettingsError(
            f"the teacher 'openai' does not take these options: {fault}",
            f"it takes: {', '.join(Sampling.model_fields)}",
        ) from None


def _estimate(characters: int, answer: Answer) -> Usage:
    """For endpoints that do not say, and for answers that were cut off: they are paid for all the same."""
    return Usage(prompt_tokens=tokens(characters), completion_tokens=tokens(answer.received()))
