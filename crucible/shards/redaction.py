"""Records on their way out: secrets redacted and counted, NUL and lone surrogates replaced.

Most records hold nothing of the kind, and that is seen on their JSON as a whole, without taking them apart.
The patterns are in `crucible/secrets.toml`.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TypeVar

import hyperscan

from crucible.record import Json, Record

FILE = Path(__file__).with_name("secrets.toml")
MARK = "[REDACTED:{}]"
UNSTORABLE = (r"\\u0000", r"\\u[dD][89a-fA-F]")
"""How NUL and surrogates show in JSON."""
_ESCAPE = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.", re.DOTALL)
# matches: \ud83d\ude00 (a pair of surrogates), \u0000, \n
_AT_START = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))"
_LONE = re.compile("[\ud800-\udfff]")
# matches: one half of a surrogate pair, which no UTF-8 can hold

R = TypeVar("R", bound=Record)


class Secret(Record):
    """One kind of secret and how it looks."""

    kind: str
    sign: str
    pattern: str
    inside: bool = False

    def exact(self) -> re.Pattern[str]:
        """As it stands in a text: not within a word, but after a line break, a written-out one included."""
        return re.compile(self.pattern if self.inside else _AT_START + self.pattern, re.DOTALL)


Rule = tuple[Secret, re.Pattern[str]]


@cache
def secret_rules() -> tuple[Rule, ...]:
    """Every kind of secret that is looked for, with its pattern."""
    table = tomllib.loads(FILE.read_text("utf-8"))
    secrets = [Secret.model_validate(secret) for secret in table["secret"]]
    return tuple((secret, secret.exact()) for secret in secrets)


@cache
def secret_signs() -> hyperscan.Database:
    """Everything that makes a record worth taking apart, looked for in one pass."""
    expressions = [*(secret.sign for secret, _ in secret_rules()), *UNSTORABLE]
    database = hyperscan.Database()
    database.compile(
        expressions=[sign.encode() for sign in expressions], flags=[hyperscan.HS_FLAG_SINGLEMATCH] * len(expressions)
    )
    return database


def may_hold_secrets(body: str) -> bool:
    """Whether a record's JSON may hold something that must not leave."""
    matches: list[int] = []
    secret_signs().scan(body.encode(), match_event_handler=lambda sign, *_: matches.append(sign))
    return bool(matches)


@dataclass
class Redactor:
    """Washes records and counts what it took out, by kind."""

    redacted: Counter[str] = field(default_factory=Counter)

    def redact_record(self, record: R, body: str) -> R:
        """The record without what must not leave. `body` is its JSON."""
        return type(record).model_validate_json(self.redact_json(body))

    def redact_json(self, body: str) -> str:
        """A record's JSON with its secrets replaced by marks."""
        return json.dumps(self._tree(json.loads(body)), ensure_ascii=False)

    def _tree(self, value: Json, key: str = "") -> Json:
        if isinstance(value, dict):
            return {self.redact_text(name): self._tree(entry, name) for name, entry in value.items()}
        if isinstance(value, list):
            return [self._tree(entry) for entry in value]
        if isinstance(value, str):
            return self._arguments(value) if key == "arguments" else self.redact_text(value)
        return value

    def redact_text(self, text: str) -> str:
        """A text with its secrets replaced by marks."""
        return self._redact(make_storable(text))

    def _arguments(self, text: str) -> str:
        """JSON as the teacher wrote it: untouched if no value holds a secret, and still JSON if one does."""
        written = _ESCAPE.sub(_storable_escape, make_storable(text))
        try:
            arguments = json.loads(written)
            clean = self._tree(arguments)
        except (ValueError, RecursionError):
            return self._redact(written)
        return written if clean == arguments else json.dumps(clean, ensure_ascii=False)

    def _redact(self, text: str) -> str:
        for secret, exact in secret_rules():
            text, n = exact.subn(_make_replacement(secret.kind), text)
            self.redacted.update({secret.kind: n} if n else {})
        return text


def make_storable(text: str) -> str:
    """The text with what not every store takes replaced: lone surrogates and NUL."""
    return _LONE.sub("\ufffd", text.replace("\0", "␀"))


def _storable_escape(match: re.Match[str]) -> str:
    """Within JSON text: an escape that stands for NUL or half a character, replaced likewise."""
    escape = match[0].lower()
    if escape == "\\u0000":
        return "\\u2400"
    return "\\ufffd" if len(escape) == 6 and escape[2] == "d" and escape[3] in "89abcdef" else match[0]


def _make_replacement(kind: str) -> Callable[[re.Match[str]], str]:
    """Puts the mark in the secret's place: the group `secret`, or all of the match."""
    mark = MARK.format(kind)

    def put(match: re.Match[str]) -> str:
        if "secret" not in match.re.groupindex:
            return mark
        start, end = (at - match.start() for at in match.span("secret"))
        return match[0][:start] + mark + match[0][end:]

    return put
