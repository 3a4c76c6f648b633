"""Makes siblings of a task's tests, each file by its language."""

from __future__ import annotations

from crucible.domains.code.siblings import Sibling
from crucible.domains.code.suite import SuiteParams
from verifiers.siblings.python_tests import draft_python
from verifiers.siblings.syntax_tests import draft_syntax


def draft_siblings(params: SuiteParams) -> list[Sibling]:
    """Siblings of the tests that must start to pass, among them some with the inputs as they are."""
    return draft_python(params) if params.suite.runner == "pytest" else draft_syntax(params)
