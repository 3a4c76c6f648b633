"""Notes what tests are answered. Its text is laid into test files: the standard library is all it may use."""

import dataclasses as _dataclasses
import enum as _enum
import json as _json
import pathlib as _pathlib
import types as _types

_NOTES = "PLACE"
_MOST_CHARS = 5000
_PLAIN_MODULES = ("datetime", "decimal", "fractions", "pathlib", "uuid")


def _note_answer(test: str, place: int, answer: object) -> None:
    """Append one note: the test, the place in it, the answer as JSON; null for what is no plain data."""
    try:
        said = _json.dumps(_make_plain(answer))[:_MOST_CHARS]
    except Exception:
        said = "null"
    with _pathlib.Path(_NOTES).open("a") as notes:
        notes.write(_json.dumps([test, f"{place} {said}"]) + "\n")


def _make_plain(answer: object) -> object:
    """Plain data with its type. What is equal becomes the same."""
    if answer is None:
        return "None"
    if isinstance(answer, (bool, int, float)):
        return int(answer) if abs(answer) < 1e300 and answer == int(answer) else f"{answer:.9g}"
    if isinstance(answer, (str, bytes)):
        kind = bytes if isinstance(answer, bytes) else str
        return [kind.__name__, kind.__repr__(answer)]
    if isinstance(answer, dict):
        pairs = [[_make_plain(key), _make_plain(value)] for key, value in answer.items()]
        return ["dict", sorted(pairs, key=_json.dumps)]
    if isinstance(answer, (set, frozenset)):
        return ["set", sorted(map(_make_plain, answer), key=_json.dumps)]
    if isinstance(answer, (list, tuple)):
        return ["list" if isinstance(answer, list) else "tuple", [_make_plain(each) for each in answer]]
    if type(answer).__module__ in _PLAIN_MODULES:
        return [type(answer).__name__, str(answer)]
    if isinstance(answer, _enum.Enum):
        return ["enum", answer.name]
    if _dataclasses.is_dataclass(answer) and not isinstance(answer, type):
        names = sorted(field.name for field in _dataclasses.fields(answer) if field.compare)
        return ["fields", [[name, _make_plain(getattr(answer, name))] for name in names]]
    raise TypeError(type(answer))


def _keep_raised(problem: Exception) -> object:
    """What `raises` would have given."""
    return _types.SimpleNamespace(value=problem, exception=problem, type=type(problem), typename=type(problem).__name__)
