"""A program with a window, used by keys: what it prints, what its window is called, and what the display shows."""

from __future__ import annotations

import pytest

from crucible.domains.web import window_use
from crucible.domains.web.rubric import Rubric
from crucible.model import Criterion
from crucible.sandbox import World
from crucible.store.blobs import Blobs
from tests.crucible.domains.web.deployments import open_application

PROGRAM = """import tkinter
root = tkinter.Tk()
root.geometry("600x400")
shown = tkinter.Label(root, text="0", font=("", 90))
shown.pack()
field = tkinter.Entry(root)
field.pack()
field.focus_set()
def note(event):
    print("noted", field.get(), flush=True)
    root.title(f"Notes: {field.get()}")
    shown["text"] = field.get()[:3]
    field.delete(0, "end")
root.bind("<Return>", note)
root.mainloop()
"""
TYPED = [{"do": "fill", "value": "{word}"}, {"do": "press", "value": "Enter"}]
RUBRIC = Rubric.model_validate(
    {
        "surface": "window",
        "workflows": [
            {
                "name": "a note is printed, and shown",
                "values": {"word": "word"},
                "steps": [*TYPED, {"expect": "text", "text": "noted {word}"}, {"expect": "picture"}],
            },
            {
                "name": "a note is still there after a restart",
                "values": {"word": "word"},
                "steps": [*TYPED, {"do": "reload"}, {"expect": "text", "text": "{word}"}],
            },
            {"name": "an arrow turns the page", "steps": [{"do": "press", "value": "ArrowUp"}, {"expect": "picture"}]},
        ],
    }
)


@pytest.mark.slow
async def test_what_a_program_does_with_keys_is_told_from_what_it_does_not(
    world: World, blobs: Blobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(window_use, "PATIENCE_SECONDS", 2.0)
    found: list[Criterion] = []
    async with open_application(world, {"notes.py": PROGRAM}, "window") as applications:
        async for criterion in window_use.judge_window(applications, RUBRIC, "seed", blobs):
            found.append(criterion)
    assert [criterion.passed for criterion in found] == [True, False, False], found
    assert "step 4, expect text" in found[1].evidence
    assert found[2].evidence == "step 2, expect picture: the display shows what it showed before"
    assert blobs.get(next(iter(found[0].attachments.values()))).startswith(b"\x89PNG")
