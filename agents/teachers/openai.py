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

from agents.teachers.budget import Budget, estimate_tokens
from agents.teachers.retries import CircuitBreaker, read_retry_after, retry_delay
from agents.teachers.stream import StreamedAnswer
from agents.teachers.throttle import Throttle
from crucible.acting import Ask, Reply, TeacherRun, TeacherSettings, tool_schema
from crucible.chat_messages import Message, count_characters, to_messages
from crucible.errors import SettingsError, TeacherError, TeacherRefuses
from crucible.model import Task, Usage
from crucible.parts import teacher
from crucible.purse import Purse
from crucible.record import Json, Record, canonical

if TYPE_CHECKING:
    import openai

RETRYABLE_STATUSES = (408, 409, 429)
"""Statuses below 500 after which asking again may help; the others stay the same however often one asks."""
REFUSING_STATUSES = (401, 402, 404)
"""Statuses that say nothing of the question: the key, the account, or the model or address is wrong for all of them."""
REMEDIES = {  # what the user can do, by the status that the endpoint answered
    401: "set teacher.api_key",
    402: "pay the provider, or choose another with teacher.base_url",
    403: "the key may not use this model: see teacher.api_key and teacher.model",
    404: "see teacher.base_url (it ends in /v1 with most servers) and teacher.model",
    413: "lower stops.tokens: the history is too long for this endpoint",
    400: "see teacher.model and the agent's options; the history may be longer than the model takes",
}
UNREACHED = "start the server, or see teacher.base_url"


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

    options = settings.teacher
    if not options.base_url:
        raise SettingsError("no endpoint is set", "set teacher.base_url and teacher.model, or use the teacher 'local'")
    key = options.api_key.get_secret_value() or "none"
    async with AsyncOpenAI(
        base_url=options.base_url, api_key=key, max_retries=0, timeout=options.timeout_seconds
    ) as client:
        yield Endpoint(client, options, Budget(options, Purse(limit=options.budget_usd)), Throttle(options.concurrency))


class RetryableFailure(Exception):
    """A request failed in a way that may pass: after `retry_after` seconds, if the endpoint said so."""

    def __init__(self, why: str, *, retry_after: float | None = None, looks_broken: bool = True) -> None:
        super().__init__(why)
        self.retry_after, self.looks_broken = retry_after, looks_broken


