"""From a text to decks that are asked for, and from there to tasks."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from random import Random

from crucible.datafile import read_row
from crucible.domains.office.decks.params import DeckLooksParams
from crucible.domains.office.decks.spec import DeckMadeParams, DeckSpec, Topic
from crucible.domains.office.world import work_env
from crucible.errors import Rejected
from crucible.mining import MiningContext
from crucible.model import Check, Difficulty, Provenance, Reference, Task
from crucible.record import Record
from pipelines.cowork.settings import CoworkSettings
from pipelines.cowork.slides.building import build_deck
from pipelines.cowork.slides.model import DeckBrief, SourceText
from pipelines.cowork.slides.outline import Outline, read_outline
from pipelines.cowork.slides.specifying import specify_deck

PHRASES = Path(__file__).with_name("briefs.toml")
"""How decks are asked for, by language."""
LEVELS = ("exact", "plain")
"""From the most to the least help."""
LEAST_LOOKS = 0.88
"""The score of looks that is accepted: style is a matter of degree, one broken rule of layout is too much."""


class Phrases(Record):
    """How a deck is asked for in one language."""

    intro: str
    title: str
    topics: str
    topics_plain: str
    chart: str
    table: str
    notes: str
    rules: str
    chart_title: str
    table_title: str
    audiences: tuple[str, ...]
    tones: tuple[str, ...]


async def brief_text(source: SourceText, context: MiningContext) -> Sequence[DeckBrief]:
    """Several decks that may be asked for, each with one that has all of it."""
    text = (await asyncio.to_thread(context.blobs.get, source.blob)).decode("utf-8", errors="replace")
    outline = read_outline(text)
    if outline is None:
        raise Rejected("no_outline", "it has no title, or no sections")
    options = context.section(CoworkSettings)
    briefs = [make_brief(source, text, outline, number, options, context) for number in range(options.walks)]
    found = [brief for brief in briefs if brief]
    if not found:
        raise Rejected("too_little_to_say", "fewer than two of its sections have sentences")
    return found


def make_brief(
    source: SourceText, text: str, outline: Outline, number: int, options: CoworkSettings, context: MiningContext
) -> DeckBrief | None:
    """One deck to ask for, drawn by seed."""
    draw = Random(f"{options.seed} {source.blob} {number}")
    spec = specify_deck(text, outline, draw)
    if spec is None:
        return None
    phrases = read_row(PHRASES, spec.language, Phrases)
    built = build_deck(spec, outline, (phrases.chart_title, phrases.table_title))
    return DeckBrief(
        source=source,
        spec=spec,
        audience=draw.choice(phrases.audiences),
        tone=draw.choice(phrases.tones),
        reference=context.blobs.put(built),
        number=number,
    )


async def write_briefs(brief: DeckBrief, context: MiningContext) -> Sequence[Task]:
    """One task for each way of asking."""
    return [make_task(brief, level) for level in range(len(LEVELS))]


def make_task(brief: DeckBrief, level: int) -> Task:
    source, path = brief.source, f"{brief.source.name}.pptx"
    text = f"{source.name}.{source.suffix}"
    env = work_env({text: source.blob}, (path,))
    made = DeckMadeParams(path=path, spec=brief.spec)
    return Task(
        domain="cowork",
        kind="deck-brief",
        instruction=write_instruction(brief, LEVELS[level], text, path, env.workdir),
        env=env,
        checks=(
            Check(verifier="deck.made", params=made.model_dump(mode="json")),
            Check(verifier="deck.looks", params=DeckLooksParams(path=path).model_dump(mode="json"), least=LEAST_LOOKS),
        ),
        reference=Reference(blobs={path: brief.reference}),
        provenance=Provenance(
            source=f"office-files:{source.name}#{brief.number}",
            licence=source.licence,
            author=source.author,
            url=source.url,
        ),
        difficulty=Difficulty(hint_level=level),
        labels={"language": brief.spec.language, "slides": str(brief.spec.slides)},
    )


def write_instruction(brief: DeckBrief, level: str, source: str, path: str, workdir: str) -> str:
    """What is asked for, in the language of the document."""
    spec, phrases = brief.spec, read_row(PHRASES, brief.spec.language, Phrases)
    facts = {"audience": brief.audience, "tone": brief.tone, "workdir": workdir}
    lines = [phrases.intro.format(source=source, path=path, slides=spec.slides, **facts), ""]
    lines += [f"- {line}" for line in list_wishes(spec, phrases, level)]
    return "\n".join(lines)


def list_wishes(spec: DeckSpec, phrases: Phrases, level: str) -> list[str]:
    topics = phrases.topics if level == "exact" else phrases.topics_plain
    wishes = [
        phrases.title.format(title=spec.title),
        topics.format(topics="; ".join(_name_topic(topic, level) for topic in spec.topics)),
    ]
    if spec.chart:
        series, categories = ", ".join(spec.chart.series), ", ".join(spec.chart.categories)
        wishes.append(phrases.chart.format(series=series, categories=categories))
    if spec.table:
        wishes.append(phrases.table.format(first=" | ".join(spec.table[0])))
    if spec.notes:
        wishes.append(phrases.notes)
    return [*wishes, phrases.rules.format(words=spec.most_words)]


def _name_topic(topic: Topic, level: str) -> str:
    """In plain words the figures are to be found in the document."""
    named = level == "exact" and topic.figures
    return f"'{topic.title}' ({'; '.join(topic.figures)})" if named else f"'{topic.title}'"
