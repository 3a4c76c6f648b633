"""Settings from `crucible.toml`, then environment variables, then flags, and where each value came from."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, get_args, get_origin

from pydantic import BaseModel, SecretStr, ValidationError, create_model
from pydantic.fields import FieldInfo
from pydantic_settings import EnvSettingsSource

from crucible.errors import SettingsError
from crucible.record import describe_fields
from crucible.settings import PREFIX, Settings, part_sections

FILE = Path("crucible.toml")


@dataclass(frozen=True)
class Loaded:
    """The settings, and the origin of every value that is not a default."""

    settings: Settings
    origins: Mapping[str, str]

    def origin(self, key: str) -> str:
        return self.origins.get(key, "default")


def load_settings(config: Path | None = None, overrides: Mapping[str, str] | None = None) -> Loaded:
    """Read the settings file (`config`, else `crucible.toml` if there), the environment, the flags."""
    merged: dict[str, Any] = {}
    origins: dict[str, str] = {}
    layers = [*_from_file(config), *_from_environment(), *_from_flags(overrides or {})]
    for key, value, origin in layers:
        _set_value(merged, key.split("."), _split_list(key, value))
        origins[key] = origin
    try:
        return Loaded(_with_sections(_every_setting()(**merged)), origins)
    except ValidationError as wrong:
        raise SettingsError(_explain_error(wrong, origins)) from None


@cache
def _every_setting() -> type[Settings]:
    """The settings with the parts' sections as fields, as the outside world writes them."""
    fields: dict[str, Any] = {name: (kind, kind()) for name, kind in part_sections().items()}
    return create_model("EverySetting", __base__=Settings, **fields)


def _with_sections(every: Settings) -> Settings:
    """The same as plain `Settings`, which can be sent to other processes."""
    spine = {name: getattr(every, name) for name in Settings.model_fields if name != "sections"}
    owned = {name: getattr(every, name) for name in part_sections()}
    return Settings(
        **spine, sections={name: owned[name] for name, kind in part_sections().items() if owned[name] != kind()}
    )


def list_values(settings: Settings) -> Iterator[tuple[str, Any]]:
    """Every setting's value with its dotted key, the parts' own sections included."""
    spine = {name: getattr(settings, name) for name in Settings.model_fields if name != "sections"}
    owned = {name: settings.section(kind) for name, kind in part_sections().items()}
    return _list_values({**spine, **owned})


