"""The arrows between the nouns: each stage is a plain coroutine over the ledger, called with or without a scheduler."""

from crucible.stages.calibrate import calibrate
from crucible.stages.demo import demo
from crucible.stages.export import export
from crucible.stages.mine import mine
from crucible.stages.night import night
from crucible.stages.prepare import prepare
from crucible.stages.rollout import rollout
from crucible.stages.sample import sample
from crucible.stages.select import select
from crucible.stages.sweep import collect_garbage
from crucible.stages.validate import validate
from crucible.stages.verify import verify

__all__ = [
    "calibrate",
    "collect_garbage",
    "demo",
    "export",
    "mine",
    "night",
    "prepare",
    "rollout",
    "sample",
    "select",
    "validate",
    "verify",
]
