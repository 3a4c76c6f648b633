"""Settings: file, then environment, then flags; where each came from; and one line for whatever is wrong."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from crucible import settings as spine
from crucible.errors import SettingsError
from crucible.running.settings_layers import describe_setting, format_value, list_values, load_settings
from crucible.settings import DomainSettings, DomainStops, Settings


@pytest.fixture(autouse=True)
def _bare(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.upper().startswith("CRUCIBLE_")]:
        monkeypatch.delenv(name)


def test_without_anything_it_is_the_defaults() -> None:
    loaded = load_settings()
    assert loaded.settings == Settings()
    assert {loaded.origin(key) for key, _ in list_values(loaded.settings)} == {"default"}


def test_flags_win_over_the_environment_which_wins_over_the_file(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "crucible.toml").write_text("[limits]\nboxes = 3\nbuilds = 3\nretries = 3\n")
    monkeypatch.setenv("CRUCIBLE_LIMITS__BUILDS", "4")
    monkeypatch.setenv("CRUCIBLE_LIMITS__RETRIES", "4")
    loaded = load_settings(overrides={"limits.retries": "5"})
    limits = loaded.settings.limits
    assert (limits.boxes, limits.builds, limits.retries) == (3, 4, 5)
    assert [loaded.origin(f"limits.{key}") for key in ("boxes", "builds", "retries", "lease_seconds")] == [
        "crucible.toml",
        "environment CRUCIBLE_LIMITS__BUILDS",
        "flag --set limits.retries",
        "default",
    ]


def test_the_stores_lie_below_home_unless_told_otherwise() -> None:
    settings = load_settings(overrides={"home": "elsewhere"}).settings
    assert settings.ledger == "sqlite:///elsewhere/ledger.sqlite"
    assert settings.blobs == "elsewhere/blobs"
    assert load_settings(overrides={"home": "elsewhere", "blobs": "s3://bucket"}).settings.blobs == "s3://bucket"


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("limits = [", ["crucible.toml", "not valid TOML"]),
        ("[limits]\nboxs = 1", ["crucible.toml", "limits.boxs", "did you mean 'boxes'?"]),
        ("[limit]\nboxes = 1", ["crucible.toml", "'limit'", "did you mean 'limits'?"]),
        ("[limits]\nboxes = 'many'", ["crucible.toml", "limits.boxes", "integer"]),
        ("[limits]\nboxes = 0", ["crucible.toml", "limits.boxes", "greater than or equal to 1"]),
        ("limits = 4", ["crucible.toml", "'limits' is a section", "boxes"]),
        ("[soundness]\nprobes = 'perhaps'", ["crucible.toml", "soundness.probes", "boolean"]),
        ("[domains.web.stops]\nstep = 1", ["crucible.toml", "domains.web.stops.step", "did you mean 'steps'?"]),
        ("home = 4", ["crucible.toml", "home", "path"]),
        ("[home]\nx = 1", ["crucible.toml", "home"]),
    ],
)
def test_a_malformed_file_is_one_line_that_says_where_and_what(here: Path, text: str, parts: list[str]) -> None:
    (here / "crucible.toml").write_text(text)
    with pytest.raises(SettingsError) as told:
        load_settings()
    line = told.value.line()
    assert "\n" not in line
    assert [part for part in parts if part not in line] == [], line


def test_a_file_that_is_no_text_is_told(here: Path) -> None:
    (here / "crucible.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SettingsError, match="not valid TOML"):
        load_settings()


def test_a_settings_file_named_but_absent_is_told() -> None:
    with pytest.raises(SettingsError, match=r"nowhere\.toml"):
        load_settings(Path("nowhere.toml"))


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("CRUCIBLE_LIMITS__BOXES", "many", "integer"),
        ("CRUCIBLE_LIMITS__BOXS", "1", "did you mean 'boxes'"),
        ("CRUCIBLE_LIMIT__BOXES", "1", "did you mean 'limits'"),
        ("CRUCIBLE_LIMITS", "{", "JSON"),
    ],
)
def test_a_wrong_variable_is_named(name: str, value: str, says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as told:
        load_settings()
    assert says in told.value.line()
    assert name in told.value.line()


def test_a_wrong_flag_is_named() -> None:
    with pytest.raises(SettingsError, match=r"flag --set limits\.boxes"):
        load_settings(overrides={"limits.boxes": "many"})


def test_a_domain_has_its_own_scaffold_tools_and_stops(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "crucible.toml").write_text(
        "[stops]\nsteps = 7\nseconds = 30\n[domains.web]\ntools = ['view', 'lines']\n[domains.web.stops]\nsteps = 90\n"
    )
    monkeypatch.setenv("CRUCIBLE_DOMAINS__WEB__SCAFFOLD", "text")
    loaded = load_settings(overrides={"domains.office.stops.seconds": "600"})
    settings = loaded.settings
    assert (settings.domain("web").scaffold, settings.domain("web").tools) == ("text", ("view", "lines"))
    assert (settings.domain_stops("web").steps, settings.domain_stops("web").seconds) == (90, 30)
    assert (settings.domain_stops("office").steps, settings.domain_stops("office").seconds) == (7, 600)
    assert settings.domain_stops("swe") == settings.stops
    assert dict(list_values(settings))["domains.web.scaffold"] == "text"
    assert loaded.origin("domains.web.stops.steps").endswith("crucible.toml")


def test_a_variable_may_list_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRUCIBLE_NIGHTLY__TEACHERS", "oracle, nop")
    monkeypatch.setenv("CRUCIBLE_DOMAINS__WEB__TOOLS", "view,lines")
    settings = load_settings().settings
    assert settings.nightly.teachers == ("oracle", "nop")
    assert settings.domain("web").tools == ("view", "lines")


@pytest.mark.parametrize("written", ["html, pdf", '["html", "pdf"]'])
def test_a_flag_may_list_words(written: str) -> None:
    loaded = load_settings(
        overrides={"cowork.forms": written, "sources.protocols": "https", "domains.web.tools": "view"}
    )
    values = dict(list_values(loaded.settings))
    assert values["cowork.forms"] == ("html", "pdf")
    assert values["sources.protocols"] == ("https",)
    assert values["domains.web.tools"] == ("view",)


def test_every_setting_that_is_a_list_can_be_set_by_a_flag() -> None:
    lists = {key: value for key, value in list_values(Settings()) if isinstance(value, tuple)}
    for key, value in lists.items():
        words = ",".join(str(word) for word in value)
        assert dict(list_values(load_settings(overrides={key: words}).settings))[key] == value
    assert "cowork.forms" in lists


def test_a_wrong_word_of_a_list_is_told() -> None:
    with pytest.raises(SettingsError, match=r"flag --set cowork\.forms"):
        load_settings(overrides={"cowork.forms": "html,docx"})


def test_what_a_pipeline_asks_for_its_domain_yields_to_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spine, "_domains", {})
    spine.register_domain("web", DomainSettings(scaffold="bash", tools=("view",), stops=DomainStops(steps=3)))
    assert load_settings().settings.domain("web").scaffold == "bash"
    settings = load_settings(overrides={"domains.web.scaffold": "text", "domains.web.stops.tokens": "9"}).settings
    assert (settings.domain("web").scaffold, settings.domain("web").tools) == ("text", ("view",))
    assert (settings.domain_stops("web").steps, settings.domain_stops("web").tokens) == (3, 9)


def test_secrets_are_stars(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRUCIBLE_TEACHER__API_KEY", "hush")
    monkeypatch.setenv("CRUCIBLE_LEDGER", "postgresql://me:hush@host/db")
    told = [format_value(key, value) for key, value in list_values(load_settings().settings)]
    assert "hush" not in " ".join(told)
    assert "****" in told
    assert "postgresql://me:****@host/db" in told


def test_a_wrong_secret_is_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRUCIBLE_TEACHER__API_KEY__DEEPER", "hush")
    with pytest.raises(SettingsError) as told:
        load_settings()
    assert "hush" not in told.value.line()


def test_every_setting_says_what_it_means() -> None:
    settings = load_settings().settings
    assert [key for key, _ in list_values(settings) if not describe_setting(settings, key)] == []
