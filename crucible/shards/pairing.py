"""Attempts at one task in pairs: one that passed, and one that failed under the same prompt."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import groupby

from crucible.judging.reading import ReadAttempt


@dataclass
class Pairing:
    """Holds the attempts at a task until all have come. Those at one task come one after the other."""

    left_out: Counter[str] = field(default_factory=Counter)
    """Attempts that found no other."""
    _held: list[ReadAttempt] = field(default_factory=list)

    def add(self, attempts: Iterable[ReadAttempt]) -> Iterator[ReadAttempt]:
        """Take attempts; returned are the pairs of the tasks that are complete by now: what passed, with its rival."""
        for task_id, group in groupby(attempts, key=lambda attempt: attempt.judged.task_id):
            if self._held and self._held[0].judged.task_id != task_id:
                yield from self.finish()
            self._held.extend(group)

    def finish(self) -> Iterator[ReadAttempt]:
        """The pairs among the attempts that are held. Each attempt is in one pair at most."""
        held, self._held = self._held, []
        by_prompt: dict[tuple[object, ...], list[ReadAttempt]] = defaultdict(list)
        for attempt in held:
            light = attempt.judged.light
            by_prompt[light.system, light.prompt, light.form, tuple(map(bytes, light.tools))].append(attempt)
        for alike in by_prompt.values():
            passed = [attempt for attempt in alike if attempt.judged.accepted]
            failed = [attempt for attempt in alike if not attempt.judged.accepted]
            self.left_out.update({"without_rival": abs(len(passed) - len(failed))})
            for attempt, rival in zip(passed, failed, strict=False):
                yield attempt._replace(judged=replace(attempt.judged, rival=rival.judged))
