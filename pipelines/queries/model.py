"""The nouns: what an expert writes (meta-queries, seed pools, rules, features), and the queries that come of it."""

from __future__ import annotations

from pydantic import Field

from crucible.record import Record


class Entry(Record):
    """One entry of a seed pool: a technology, a setting, a look, an audience."""

    name: str
    text: str = ""
    """How it stands in a query; the name where this is empty."""
    tags: tuple[str, ...] = ()
    """What it is, for rules and judges: `server`, `build`, `external`, `retired`."""
    says: str = ""
    """A sentence that a query with this entry ends with, such as how the work is to be handed over."""


class Rule(Record):
    """What goes together. Words are names or tags of entries and features; it speaks when one of `when` is there."""

    when: tuple[str, ...]
    needs: tuple[str, ...] = ()
    """One of these must be there too."""
    never: tuple[str, ...] = ()
    """None of these may be."""
    why: str


class Feature(Record):
    """Something that a query can ask for."""

    name: str
    asks: tuple[str, ...] = Field(min_length=1)
    """The sentences that ask for it. Whatever is judged later rests on one of them."""
    tags: tuple[str, ...] = ()


class MetaQuery(Record):
    """What an expert knows to be worth asking for, with places left open."""

    name: str
    domain: str
    """The kind of the tasks that it leads to."""
    texts: tuple[str, ...] = Field(min_length=1)
    """Openings of a query in different words; `{slot}` is filled from a pool."""
    draws: dict[str, str] = Field(default_factory=dict)
    """The pool of each slot; `pool:tag` for its entries with that tag."""
    features: tuple[str, ...] = ()
    """What every query asks for."""
    extras: tuple[str, ...] = ()
    """What it may ask for besides."""
    most_extras: int = Field(default=2, ge=0)
    weight: float = Field(default=1.0, gt=0)
    """How often it is drawn, as long as nothing is known of what it leads to."""


class Choice(Record):
    """What was chosen to make a query of a meta-query."""

    entries: dict[str, str] = Field(default_factory=dict)
    """The name of the entry in each slot."""
    features: tuple[str, ...] = ()
    wording: int = 0
    """Which of the openings."""


class Query(Record):
    """One thing to ask for."""

    meta: str
    """The meta-query it comes from."""
    number: int
    """Which one of that meta-query: the same number always gives the same query."""
    domain: str
    choice: Choice
    opening: str
    """What is wanted, in the words of the meta-query or of a model."""
    asks: tuple[str, ...]
    """What it must do: the sentences of its features, word by word, whoever wrote the opening."""
    closing: tuple[str, ...] = ()
    """What its entries say."""

    @property
    def id(self) -> str:
        return f"{self.meta}-{self.number}"

    @property
    def text(self) -> str:
        """The query as it is put to an agent."""
        demands = "\n".join(f"- {ask}" for ask in self.asks)
        return "\n\n".join(filter(None, (self.opening, demands, " ".join(self.closing))))
