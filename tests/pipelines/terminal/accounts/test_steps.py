"""A script is told step by step, and whatever of it has no words here is said to be untold."""

from __future__ import annotations

import pytest

from pipelines.terminal.accounts.steps import tell_script


@pytest.mark.parametrize(
    ("script", "steps"),
    [
        ("sed -i '$d' a.txt", ["Left out is the last line. The file itself is changed."]),
        ("sed -n '/x/p' a", ["Given is every line that matches `x`. Nothing else is given."]),
        (
            "awk '{print $(NF-1),\"\\t\",$NF}' a",
            [
                "The fields of a line are parted by blanks. Of each line is given: the field that has `1` behind it, "
                "a blank, a tab, a blank, the last field."
            ],
        ),
        (
            "find . -type f -printf '%s %p\\n' | sort -n | tail -1",
            [
                "It looks in the whole folder. It concerns files. What lies in folders within the folder counts too. "
                "Of each that it finds is given: its size in bytes, a blank, its path.",
                "Lines are put in the order of their numbers.",
                "Of a text it takes the last `1` line.",
            ],
        ),
        (
            'for f in *.htm; do mv "$f" "${f%.htm}.html"; done',
            [
                "What matches `*.htm` is taken one by one, each as `f`. For each of them: The value of `f` is moved, "
                "or gets another name: (the value of `f` without `.htm` at its end, "
                "then `.html`)."
            ],
        ),
        (
            "cat 1 2 >> 3",
            [
                "Taken are the contents of `1` and `2`, one after the other.",
                "What comes of that is put at the end of `3`.",
            ],
        ),
        ("d=new; mkdir $d/a", ["The folder `new/a` is made."]),
        (
            "rm -f *",
            ["All that lies in the folder itself, but for names that begin with a dot is removed. Folders stay."],
        ),
        (
            "if [ ! -f a ]; then echo none; else echo one; fi",
            ["If the file `a` is not there: Printed is `none`.", "Otherwise: Printed is `one`."],
        ),
        ("tar -xzf a.tgz -C b", ["The archive `a.tgz` is unpacked into the folder `b`."]),
    ],
)
def test_all_of_a_script_is_told_in_order(script: str, steps: list[str]) -> None:
    assert tell_script(script) == (tuple(steps), ())


@pytest.mark.parametrize(
    "script",
    [
        "sed ':a;N;$!ba;s/\\n/ /g' a",
        "awk '{split($2, a, \",\"); print a[1]}' b",
        "grep --line-buffered x a",
        "wget --mirror localhost",
        "false || echo $x",
        "frobnicate a",
        "echo $((1 + 2))",
        "diff a b",
        "ls *",
        "ls | xargs wc -l",
        "ln -s ../a/*.x .",
    ],
)
def test_what_has_no_words_here_is_untold(script: str) -> None:
    assert tell_script(script).untold
