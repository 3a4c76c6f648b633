"""Listings of files become paths."""

from __future__ import annotations

import pytest

from pipelines.terminal.posts.listings import read_tree


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        (
            ".\n├── a.txt\n├── src\n│   ├── main.c\n│   └── b\n│       └── x.h\n└── z.md\n\n2 directories, 4 files",
            ["a.txt", "src/main.c", "src/b/x.h", "z.md"],
        ),
        ("site\n|-- a.txt\n|-- src\n|   |-- main.c\n`-- z.md", ["site/a.txt", "site/src/main.c", "site/z.md"]),
        ("base/\n  one/\n  two*/ (--> ../else)\n    /file1\n    /file2\n  ...", ["base/two/file1", "base/two/file2"]),
    ],
)
def test_a_drawn_tree_is_read(text: str, paths: list[str]) -> None:
    assert read_tree(text) == paths


@pytest.mark.parametrize(
    "text", ["a b c\nd e f", "key: 1\n  other: 2", "def f():\n    return 1/2", "one\n  two\n    three"]
)
def test_other_texts_are_no_trees(text: str) -> None:
    assert read_tree(text) == []
