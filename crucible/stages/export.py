"""Accepted attempts to shards: filtered, redacted, written beside their place and moved there whole."""

from __future__ import annotations

import asyncio
from pathlib import Path

from crucible.errors import NothingToExport
from crucible.judging.judges import identify_by
from crucible.record import Record
from crucible.running.run import Run
from crucible.shards import card, manifest
from crucible.shards.destination import open_destination
from crucible.shards.gathering import Gathering
from crucible.shards.length import name_tokenizer
from crucible.shards.manifest import Counts, Manifest, Request
from crucible.shards.parallel import render_portions
from crucible.shards.ready import copy_ready_files
from crucible.shards.rendering import Renderer, make_renderer
from crucible.store.lookup import numbers_by_id


class Exported(Record):
    """What an export wrote, in short; the manifest says more."""

    out: str
    format: str
    shards: int
    counts: Counts


async def export(run: Run, request: Request, out: Path) -> Exported:
    """Write the shards that were asked for. All that can be wrong with the request is told before anything is read."""
    renderer = make_renderer(run.ledger, run.blobs, request, identify_by(run.settings), run.settings.reward.layers)
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
    if "filtered" in counts.left_out:
        remedy = "--where lets none of them through: see whether it says what you mean"
    elif "authored" in counts.left_out:
        remedy = "only the oracle and scripts have solved these tasks: ask for their attempts with --authored"
    return NothingToExport(f"nothing to export, left out: {why}", remedy, counts.left_out)


async def _write(run: Run, renderer: Renderer, folder: Path) -> Manifest:
    """Write the shards portion by portion, the manifest and the card last."""
    gathering, request = Gathering(folder, renderer), renderer.request
    numbers = numbers_by_id(run.ledger, "trajectory")
    with run.progress(f"export {request.format}", len(numbers)) as advance:
        for portion in render_portions(run.settings, renderer, numbers):
            gathering.add(portion)
            advance(portion.read)
            await asyncio.sleep(0)  # an interrupt is heard here
    shards, table, snapshot = gathering.close()
    account = gathering.account
    written = Manifest(
        request=request.model_copy(update={"tokenizer": name_tokenizer(request.tokenizer)}),
        exporter_version=renderer.part.version,
        ledger_snapshot=snapshot,
        seed=request.seed,
        counts=account.counts(gathering.left_out, gathering.redacted),
        verifiers=account.verifiers(),
        pipelines=account.pipelines(),
        policies=account.policies(),
        decontamination=account.lists(),
        shards=tuple(shards),
        lineage=table,
        ready=copy_ready_files(renderer.part, folder),
    )
    (folder / manifest.NAME).write_text(written.model_dump_json(indent=2) + "\n", "utf-8")
    (folder / card.NAME).write_text(card.render_card(written, renderer.part), "utf-8")
    return written
