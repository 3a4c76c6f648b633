"""What an `if` asks for holds in some folders and not in others."""

from __future__ import annotations

from crucible.domains.terminal.scenes import Entry, Scene
from pipelines.terminal.scenes.conditions import has_condition, turn_condition


def test_a_question_whether_a_value_has_a_text_is_tried_with_and_without_it() -> None:
    script = 'if [[ $a == *"My long"* ]]; then echo yes; fi'
    texts = [
        scene.entries["a.txt"].text for scene in turn_condition(Scene(entries={"a.txt": Entry(text="x\n")}), script)
    ]
    assert has_condition(script)
    assert any("My long" in text for text in texts)
    assert len([text for text in texts if "My long" not in text]) > 1


def test_a_file_that_is_asked_for_is_there_in_one_folder_and_not_in_another() -> None:
    scenes = turn_condition(Scene(entries={"other.txt": Entry(text="x\n")}), "if [ ! -f a.txt ]; then echo none; fi")
    assert {"a.txt" in scene.entries for scene in scenes} == {True, False}
