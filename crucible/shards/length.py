"""How long an attempt is: in characters, and in the tokens of a tokenizer that is named."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from crucible.errors import EngineMissing, Rejected, SettingsError
from crucible.exporting import LightTrajectory


@dataclass(frozen=True)
class Ruler:
    """Measures attempts, and refuses those that are too long."""

    longest: int = 0
    """In tokens where there is a tokenizer, else in characters; 0: any length."""
    count_tokens: Callable[[list[str]], int] | None = None

    def measure(self, light: LightTrajectory) -> tuple[int, int | None]:
        """Characters and tokens of all that was said and shown. Rejected where that is too much."""
        texts = list(_texts(light))
        characters = sum(map(len, texts))
        tokens = self.count_tokens(texts) if self.count_tokens else None
        if self.longest and (characters if tokens is None else tokens) > self.longest:
            raise Rejected("too_long", f"more than {self.longest}")
        return characters, tokens


def open_ruler(longest: int, tokenizer: str) -> Ruler:
    """What measures for an export. The tokenizer is a `tokenizer.json`, as models come with."""
    if not tokenizer:
        return Ruler(longest)
    try:
        from tokenizers import Tokenizer
    except ImportError:
        raise EngineMissing("--tokenizer needs the package tokenizers", "pip install tokenizers") from None
    try:
        loaded = Tokenizer.from_file(tokenizer)
    except Exception as fault:  # the library raises nothing narrower
        raise SettingsError(f"{tokenizer} is not a tokenizer: {fault}", "give the path of a tokenizer.json") from fault
    return Ruler(longest, lambda texts: sum(map(len, loaded.encode_batch_fast(texts, add_special_tokens=False))))


def name_tokenizer(tokenizer: str) -> str:
    """The tokenizer without its path: the name of its file and the start of its content's hash."""
    if not tokenizer:
        return ""
    digest = hashlib.sha256(Path(tokenizer).read_bytes()).hexdigest()
    return f"{Path(tokenizer).name}@{digest[:12]}"


def _texts(light: LightTrajectory) -> Iterator[str]:
    yield light.system
    yield light.prompt
    for step in light.steps:
        yield step.thinking
        yield step.text
        yield from (call.arguments for call in step.calls)
        yield from (observation.content for observation in step.observations)
