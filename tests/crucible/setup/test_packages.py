"""System packages: only what is missing, installed or named exactly."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from crucible.setup import needs, packages


@pytest.fixture
def _bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with nothing on it."""
    monkeypatch.setattr(needs, "SYSTEM_FOLDERS", ())
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(packages, "is_ubuntu", lambda: False)


@pytest.mark.usefixtures("_bare")
def test_a_bare_machine_gets_everything() -> None:
    wanted = packages.plan_packages(engine_answers=False).install
    assert {"docker.io", "iptables", "debootstrap", "chromium", "git"} <= {*wanted}


@pytest.mark.usefixtures("_bare")
def test_an_engine_that_answers_needs_no_daemon_here() -> None:
    assert "docker.io" not in packages.plan_packages(engine_answers=True).install


@pytest.mark.usefixtures("_bare")
def test_what_is_there_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "git").write_text("")
    (tmp_path / "git").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "git" not in packages.plan_packages(engine_answers=True).install


@pytest.mark.usefixtures("_bare")
def test_on_ubuntu_chromium_is_done_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packages, "is_ubuntu", lambda: True)
    wanted = packages.plan_packages(engine_answers=True)
    assert "chromium" not in wanted.install
    assert any("snap install chromium" in line for line in wanted.by_hand)


def test_who_is_not_root_is_told_exactly_what_to_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    said = packages.install_packages(packages.Plan(install=("git", "poppler-utils")))
    assert said == "not installed, run as root: apt-get install git poppler-utils"
