"""Accepted attempts to shards: filtered, redacted, written beside their place and moved there whole."""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter
from pathlib import Path

from crucible.errors import NothingToExport
from crucible.judging.judges import identify_by
from crucible.record import Record
from crucible.running.run import Run
from crucible.shards import card, lineage, manifest
from crucible.shards.destination import open_destination
from crucible.shards.files import Folder, ParquetFile, Shards, Writer, describe_file
from crucible.shards.manifest import Account, Counts, Manifest, Request
from crucible.shards.parallel import render_portions
from crucible.shards.ready import copy_ready_files
from crucible.shards.rendering import Renderer, make_renderer
from crucible.store.lookup import numbers_by_id

LINE = 1000
"""About how many bytes a line of lineage is."""


class Exported(Record):
    """What an export wrote, in short; the manifest says more."""

    out: str
    format: str
    shards: int
    counts: Counts


async def export(run: Run, request: Request, out: Path) -> Exported:
    """Write the shards that were asked for. All that can be wrong with the request is told before anything is read."""
    renderer = make_renderer(run.ledger, run.blobs, request, identify_by(run.settings))
    with open_destination(out) as folder:
        written = await _write(run, renderer, folder)
        if not written.shards or not written.counts.rows:
            raise _explain_nothing(written.counts)
    return Exported(out=str(out), format=request.format, shards=len(written.shards), counts=written.counts)


def _explain_nothing(counts: Counts) -> NothingToExport:
    """Why there is nothing to export, and what to do about it."""
    why = ", ".join(f"{number} {reason}" for reason, number in sorted(counts.left_out.items()))
    if not why:
        return NothingToExport("there is nothing to export yet", "`crucible funnel` shows how far the work is", {})
    remedy = "ask for more with --where, --all, --judged or --authored"
    if counts.left_out.keys() == {"authored"}:
        remedy = "only the oracle and scripts have solved these tasks: ask for their attempts with --authored"
    return NothingToExport(f"nothing to export, left out: {why}", remedy, counts.left_out)


async def _write(run: Run, renderer: Renderer, folder: Path) -> Manifest:
    """Write the shards portion by portion, the manifest and the card last."""
    writer, table = _writer(renderer, folder), ParquetFile(folder / lineage.NAME, lineage.SCHEMA)
    account, snapshot = Account(), hashlib.sha256()
    left_out: Counter[str] = Counter()
    redacted: Counter[str] = Counter()
    numbers = numbers_by_id(run.ledger, "trajectory")
    with run.progress(f"export {renderer.request.format}", len(numbers)) as advance:
        for portion in render_portions(run.settings, renderer, numbers):
            writer.add(portion.rows, portion.sizes)
            table.add(portion.lineage, [LINE] * len(portion.lineage))
            account.add(portion.account)
            left_out.update(portion.left_out)
            redacted.update(portion.redacted)
            snapshot.update(portion.notes)
            advance(portion.read)
            await asyncio.sleep(0)  # an interrupt is heard here
    shards = writer.close()
    table.close()
    table.background.wait()
    written = Manifest(
        request=renderer.request,
        exporter_version=renderer.part.version,
        ledger_snapshot=snapshot.hexdigest(),
        seed=renderer.request.seed,
        counts=account.counts(left_out, redacted),
        verifiers=account.verifiers(),
        pipelines=account.pipelines(),
        policies=account.policies(),
        decontamination=account.lists(),
        shards=tuple(shards),
        lineage=describe_file(folder, folder / lineage.NAME, table.rows),
        ready=copy_ready_files(renderer.part, folder),
    )
    (folder / manifest.NAME).write_text(written.model_dump_json(indent=2) + "\n", "utf-8")
    (folder / card.NAME).write_text(card.render_card(written, renderer.part), "utf-8")
    return written


def _writer(renderer: Renderer, folder: Path) -> Writer:
    return Folder(folder) if renderer.part.shape == "folder" else Shards(folder, renderer.schema)
