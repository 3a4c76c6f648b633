"""Every value that a reference uses is said in words that do not name the command."""

from __future__ import annotations

import pytest

from pipelines.terminal.commands.values import describe_values


@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        ("sed 's/abc/XYZ/g' a", "What matches the pattern `abc` becomes `XYZ`, wherever it stands."),
        ("sed 's/abc//' a", "What matches the pattern `abc` is removed, but only the first match in a line."),
        ("sed -n 2,5p a", "It concerns line `2` to `5` (`$`: the last)."),
        ("cut -d_ -f2 a", "The fields of a line are parted by `_`."),
        ("tail -n +2 a", "Of `a` it takes all from line `2` on."),
        ("head -n -1 a", "Of `a` it takes all but the last `1` line."),
        ("head -3 a", "Of `a` it takes the first `3` lines."),
        ("find . -name '*.js' -not -path './lib/*'", "Paths that match `./lib/*` are left out."),
        ("find . -path ./misc -prune -o -print", "Paths that match `./misc` are left out."),
        ("find . -type d", "It concerns folders."),
        ("find . -not -name '*.c'", "Folders are given as files are, and so is the folder that is looked in."),
        ("find . -exec echo {} \\; -exec grep fig {} \\;", "It looks for the pattern `fig`."),
        ("awk '{sum += $3} END {print sum / NR}' a", "The values of field `3` are added up."),
        ("sed '8i new' a", "It concerns line `8` (`$`: the last)."),
        ("grep -r needle .", "Before each line stands the path of its file and a colon."),
        ("awk -F: 'NR == 4 {print \"user \" $1}' a", "The text `user ` is part of the result."),
        ("awk '{gsub(/a/, \"b\"); print}' a", "What matches the pattern `a` becomes `b`."),
        ('echo "Text: $line"', "The text `Text:` is part of the result."),
        ("printf '%05d\\n' 7", "Values are written in the form `%05d`."),
        ("tr '[:upper:]' '[:lower:]'", "Characters become others: capital letters become small letters."),
        ('[[ $a == *"My long"* ]] && echo yes', "It is asked whether a value has `My long` in it."),
        ("[ ! -f foo.txt ] && echo none", "It is asked whether there is a file `foo.txt`."),
        ("IFS=', ' read -ra parts", "A text is parted at each of these characters: `,`, a blank."),
        ('echo "${path##*/}"', "The longest part at the beginning that matches `*/` is left out."),
        ("stat -c %s a", "It tells the size in bytes."),
        ("paste -sd, a", "What is joined is parted by `,`."),
        ("ls | paste -sd ',' -", "What is joined is parted by `,`."),
        ("rm *.xvg", "Names that match `*.xvg` are meant."),
        ("rev a | cut -d. -f1 | rev", "Fields that it takes of each line, counted from its end: `1`."),
        ('echo "Files: `ls | wc -l`"', "The text `Files:` is part of the result."),
        ("awk -v n=3 -F , '{print $2 \"end\"}' a", "The text `end` is part of the result."),
        ('awk \'{print gensub(/a(.)/, "b\\\\1", "g")}\' a', "What matches the pattern `a(.)` becomes `b\\\\1`."),
        ("s='do'\ngrep \"$s\" a", "The value of `s` is `do`."),
        ("awk 'NF<3' a", "Only lines with less than `3` fields count."),
        ("awk 'NR%2==0' a", "Of every `2` lines one counts, line `2` for a start."),
        ("awk -F, 'BEGIN {OFS=\",\"} $3 >= 40 {print $1}' a", "Only lines whose field `3` is at least `40` count."),
        ("ls | wc -l", "Folders are listed as files are; names that begin with a dot are not."),
        ("git commit -m 'New page'", "The message is `New page`."),
        ("git commit -am 'New page'", "The message is `New page`."),
        ("sort -t, -k4,4nr a", "What decides the order begins at field `4`, numbers in their order, the reverse."),
        (
            "sed 's/a/b/3g' f",
            "What matches the pattern `a` becomes `b`, but only match number 3 in a line and those behind it.",
        ),
        ("sed -n '0~3p' a", "Of every `3` lines one counts, line `3` for a start."),
        ("cut -f2- a", "Fields that it takes of each line: `2` to the last."),
        ("cut -f2 a", "The fields of a line are parted by a tab."),
        ("cut -d, --complement -f2 a", "Fields that it leaves out of each line: `2`."),
        ("tr -dc '[:alnum:][:space:]'", "All characters but these are removed: letters and digits, white space."),
        ("awk -F '' '{print $3}' a", "Every character of a line is a field."),
        ("sed '/^#/d' a", "Lines that match the pattern `^#` are left out."),
        (
            "sed -n '/a/,/b/p' f",
            "Parts begin with a line that matches `a` and end with the next that matches `b`; both belong to them.",
        ),
        ("sed '/a/s/b/c/' f", "Only in lines that match the pattern `a` is something replaced."),
        ("sed '/a/c new' f", "Lines that match the pattern `a` are replaced as a whole."),
        ("curl localhost:9200/_aliases", "It asks for `/_aliases`."),
        ("grep -o word * | wc -l", "It concerns what lies in the folder itself, not in folders within it."),
        ("tr --delete x < a", "These characters are removed: `x`."),
        ("awk '$2 !~ /x/' a", "Only lines whose field `2` does not match the pattern `x` count."),
        ("grep -f words.txt a", "What is sought are the lines of `words.txt`."),
    ],
)
def test_a_value_is_said_in_words(script: str, sentence: str) -> None:
    assert sentence in [fact.sentence for fact in describe_values(script)]


