"""A meta-query to queries. The same meta-query and number always give the same query; a model may word its opening."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random

from crucible.acting import Ask, Teacher
from crucible.errors import SettingsError
from crucible.model import Task
from pipelines.queries.library import SLOT, Library
from pipelines.queries.model import Choice, Entry, MetaQuery, Query, Rule

TRIES = 50
"""How often a choice that a rule forbids is made anew."""
REWORDING = Path(__file__).with_name("rewording.md")
LONGEST_OPENING = 1500


def expand(meta: MetaQuery, library: Library, number: int) -> Query:
    """The query of that number; SettingsError where the rules leave nothing to choose."""
    return compose_query(meta, library, number, choose(meta, library, Random(f"{meta.name}/{number}")))


def choose(meta: MetaQuery, library: Library, random: Random) -> Choice:
    """What stands in the slots and what is asked for besides, by the rules."""
    broken: Rule | None = None
    for _ in range(TRIES):
        entries = {slot: random.choice(library.list_entries(meta, slot)) for slot in meta.draws}
        extras = random.sample(meta.extras, random.randint(0, min(meta.most_extras, len(meta.extras))))
        features = (*meta.features, *(name for name in meta.extras if name in extras))
        broken = next(find_broken_rules(library.rules, list_words(library, entries.values(), features)), None)
        if broken is None:
            names = {slot: entry.name for slot, entry in entries.items()}
            return Choice(entries=names, features=features, wording=random.randrange(len(meta.texts)))
    raise SettingsError(f"the rules leave nothing to choose for {meta.name}: {broken.why if broken else ''}")


def compose_query(meta: MetaQuery, library: Library, number: int, choice: Choice) -> Query:
    """The query that a choice makes of a meta-query."""
    entries = {slot: library.find_entry(meta, slot, name) for slot, name in choice.entries.items()}
    return Query(
        meta=meta.name,
        number=number,
        domain=meta.domain,
        choice=choice,
        opening=_fill_slots(meta.texts[choice.wording], entries),
        asks=tuple(ask for name in choice.features for ask in library.features[name].asks),
        closing=tuple(entry.says for entry in entries.values() if entry.says),
    )


def _fill_slots(text: str, entries: Mapping[str, Entry]) -> str:
    return SLOT.sub(lambda slot: entries[slot[1]].text or entries[slot[1]].name, text)


def list_words(library: Library, entries: Iterable[Entry], features: Sequence[str]) -> set[str]:
    """The names and tags that rules speak of."""
    words = {word for entry in entries for word in (entry.name, *entry.tags)}
    return words | {word for name in features for word in (name, *library.features[name].tags)}


def find_broken_rules(rules: Iterable[Rule], words: set[str]) -> Iterator[Rule]:
    """The rules that a choice of these names and tags breaks."""
    for rule in rules:
        if words.intersection(rule.when) and (
            words.intersection(rule.never) or (rule.needs and not words.intersection(rule.needs))
        ):
            yield rule


async def reword(query: Query, teacher: Teacher, temperature: float) -> Query:
    """The query with an opening in a model's words. What it must do stays as it was written, so that what is judged
    later is still asked for; an answer that is no opening leaves the query as it is."""
    prompt = REWORDING.read_text("utf-8").replace("{opening}", query.opening).replace("{asks}", "\n".join(query.asks))
    ask = Ask(system="", prompt=prompt, seed=query.number, options={"temperature": temperature})
    reply = await teacher.reply(Task(domain="none", kind="query", instruction=prompt), ask)
    opening = reply.text.strip()
    return query.model_copy(update={"opening": opening}) if 0 < len(opening) <= LONGEST_OPENING else query
