"""The test suite that judges a task, for formats in which a task is a change and its tests."""

from __future__ import annotations

from pydantic import ValidationError

from crucible.domains.code.suite import SuiteParams
from crucible.errors import Rejected
from crucible.model import Task


def suite_params(task: Task) -> SuiteParams:
    """The one suite that judges the task, if that is how it is judged."""
    others = [check.verifier for check in task.checks if check.verifier != "suite"]
    if others or len(task.checks) != 1:
        raise Rejected("not_judged_by_a_suite", ", ".join(others))
    try:
        return SuiteParams.model_validate(task.checks[0].params)
    except ValidationError as wrong:
        raise Rejected("not_judged_by_a_suite", str(wrong)) from wrong
