"""Progress where nobody looks at a terminal: a log line now and then."""

from __future__ import annotations

import logging

import pytest

from crucible.running import run as running
from crucible.running.run import Run


def test_a_long_run_in_a_file_tells_how_far_it_is(
    run: Run, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    with run.progress("toy.draft", 40) as advance:
        advance(12)
        assert not caplog.messages, "a short run tells nothing"
        monkeypatch.setattr(running, "TELL_SECONDS", 0.0)
        advance(1)
    assert caplog.messages == ["toy.draft: 13 of 40"]