@dataclass
class Endpoint:
    """One endpoint, shared by all attempts of a run: its limits are common, its conversations are not."""

    client: openai.AsyncOpenAI
    settings: TeacherSettings
    budget: Budget
    throttle: Throttle
    breaker: CircuitBreaker = field(default_factory=CircuitBreaker)
    was_reached: bool = False
    """Whether it ever answered anything: where it does not, the address is wrong, or the server is not started."""

    def pay_from(self, purse: Purse) -> None:
        """Spend the run's money from now on (`crucible.purse.Paid`)."""
        self.budget.purse = purse

    async def reply(self, task: Task, ask: Ask) -> Reply:
        """The next answer; what may pass is tried again, as often as the settings say."""
        request = self._request(ask)
        for attempt in range(self.settings.retries + 1):
            self._check_breaker()
            try:
                return await self._attempt(request)
            except RetryableFailure as fault:
                if attempt == self.settings.retries:
                    if not self.was_reached:
                        raise self._unreached(str(fault)) from None
                    raise TeacherError(f"no answer in {attempt + 1} attempts: {fault}", "try again later") from None
                wait = retry_delay(attempt, fault.retry_after)
            await asyncio.sleep(wait)
        raise AssertionError("unreachable")

    def _check_breaker(self) -> None:
        """TeacherError while the endpoint is left alone."""
        try:
            self.breaker.check()
        except TeacherError:
            if self.was_reached:
                raise
            raise self._unreached(f"{self.breaker.failures} requests failed") from None

    def _unreached(self, why: str) -> TeacherRefuses:
        """An endpoint that never answered is asked no more in this run."""
        return TeacherRefuses(f"nothing answers at {self.settings.base_url}: {why}", UNREACHED)

    async def _attempt(self, request: Message) -> Reply:
        """One request within the throttle's and the budget's limits; the breaker is told whether it succeeded."""
        characters = count_characters(request["messages"]) + len(canonical(request.get("tools")))
        async with self.throttle.slot():
            with self.budget.reserve(characters, request["max_tokens"]):
                answer = StreamedAnswer()
                try:
                    await self._stream(request, answer)
                except RetryableFailure as fault:
                    await self._note_failure(fault, answer, characters)
                    raise
                self.breaker.succeeded()
                usage = answer.usage or _estimate_usage(characters, answer)
                return answer.to_reply(await self.budget.charge(usage), self._hide_key)

    async def _note_failure(self, fault: RetryableFailure, answer: StreamedAnswer, characters: int) -> None:
        """Slow down, count the failure, and pay for what had arrived: the endpoint charges for it all the same."""
        self.throttle.note_failure()
        if fault.looks_broken:
            self.breaker.failed()
        if answer.count_characters():
            await self.budget.charge(_estimate_usage(characters, answer))

    async def _stream(self, request: Message, answer: StreamedAnswer) -> None:
        """Fill the answer, within the time one request has. RetryableFailure or TeacherError when that fails."""
        import openai

        try:
            async with asyncio.timeout(self.settings.timeout_seconds):
                await self._receive(request, answer)
        except openai.APIStatusError as fault:
            self.was_reached = True
            raise self._status_failure(fault) from None
        except (TimeoutError, openai.APITimeoutError):
            raise RetryableFailure(f"the answer took longer than {self.settings.timeout_seconds:g} s") from None
        except openai.APIConnectionError as fault:
            raise RetryableFailure(self._hide_key(f"the connection failed: {fault.__cause__ or fault}")) from None
        except (openai.APIError, ValueError) as fault:
            raise RetryableFailure(self._hide_key(f"the connection failed: {fault}")) from None
        if not answer.finish:
            raise RetryableFailure("the connection was closed in the middle of an answer")

    async def _receive(self, request: Message, answer: StreamedAnswer) -> None:
        began = time.monotonic()
        stream = cast("openai.AsyncStream[Any]", await self.client.chat.completions.create(**request))
        first = True
        async with stream:
            async for chunk in stream:
                if first:
                    self.was_reached = True
                    self.throttle.note_answer_began(time.monotonic() - began)
                    first = False
                _add_chunk(chunk, answer)

    def _status_failure(self, fault: openai.APIStatusError) -> Exception:
        """What a status that is no success means: a RetryableFailure, or a TeacherError with its remedy."""
        code = fault.status_code
        message = self._hide_key(f"the endpoint answered {code}: {fault.message}")[:500]
        if code in RETRYABLE_STATUSES or code >= 500:
            wait = read_retry_after(fault.response.headers)
            return RetryableFailure(message, retry_after=wait, looks_broken=code != 429)
        kind = TeacherRefuses if code in REFUSING_STATUSES else TeacherError
        return kind(message, REMEDIES.get(code, "see teacher.base_url and teacher.model"))

    def _request(self, ask: Ask) -> Message:
        sampling = _sampling_options(ask)
        request = {
            "model": sampling.model or self.settings.model,
            "messages": to_messages(ask),
            "max_tokens": sampling.max_tokens or self.settings.max_tokens,
            "temperature": self.settings.temperature if sampling.temperature is None else sampling.temperature,
            "top_p": sampling.top_p,
            "seed": ask.seed,
            "logprobs": True if sampling.logprobs else None,
            "tools": [tool_schema(tool) for tool in ask.tools] if ask.form == "native" else None,
            "extra_body": dict(sampling.extra) or None,
        }
        sent: Message = {name: value for name, value in request.items() if value is not None}
        return sent | {"stream": True, "stream_options": {"include_usage": True}}

    def _hide_key(self, text: str) -> str:
        """The text without the API key. A key of a few letters is a placeholder and would tear words apart."""
        key = self.settings.api_key.get_secret_value()
        return text.replace(key, "[key]") if len(key) >= 8 else text


def _add_chunk(chunk: Any, answer: StreamedAnswer) -> None:
    """Add a chunk to the answer; one of another shape is a failure here, for the library checks nothing it receives."""
    try:
        answer.add_chunk(chunk)
    except (AttributeError, TypeError, ValueError) as odd:
        raise RetryableFailure(f"the endpoint sent what is no piece of an answer: {odd}") from None


def _sampling_options(ask: Ask) -> Sampling:
    try:
        return Sampling.model_validate(ask.options)
    except ValidationError as fault:
        raise SettingsError(
            f"the teacher 'openai' does not take these options: {fault}",
            f"it takes: {', '.join(Sampling.model_fields)}",
        ) from None


def _estimate_usage(characters: int, answer: StreamedAnswer) -> Usage:
    """The usage of a request, for endpoints that do not say and for answers that were cut off, which cost as much."""
    completion = estimate_tokens(answer.count_characters())
    return Usage(prompt_tokens=estimate_tokens(characters), completion_tokens=completion)
