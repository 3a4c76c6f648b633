"""What a folder already has is no effect of a script."""

from __future__ import annotations

from crucible.domains.terminal.scenes import Effect, Entry, Scene, with_parents


def test_folders_that_files_lie_in_are_no_change() -> None:
    scene = Scene(entries={"sub/deep/a.txt": Entry(text="a\n")})
    assert not Effect(code=0, entries=with_parents(scene.entries)).changed_entries(scene)
