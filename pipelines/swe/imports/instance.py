"""A row as an instance of SWE-bench: its fields, checked. What cannot be one is rejected with what is wrong."""

from __future__ import annotations

import json
import re
from typing import Annotated, Any

from pydantic import BeforeValidator, ConfigDict, Field, ValidationError

from crucible.errors import Rejected
from crucible.record import Record


def _parse_tests(value: Any) -> Any:
    """A list of tests, which is published as a list, or as JSON in a string."""
    if isinstance(value, str):
        value = json.loads(value) if value.strip() else []
    return value or ()


Tests = Annotated[tuple[str, ...], BeforeValidator(_parse_tests)]
Text = Annotated[str, BeforeValidator(lambda value: "" if value is None else value)]
TRAILING_NUMBER = re.compile(r"(\d{1,9})$")
# matches the end of: django__django-11099


class CrucibleColumn(Record):
    """The column `crucible` of a row that we exported: what SWE-bench has no column for."""

    kind: str = ""
    instruction: str = ""
    licence: str = ""
    author: str = ""
    url: str = ""


class Instance(Record):
    """The columns that are read; others are let be."""

    model_config = ConfigDict(frozen=True, extra="ignore", populate_by_name=True)

    repo: Annotated[str, Field(pattern=r"^[\w.@][\w.@-]*(/[\w.@][\w.@-]*)?$")]  # matches: django/django  shelf
    instance_id: Annotated[str, Field(min_length=1, max_length=200)]
    base_commit: Annotated[str, Field(pattern=r"^[0-9a-f]{7,64}$")]  # matches: d26b2424437dabeeca94d7900b37d2df4410da0c
    patch: Annotated[str, Field(min_length=1)]
    test_patch: Text = ""
    problem_statement: Annotated[str, Field(min_length=1)]
    hints_text: Text = ""
    created_at: Text = ""
    version: Text = ""
    environment_setup_commit: Text = ""
    fail_to_pass: Tests = Field(default=(), alias="FAIL_TO_PASS")
    pass_to_pass: Tests = Field(default=(), alias="PASS_TO_PASS")
    image: Text = ""
    eval_script: Text = ""
    log_parser: Text = ""
    eval_type: Text = ""
    split: Text = ""
    crucible: Text = ""

    @property
    def number(self) -> int:
        """The number of the pull request, with which instance ids end; 0 where this one does not."""
        match = TRAILING_NUMBER.search(self.instance_id)
        return int(match[1]) if match else 0

    @property
    def exported(self) -> CrucibleColumn:
        """What we wrote into the column `crucible` when we exported the row; empty when somebody else wrote the row."""
        try:
            return CrucibleColumn.model_validate_json(self.crucible)
        except ValidationError:
            return CrucibleColumn()


def parse_instance(text: str) -> Instance:
    """The instance that a row's JSON holds. Rejected when it is none."""
    try:
        return Instance.model_validate(json.loads(text))
    except ValidationError as wrong:
        first = wrong.errors()[0]
        raise Rejected("malformed_row", f"{'.'.join(map(str, first['loc']))}: {first['msg']}"[:300]) from wrong
    except (ValueError, RecursionError) as broken:
        raise Rejected("malformed_row", f"no JSON: {broken}"[:300]) from broken
