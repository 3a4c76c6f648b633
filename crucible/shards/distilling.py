"""Prompt distillation: an attempt that was made under a whole expert prompt is exported with sections of it left out.

A scaffold names the sections of its system prompt that can be removed. Which of them an attempt loses is drawn from the
export's seed and the attempt's id, and stands in its rows. A section whose words have changed since is not found, and
stays.
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import lru_cache
from random import Random

from crucible import parts
from crucible.acting import Scaffold
from crucible.errors import UnknownPart
from crucible.exporting import Judged, read_light
from crucible.record import digest


def drop_sections(judged: Judged, likelihood: float, seed: int) -> Judged:
    """The attempt without the sections that were drawn for it."""
    sections = list_sections(judged.light.agent.scaffold, judged.light.agent.seed)
    present = {name: text for name, text in sections.items() if text in judged.light.system}
    random = Random(digest(seed, judged.trajectory_id))
    dropped = tuple(name for name in present if random.random() < likelihood)
    if not dropped:
        return judged
    system = judged.light.system
    for name in dropped:
        system = system.replace(present[name], "").replace("\n\n\n\n", "\n\n").strip()
    body = json.dumps({**json.loads(judged.body), "system": system}, ensure_ascii=False, separators=(",", ":"))
    return replace(judged, body=body, light=read_light(body), dropped_sections=dropped)


@lru_cache(maxsize=256)
def list_sections(name: str, seed: int) -> dict[str, str]:
    """The removable sections of a scaffold's system prompt, by name; none where there is no such scaffold any more."""
    try:
        scaffold: Scaffold = parts.find("scaffold", name).make(seed, ())
    except UnknownPart:
        return {}
    return scaffold.sections
