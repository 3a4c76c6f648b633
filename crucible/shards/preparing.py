"""An attempt on its way to an exporter: without secrets and dropped sections of prompts, its calls divided if asked."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from crucible.errors import StoreError
from crucible.exporting import Judged, read_light
from crucible.shards.distilling import drop_sections
from crucible.shards.dividing import divide_calls
from crucible.shards.manifest import Request
from crucible.shards.redaction import Redactor, may_hold_secrets
from crucible.store.blobs import Blobs


@dataclass
class Preparer:
    """Prepares attempts; those at one task come one after the other."""

    request: Request
    blobs: Blobs
    _suspects: dict[str, bool] = field(default_factory=dict)
    """Whether the task in hand may hold something that must not leave, by its id."""

    def prepare(self, judged: Judged, task_body: str, redactor: Redactor) -> Judged:
        """The attempt as an exporter may see it, and its rival, if it has one."""
        if judged.rival is not None:
            judged = replace(judged, rival=self.prepare(judged.rival, task_body, redactor))
        if self._task_may_hold_secrets(judged.task_id, task_body):
            judged = replace(judged, task=redactor.redact_record(judged.task, task_body))
        if may_hold_secrets(judged.body):
            body = redactor.redact_json(judged.body)
            judged = replace(judged, body=body, light=read_light(body))
        if self.request.drop_sections:
            judged = drop_sections(judged, self.request.drop_sections, self.request.seed)
        return divide_calls(judged) if self.request.one_call_per_turn else judged

    def read_patch(self, judged: Judged, redactor: Redactor) -> str | None:
        """The diff that the attempt left, without secrets; None where it left none, or it is gone."""
        if "diff" not in judged.light.artifacts:
            return None
        try:
            diff = self.blobs.get(judged.light.artifacts["diff"])
        except StoreError:
            return None
        return redactor.redact_text(diff.decode(errors="replace"))

    def _task_may_hold_secrets(self, task_id: str, body: str) -> bool:
        if task_id not in self._suspects:
            self._suspects = {task_id: may_hold_secrets(body)}
        return self._suspects[task_id]
