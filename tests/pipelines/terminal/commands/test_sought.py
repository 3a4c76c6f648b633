"""The text that commands look for."""

from __future__ import annotations

import pytest

from pipelines.terminal.commands.sought import sought_examples


@pytest.mark.parametrize(
    ("script", "texts"),
    [
        ("grep -rnw 'src' -e 'pattern'", ["pattern"]),
        ("grep -i 'foo\\|bar' f", ["foo", "bar"]),
        ("sed -i 's/old name/new/g' f", ["old name"]),
        ("awk '/start/,/end/' f", ["start", "end"]),
        ("sed 's/ \\+ /\\t/g' f", ["   "]),
        ("sed 's/\\t/ /g' f", ["\t"]),
        ("awk '$3 ~ /snow/ {print}' f", ["ana oak snow", "snow"]),
        ("sed -n 's/abc\\([0-9]*\\)xyz/\\1/p' f", ["abc7xyz"]),
        ("tr '[:upper:]' '[:lower:]' < f", ["Ember QUILL"]),
        ("sort f", []),
    ],
)
def test_the_text_that_commands_look_for_is_known(script: str, texts: list[str]) -> None:
    assert [example.text for example in sought_examples(script)] == texts