def _list_values(values: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in values.items():
        if isinstance(value, BaseModel):
            yield from _list_values(dict(value), f"{prefix}{name}.")
        elif isinstance(value, dict) and value and all(isinstance(inner, BaseModel) for inner in value.values()):
            yield from _list_values(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def describe_setting(settings: Settings, key: str) -> str:
    """What a setting means, as it is written below it; empty for one whose name says it all."""
    section, _, inner = key.partition(".")
    if not inner:
        return type(settings).model_fields[section].description or ""
    kind = part_sections().get(section) or type(getattr(settings, section))
    return describe_fields(kind).get(inner, "")


Layer = Iterator[tuple[str, Any, str]]
"""Dotted key, value, origin."""


def _from_file(config: Path | None) -> Layer:
    path = config or FILE
    if config is None and not path.exists():
        return
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except OSError as failed:
        raise SettingsError(f"{path}: cannot be read: {failed.strerror}") from failed
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as malformed:
        raise SettingsError(f"{path}: is not valid TOML: {malformed}") from malformed
    for key, value in _flatten(table):
        yield key, value, str(path)


class _Variables(EnvSettingsSource):
    """The environment. A list may be written `one,two`: what is no JSON is left as it is."""

    def decode_complex_value(self, field_name: str, field: FieldInfo, value: Any) -> Any:
        try:
            return super().decode_complex_value(field_name, field, value)
        except ValueError:
            return value


def _from_environment() -> Layer:
    source = _Variables(_every_setting())
    variables = {name.upper(): value for name, value in source.env_vars.items() if name.upper().startswith(PREFIX)}
    names = sorted(variables)
    for name in names:
        _check_variable(name, variables[name] or "")
    for key, value in _flatten(source()):
        exact = PREFIX + key.replace(".", "__").upper()
        section = PREFIX + key.partition(".")[0].upper()
        yield key, value, f"environment {exact if exact in names else section}"


def _check_variable(name: str, value: str) -> None:
    """It must name a setting; a whole section in one variable must be JSON."""
    key, _, inner = name.removeprefix(PREFIX).lower().partition("__")
    field = _every_setting().model_fields.get(key)
    if field is None:
        raise SettingsError(f"environment {name}: unknown setting '{key}'; {_list_choices('', key)}")
    if not inner and isinstance(field.default, BaseModel):
        try:
            json.loads(value)
        except ValueError:
            raise SettingsError(f"environment {name}: expected a JSON object; {_list_choices(key, '')}") from None


def _from_flags(overrides: Mapping[str, str]) -> Layer:
    for key, value in overrides.items():
        yield key, value, f"flag --set {key}"


def _flatten(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in table.items():
        if isinstance(value, dict) and value:
            yield from _flatten(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def _set_value(table: dict[str, Any], path: list[str], value: Any) -> None:
    """Later layers win; a value in the way of a section gives way to it."""
    for name in path[:-1]:
        inner = table.get(name)
        if not isinstance(inner, dict):
            inner = table[name] = {}
        table = inner
    table[path[-1]] = value


def _split_list(key: str, value: Any) -> Any:
    """The value of a setting that is a list, where it was written as words: `one,two` or JSON. Lists of records are
    left to their own validators."""
    kind = _find_kind(key)
    if not isinstance(value, str) or get_origin(kind) not in (tuple, list, frozenset, set):
        return value
    if value.lstrip().startswith("["):
        with suppress(ValueError):
            return json.loads(value)
    if isinstance(get_args(kind)[0], type) and issubclass(get_args(kind)[0], BaseModel):
        return value
    return [word.strip() for word in value.split(",") if word.strip()]


def _find_kind(key: str) -> Any:
    """The type of a setting, or of a section, by its dotted key; None where there is none."""
    kind: Any = _every_setting()
    for name in filter(None, key.split(".")):
        if get_origin(kind) is dict:
            kind = get_args(kind)[1]
        else:
            field = getattr(kind, "model_fields", {}).get(name)
            kind = field.annotation if field else None
    return kind


def _explain_error(wrong: ValidationError, origins: Mapping[str, str]) -> str:
    """The first fault in one line: where it stands, its key, what is expected."""
    fault = wrong.errors(include_url=False, include_input=False)[0]
    key = ".".join(str(part) for part in fault["loc"])
    origin = next(
        (
            origins[setting]
            for setting in origins
            if f"{key}.".startswith(f"{setting}.") or setting.startswith(f"{key}.")
        ),
        "default",
    )
    if fault["type"] == "extra_forbidden":
        section, _, name = key.rpartition(".")
        return f"{origin}: unknown key '{key}'; {_list_choices(section, name)}"
    if fault["type"] in ("model_type", "model_attributes_type"):
        return f"{origin}: '{key}' is a section; {_list_choices(key, '')}"
    expected = fault["msg"].replace("Input should be", "expected")
    return f"{origin}: '{key}': {expected[0].lower()}{expected[1:]}"


def _list_choices(section: str, wrong: str) -> str:
    """What could have been written there, the likeliest first if there is one."""
    model = _find_kind(section) or _every_setting()
    names = [name for name in model.model_fields if name != "sections"]
    near = get_close_matches(wrong, names, n=1)
    hint = f"did you mean '{near[0]}'? " if near else ""
    return f"{hint}{f'{section} has' if section else 'there are'}: {', '.join(names)}"


def format_value(key: str, value: Any) -> str:
    """A value as it may be shown: secrets are stars."""
    secret = isinstance(value, SecretStr) or key.endswith(("key", "token", "password", "secret"))
    if secret:
        return "****" if str(value) else ""
    return _without_password(str(value))


def _without_password(text: str) -> str:
    """Addresses may carry a password: `scheme://user:password@host`."""
    scheme, separator, rest = text.partition("://")
    login, at, host = rest.rpartition("@")
    if not (separator and at and ":" in login):
        return text
    return f"{scheme}://{login.partition(':')[0]}:****@{host}"
