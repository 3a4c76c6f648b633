"""A page of attempts to what is written of it: judged, filtered, washed, rendered. It holds nothing but the ledger,
so that several processes can share the pages of one export."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

import msgspec
import pyarrow as pa

from crucible import filters, parts
from crucible.errors import EngineMissing, Rejected, SettingsError
from crucible.exporting import File, Judged
from crucible.judging.judges import Identify
from crucible.judging.reading import AttemptReader, ReadAttempt
from crucible.judging.selecting import NOUN
from crucible.part_kinds import Part
from crucible.reward import EVEN, Weights
from crucible.shards import columns, lineage
from crucible.shards.attempt_columns import attempt_columns
from crucible.shards.files import Rows, check_relative_path
from crucible.shards.length import Ruler, open_ruler
from crucible.shards.manifest import Entry, Request, describe_entry
from crucible.shards.pairing import Pairing
from crucible.shards.preparing import Preparer
from crucible.shards.redaction import Redactor
from crucible.shards.schema import schema_of_part
from crucible.shards.untried import untried_pages
from crucible.store.blobs import Blobs
from crucible.store.ledger import Ledger
from crucible.store.lookup import list_items

LARGEST = 8 << 20
"""A portion ends after so many bytes of attempts; the rest of its page is another one."""


class RenderedAttempt(NamedTuple):
    """What is known of an attempt beside its rows."""

    content: bytes
    """The hash of what was said and done in it, and of its task."""
    origin: str
    yielded: int
    """Its rows and files."""
    entry: Entry


@dataclass
class Portion:
    """What came of the attempts of a page, or of its first ones."""

    rows: Rows
    sizes: list[int]
    """About how many bytes each row is."""
    lineage: pa.RecordBatch
    attempts: list[RenderedAttempt]
    """What each attempt is, in the order of its rows."""
    left_out: Counter[str]
    redacted: Counter[str]
    notes: bytes
    read: int
    rest: Sequence[int]
    """Numbers of the page that are still to be read."""


@dataclass
class Renderer:
    """Renders pages, one after the other."""

    ledger: Ledger
    request: Request
    part: Part
    rows: Callable[[Judged], Iterator[Any]]
    wanted: filters.Filter
    identify: Identify
    layers: Weights
    choosing: bool
    """Whether anything was ever selected."""
    schema: pa.Schema | None
    preparer: Preparer
    ruler: Ruler
    last_task: str = ""
    pairing: Pairing = field(default_factory=Pairing)
    """Where the format is of pairs: the attempts whose task is not complete yet."""
    tried: set[str] = field(default_factory=set)
    """Where tasks go in that nobody has solved: those with a judged attempt."""

    def render_portion(self, numbers: Sequence[int]) -> Portion:
        """As much of these attempts as is taken on at once."""
        reader = self._open_reader()
        rendered = RenderedRows(self)
        read = held = 0
        for batch in reader.read_page(numbers):
            rendered.add_attempts(batch.attempts)
            read, held = read + batch.read, held + sum(len(attempt.judged.body) for attempt in batch.attempts)
            if held >= LARGEST:
                numbers = numbers[list(numbers).index(batch.last) + 1 :]
                break
        else:
            numbers = ()
        return self._close_portion(rendered, reader, read, numbers)

    def render_rest(self) -> Iterator[Portion]:
        """After all attempts: pairs of the last task, and tasks that no attempt stood for, where the format wants
        them."""
        if self.part.pairs:
            rendered = RenderedRows(self)
            rendered.add_wanted(self.pairing.finish())
            rendered.left_out.update(self.pairing.left_out)
            yield self._close_portion(rendered, self._open_reader(), 0, ())
        if self.part.unsolved:
            for page in untried_pages(self.ledger, self.tried):
                rendered = RenderedRows(self)
                rendered.add_attempts(page)
                yield self._close_portion(rendered, self._open_reader(), 0, ())

    def _close_portion(self, rendered: RenderedRows, reader: AttemptReader, read: int, rest: Sequence[int]) -> Portion:
        return Portion(
            rows=rendered.rows if self.schema is None else columns.to_record_batch(rendered.rows, self.schema),
            sizes=rendered.sizes,
            lineage=columns.to_record_batch(rendered.lineage, lineage.SCHEMA),
            attempts=rendered.attempts,
            left_out=reader.left_out + rendered.left_out,
            redacted=rendered.redactor.redacted,
            notes=b"".join(reader.notes),
            read=read,
            rest=rest,
        )

    def _open_reader(self) -> AttemptReader:
        """Reads what the request asks for: a selection is a choice among accepted attempts, rewards are for all, and a
        task stands for itself whoever solved it."""
        judged = self.request.judged
        unsolved = judged or self.part.unsolved or self.part.pairs
        return AttemptReader(
            self.ledger,
            self.identify,
            self.layers,
            choosing=self.choosing,
            selected=self.choosing and not self.request.everything and not unsolved,
            accepted=not unsolved,
            authored=self.request.authored or self.part.per == "task",
            scoring=judged and self.part.per == "task",
        )


@dataclass
class RenderedRows:
    """The rows of one portion while they are gathered."""

    renderer: Renderer
    rows: list[Any] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    lineage: list[lineage.LineageLine] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    attempts: list[RenderedAttempt] = field(default_factory=list)
    redactor: Redactor = field(default_factory=Redactor)

    def add_attempts(self, attempts: list[ReadAttempt]) -> None:
        """A handful: its rows, or a count of why they are left out."""
        if self.renderer.part.unsolved:
            self.renderer.tried.update(attempt.judged.task_id for attempt in attempts)
        kept = [attempt for attempt in attempts if self.renderer.wanted(attempt.judged)]
        self.left_out.update({"filtered": len(attempts) - len(kept)} if len(kept) < len(attempts) else {})
        self.add_wanted(self.renderer.pairing.add(kept) if self.renderer.part.pairs else kept)

    def add_wanted(self, attempts: Iterable[ReadAttempt]) -> None:
        """Attempts that the filter let through, each with its rival where the format is of pairs."""
        for attempt in attempts:
            judged = self.renderer.preparer.prepare(attempt.judged, attempt.task.body, self.redactor)
            self._add_rows(judged, len(judged.body))

    def _add_rows(self, judged: Judged, size: int) -> None:
        try:
            rows = self._render_rows(judged)
        except Rejected as refused:
            self.left_out[refused.reason] += 1
            return
        self.rows.extend(rows)
        self.sizes.extend([size + _picture_bytes(row) for row in rows])
        self._note(judged, rows)
        if judged.rival is not None:
            self._note(judged.rival, [])

    def _note(self, judged: Judged, rows: list[Any]) -> None:
        """Keep what is known of an attempt beside its rows."""
        self.lineage.extend(lineage.lineage_lines(judged))
        origin = judged.task.provenance.origin or judged.task_id
        entry = describe_entry(judged, self._count_rows(rows))
        self.attempts.append(RenderedAttempt(self._hash_content(judged), origin, len(rows), entry))

    def _count_rows(self, rows: list[Any]) -> int:
        """How many rows there are: files beside rows are none, and a folder of files is one."""
        if self.renderer.part.shape == "folder":
            return int(bool(rows))
        return sum(not isinstance(row, File) for row in rows)

    def _render_rows(self, judged: Judged) -> list[Any]:
        """The rows of one attempt; none where its task has been told of already and a task is told of once."""
        renderer = self.renderer
        if renderer.part.per == "task":
            rows = [] if judged.task_id == renderer.last_task else [_check_path(row) for row in renderer.rows(judged)]
            renderer.last_task = judged.task_id
            return rows
        characters, tokens = renderer.ruler.measure(judged.light)
        if renderer.schema is None:
            return [_check_path(row) for row in renderer.rows(judged)]
        columns = attempt_columns(judged, characters, tokens, renderer.preparer.read_patch(judged, self.redactor))
        return [{**columns, "sample": number, **row} for number, row in enumerate(renderer.rows(judged))]

    def _hash_content(self, judged: Judged) -> bytes:
        """What tells two attempts at a task apart: what was said and done, whoever did it."""
        light = judged.light
        said = msgspec.json.encode((judged.task_id, light.system, light.prompt, light.images, light.steps))
        return hashlib.blake2b(said, digest_size=16).digest()


def make_renderer(
    ledger: Ledger, blobs: Blobs, request: Request, identify: Identify, layers: Weights = EVEN
) -> Renderer:
    """What renders for a request; all that can be wrong with the request is told here."""
    part = parts.find("exporter", request.format)
    if request.judged and not part.rewards:
        names = ", ".join(part.name for part in parts.every("exporter") if part.rewards)
        raise SettingsError(f"--judged: the format '{part.name}' has no place for rewards", f"these have: {names}")
    if request.one_call_per_turn and (part.shape != "parquet" or part.per == "task"):
        raise SettingsError(f"--one-call-per-turn: the format '{part.name}' has no turns that a chat template renders")
    if request.splits and part.shape == "folder":
        raise SettingsError(f"--split: the format '{part.name}' is a folder of files, not rows")
    return Renderer(
        ledger=ledger,
        request=request,
        part=part,
        rows=_bind_services(part, blobs),
        wanted=filters.parse_filter(request.where),
        identify=identify,
        layers=layers,
        choosing=next(list_items(ledger, NOUN), None) is not None,
        schema=schema_of_part(part) if part.shape == "parquet" else None,
        preparer=Preparer(request, blobs),
        ruler=open_ruler(request.longest, request.tokenizer),
    )


def _bind_services(part: Part, blobs: Blobs) -> Callable[[Judged], Iterator[Any]]:
    """The exporter with the services it needs."""
    services = {"blobs": blobs}
    for need in part.needs:
        if need not in services:
            raise EngineMissing(f"exporter '{part.name}' needs the service '{need}', which is not open")
    return partial(part.make, **{need: services[need] for need in part.needs})


def _picture_bytes(row: Any) -> int:
    """How many bytes of pictures a row carries: they say how large a shard gets."""
    return sum(len(picture["bytes"]) for picture in row.get("images", ())) if isinstance(row, dict) else 0


def _check_path(row: Any) -> Any:
    """A file must stay below its folder: a task may have been mined from anything."""
    if isinstance(row, File):
        check_relative_path(row.path)
    return row