@pytest.mark.parametrize("script", ["find . -exec grep chrome {} \\;", "grep -B 3 -A 2 foo a", "grep -f sought a"])
def test_a_search_in_one_file_names_no_files(script: str) -> None:
    sentences = [fact.sentence for fact in describe_values(script)]
    assert "Before each line stands the path of its file and a colon." not in sentences


@pytest.mark.parametrize(
    "script",
    ["tar -xzf backup.tar.gz", "git branch -m topic", "find -L . -empty -delete", "ls -r", "grep -x needle notes.txt"],
)
def test_an_option_that_means_something_else_elsewhere_is_not_misread(script: str) -> None:
    said = " ".join(fact.sentence for fact in describe_values(script))
    assert not any(wrong in said for wrong in ("left out", "The message", "deeper", "within folders"))


@pytest.mark.parametrize("script", ["grep -f sought a", 'grep -w "$pattern" a', "perl -ne 'print \"$1\\n\" if /x/' a"])
def test_what_is_read_or_worked_out_is_no_value(script: str) -> None:
    said = " ".join(fact.sentence for fact in describe_values(script))
    assert not any(word in said for word in ("looks for", "pattern", "is part of"))


def test_a_comment_has_no_values() -> None:
    assert describe_values("# grep secret\npwd") == []


@pytest.mark.parametrize(
    "script", ["diff -r a b | grep Only | awk '{print $4}'", "nl a | sort -k2 | sort -n | cut -f2"]
)
def test_nothing_is_said_of_lines_that_nobody_sees(script: str) -> None:
    sentences = " ".join(fact.sentence for fact in describe_values(script))
    assert "field" not in sentences
    assert "pattern" not in sentences


def test_how_often_is_no_text() -> None:
    facts = describe_values('awk \'{print gensub(/a/, "b", "g")}\' a')
    assert not any("`g`" in fact.sentence for fact in facts)


def test_a_device_is_no_pattern() -> None:
    assert not any("dev" in fact.sentence for fact in describe_values("sed -e '5r /dev/stdin' -e '3,5d' a"))


@pytest.mark.parametrize(
    ("script", "word"),
    [
        ("grep -r x . | wc -l", "Before each line"),
        ("grep x a | wc -l", "given, whole"),
        ("awk -F'\\\\w' '{print NF}' a", "parted"),
        ("sed 'y/ /-/' a", "It matters"),
        ("sed 's/.*/wc -L/e' a", "becomes"),
        ("factor 12 | cut -d' ' -f2", "ields"),
    ],
)
def test_nothing_is_said_that_a_reader_would_take_for_something_else(script: str, word: str) -> None:
    assert word not in " ".join(fact.sentence for fact in describe_values(script))


def test_a_command_that_only_prepares_is_a_step() -> None:
    steps = [fact.sentence for fact in describe_values("tr ',' '\\n' < a | pr -$(wc -l < a)ts,") if fact.is_step]
    assert steps == ["Characters become others: `,` become a line break.", "It counts lines."]


def test_of_a_program_with_several_rules_only_that_a_pattern_matters_can_be_said() -> None:
    assert [fact.is_vague for fact in describe_values("awk '/a/ {on = 1} on' f")] == [True]
