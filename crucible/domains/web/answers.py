"""Answers of an application's HTTP interface: what they hold, and what a workflow keeps of them."""

from __future__ import annotations

from crucible.domains.web.rubric import Step
from crucible.record import Json

SHOWN_CHARS = 200


def find_mismatch(step: Step, answer: Json) -> str:
    """Why an answer (`status`, `body`) is not what the step expects; empty where it is."""
    status, body = _status(answer), _body(answer)
    if status not in step.status if step.status else not 0 < status < 400:
        wanted = " or ".join(map(str, step.status)) or "below 400"
        return f"the status is {status} instead of {wanted}: {str(body)[:SHOWN_CHARS]}"
    if step.answer is None or holds(body, step.answer):
        return ""
    return f"it does not hold {str(step.answer)[:SHOWN_CHARS]}: {str(body)[:SHOWN_CHARS]}"


def holds(value: Json, wanted: Json) -> bool:
    """Whether a value holds all that is wanted: objects may have more fields, lists more items in any order. A number
    may be written as text."""
    if isinstance(wanted, dict):
        return isinstance(value, dict) and all(name in value and holds(value[name], wanted[name]) for name in wanted)
    if isinstance(wanted, list):
        return isinstance(value, list) and all(any(holds(item, each) for item in value) for each in wanted)
    if isinstance(wanted, bool) or isinstance(value, bool) or wanted is None:
        return value is wanted
    if isinstance(value, dict | list):
        return False
    return value == wanted or _number(value) == _number(wanted) is not None


def keep_values(step: Step, answer: Json, values: dict[str, str]) -> str:
    """Put what the step keeps of an answer among the values; returns why that cannot be, or nothing."""
    for name, path in step.keep.items():
        found = _follow(_body(answer), path)
        if found is None or isinstance(found, dict | list):
            return f"the answer has no {path} to go on with: {str(_body(answer))[:SHOWN_CHARS]}"
        values[name] = str(found)
    return ""


def _follow(body: Json, path: str) -> Json:
    for part in path.split("."):
        if isinstance(body, dict):
            body = body.get(part)
        elif isinstance(body, list) and part.isdigit() and int(part) < len(body):
            body = body[int(part)]
        else:
            return None
    return body


def _status(answer: Json) -> int:
    status = answer.get("status") if isinstance(answer, dict) else None
    return status if isinstance(status, int) else 0


def _body(answer: Json) -> Json:
    return answer.get("body") if isinstance(answer, dict) else None


def _number(value: Json) -> float | None:
    try:
        return float(value) if isinstance(value, int | float | str) else None
    except ValueError:
        return None
