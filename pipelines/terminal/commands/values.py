"""The values in commands, said in words: what is sought, what it becomes, which fields, lines, names and modes.

A question seldom says them all, and the examples alone do not tell which of them matter. What has no words here and is
not in the question either is listed by `untold_values`, so that such a draft is dropped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pipelines.terminal.commands.options import given_options, unquote_word
from pipelines.terminal.commands.programs import Literal, read_literals
from pipelines.terminal.commands.reports import unseen_calls
from pipelines.terminal.commands.schedules import describe_added
from pipelines.terminal.commands.shell import Called, find_words, piped_calls, read_script, without_comments
from pipelines.terminal.commands.sought import GREPS, grep_operands, grep_patterns, has_pattern_file, pattern_file

REPLACEMENT = re.compile(r"\$\{!?(\w+)(//?)([^/}]+)/?([^}]*)\}")  # matches: ${text//old/new}
REMOVAL = re.compile(r"\$\{(\w+)(##?|%%?)([^}]+)\}")  # matches: ${path##*/}
SLICE = re.compile(r"\$\{(\w+):\s*(-?\d+)(?::\s*(-?\d+))?\}")  # matches: ${text:0:5}
TEST = re.compile(r"(?:\[\[?|\btest)\s+(.*?)(?:\s\]\]?|;|$)", re.MULTILINE)  # matches: [ "$a" = ok ]
COMPARED = re.compile(r"(?:==?|=~|!=|-(?:eq|ne|lt|gt|le|ge))\s+(\S.*?)(?=\s+(?:&&|\|\||-[ao]\b)|\s*\)|$)")
# matches: the "ok" of $a == "ok"
FILE_TEST = re.compile(
    r"(?:\[\[?|\btest)\s+(?:!\s+)?-([efsdrwx])\s+[\"']?([\w./-]+)[\"']?"
)  # matches: [ ! -f foo.txt ]
SEPARATORS = re.compile(r"\bIFS=(?:'([^'\\]+)'|\"([^\"\\$]+)\"|([^\s'\"$;]))")  # matches: IFS=', '
ASSIGNED = re.compile(
    r"^(?:export |declare )?([A-Za-z_]\w*)=(?:'([^'\n]+)'|\"([^\"$`\n]+)\"|([\w.,:@%+/-]+))(?=\s|;|$)", re.MULTILINE
)
# matches: s='do'
WORKED_OUT = re.compile(r"`[^`]*`|\$\{[^}]*\}|\$\([^)]*\)|\$\w+|\\[nt\"]|%[-+ \d.]*[a-z]")
# matches what a printed text has beside its own words: $name, $(wc -l), `ls`, \n, %s
BACKWARDS = re.compile(r"\brev\b[^;\n]*\|\s*cut\b[^;\n]*\|\s*rev\b")  # matches: rev | cut -d. -f1 | rev
COUNTS_EACH = re.compile(r"(?:\bxargs\b[^|;\n]*\bwc|\bwc\b[^|;\n]*\*|-exec wc\b[^|;\n]*\+)[^|;\n]*$")
# matches: find . | xargs wc -l   wc -l *.txt
EACH_COUNTED = (
    "Each file has a line: its count, a blank and its path; the last line has the sum and the word `total`. Counts are "
    "padded with blanks on their left to the same width."
)
FROM_THE_END = "of each line, counted from its end:"
ASKED_PATH = re.compile(r"(?:localhost|127\.0\.0\.1)(?::\d+)?(/[^\s\"'$]*|$)")
# matches: the /a.txt of localhost:80/a.txt
RECURSIVE = re.compile(r"\s-[A-Za-z]*[rR][A-Za-z]*\b|--recursive")  # matches: grep -r
GIT_GROUPS = ("stash", "remote", "worktree", "submodule", "bisect", "notes")
"""Commands of git whose next word says what to do, and names nothing."""
OPTION_VALUES = {**dict.fromkeys(("awk", "gawk", "mawk"), ("-v", "-F", "-f")), "jq": ("--arg", "--argjson", "--indent")}
"""Options of commands with a program whose value is the next word, which is no program."""
KEY = re.compile(r"(\d+)(?:\.(\d+))?([a-zA-Z]*)(?:,[\d.]+([a-zA-Z]*))?")  # matches: the 1.6,1.8n of sort -k1.6,1.8n
FILTERS = ("sort", "uniq", "head", "tail", "tac")
STEPS = ("tr", "wc", "nl", "paste", "fold", "rev")
"""Commands that often only prepare what another one works on."""
WHOLE = {" ": "a blank", "\t": "a tab", "\\t": "a tab", "$'\\t'": "a tab", "\\n": "a line break", "": "nothing"}
CLASSES = {
    "[:upper:]": "capital letters",
    "[:lower:]": "small letters",
    "[:space:]": "white space",
    "[:blank:]": "blanks and tabs",
    "[:digit:]": "digits",
    "[:alpha:]": "letters",
    "[:alnum:]": "letters and digits",
    "[:punct:]": "punctuation",
    "a-z": "small letters",
    "A-Z": "capital letters",
    "0-9": "digits",
}
"""Sets of characters by what they are called."""


class Fact(NamedTuple):
    """What has to be known of a script beside its goal."""

    values: tuple[str, ...]
    sentence: str
    is_step: bool = False
    """It tells how something is worked out on the way; where the question shows what it has and what it wants, nobody
    need know."""
    is_vague: bool = False
    """It tells that something matters, and not how."""


def describe_values(script: str) -> list[Fact]:
    """The values of a script in words, in order."""
    text = without_comments(script)
    unseen, calls = unseen_calls(text), read_script(text).calls
    passed_on = [
        call for pipe in piped_calls(text) for place, call in enumerate(pipe) if _is_changed(pipe[place + 1 :])
    ]
    facts = [
        fact._replace(is_step=fact.is_step or (call.name in STEPS and (call in passed_on or _is_within(call, text))))
        for call in calls
        if call not in unseen
        for fact in describe_call(call, call in passed_on)
    ]
    if calls and calls[-1].name == "paste" and not any("-d" in option.names for option, _ in given_options(calls[-1])):
        facts.append(Fact((), "What is joined is parted by a tab."))
    if COUNTS_EACH.search(text):
        facts.append(Fact((), EACH_COUNTED))
    if BACKWARDS.search(text):
        facts = [fact._replace(sentence=fact.sentence.replace("of each line:", FROM_THE_END)) for fact in facts]
    facts += [Fact(values, sentence) for values, sentence in describe_added(text)]
    facts += [*_describe_assigned(text), *_describe_expansions(text), *_describe_globs(text)]
    return list({fact.sentence: fact for fact in facts}.values())


def _is_changed(later: Sequence[Called]) -> bool:
    """Whether what a command gives becomes something else behind it, and is not only sorted or filtered."""
    return any(call.name not in FILTERS and call.name not in GREPS for call in later)


def quote_value(value: str) -> str:
    """A value as a reader can tell where it begins and ends."""
    named = WHOLE.get(value) or CLASSES.get(value)
    return named or (f"`{value}`" if "`" not in value else f'"{value}"')


def describe_call(call: Called, is_passed_on: bool) -> Iterator[Fact]:
    """What a command's values are for. What it gives may be passed on to another command, so that nobody sees it."""
    given = list(given_options(call))
    for option, value in given:
        if "-F" in option.names and not (option.commands[0] == "awk" and _uses_fields(call)):
            continue
        said = _describe_ranges(value) if option.is_range else quote_value(value)
        if call.name == "sort" and "-k" in option.names:
            said = _describe_key(value)
        says = _with_separator(option.says, call)
        if option.is_range and "--complement" in call.arguments:
            says = says.replace("that it takes", "that it leaves out")
        if option.takes_value and not value:
            says = "Every character of a line is a field."
        yield Fact((value,) if option.takes_value else (), says.replace("{value}", said))
    if call.name == "cut" and not any({"-d", "-c"} & set(option.names) for option, _ in given):
        yield Fact((), "The fields of a line are parted by a tab.")
    words = [word for word in call.arguments if not word.startswith("-")]
    if call.name in GREPS:
        patterns = [each for each in grep_patterns(call.arguments) if not each.startswith("$")]  # told where it is made
        kind = "text" if call.name == "fgrep" or _has_option(call, "F") else "pattern"
        if len(patterns) > 1:
            yield Fact(tuple(patterns), f"It looks for any of the {kind}s {', '.join(map(quote_value, patterns))}.")
        elif patterns:
            yield Fact((patterns[0],), f"It looks for the {kind} {quote_value(patterns[0])}.")
        if name := pattern_file(call.arguments):
            yield Fact((name,), f"What is sought are the lines of {quote_value(name)}.")
        if not is_passed_on and not any(_has_option(call, letter) for letter in "vocqlL"):
            yield Fact((), "The lines in which what is sought is found are given, whole.")
        if not is_passed_on and _names_files(call):
            yield Fact((), "Before each line stands the path of its file and a colon.")
    elif call.name == "tr" and words:
        yield _describe_tr(call, [word for word in call.arguments if not re.match(r"--?[A-Za-z]", word)])
    elif call.name == "chmod" and words:
        yield Fact((words[0],), f"The mode that it sets, or changes, is `{words[0]}`.")
    elif call.name in ("echo", "printf"):
        yield from _describe_printed(call)
    elif call.name == "seq" and words:
        yield Fact(tuple(words), f"The numbers are given by {' and '.join(map(quote_value, words))}.")
    elif call.name in ("curl", "wget"):
        paths = (match[1] or "/" for word in call.arguments if (match := ASKED_PATH.search(word)))
        yield from (Fact((path,), f"It asks for `{path}`.") for path in dict.fromkeys(paths))
    elif call.name == "git":
        taken = {value for option, value in given if option.takes_value}
        named = [word for word in words[1:] if re.search(r"\w", word) and "$" not in word and word not in taken]
        named = named[1:] if words[0] in GIT_GROUPS else named
        yield from (Fact((word,), f"In git's own terms it concerns {quote_value(word)}.") for word in named)
    elif call.name == "basename" and len(words) > 1:
        yield Fact((words[1],), f"The ending {quote_value(words[1])} is left out of names.")
    elif call.name in ("head", "tail"):
        yield from _describe_ends(call)
    elif call.name == "find":
        yield from _describe_find(call)
    elif call.name == "ls" and not words and not any(_has_option(call, letter) for letter in "aARd"):
        yield Fact((), "Folders are listed as files are; names that begin with a dot are not.")
    else:
        yield from (
            Fact(literal.values, literal.sentence, literal.is_vague, literal.is_vague)
            for literal in _program_literals(call)
        )


def _with_separator(says: str, call: Called) -> str:
    """What is said of lines around a match, with what grep is told to put between groups of them."""
    told = [word.partition("=")[2] for word in call.arguments if word.startswith("--group-separator")]
    if "--no-group-separator" in call.arguments:
        return re.sub(r"; between groups.*", ".", says)
    return says.replace("`--`", quote_value(unquote_word(told[0]))) if told else says


def _describe_key(value: str) -> str:
    """Where a key of a sort begins, and in which order it counts."""
    match = KEY.fullmatch(value)
    if match is None:
        return quote_value(value)
    field, character, *flags = match.groups("")
    words = [f"`{field}`", f"at its character `{character}`" if character else ""]
    words += ["numbers in their order" if "n" in "".join(flags) else "", "the reverse" if "r" in "".join(flags) else ""]
    return ", ".join(filter(None, words))


def _describe_ranges(value: str) -> str:
    """A list of numbers and ranges in words: of `1,3-` it is `1`, `3` to the last."""
    ranges = [part.split("-") for part in value.split(",")]
    return ", ".join(
        f"`{first or 1}` to {f'`{last[0]}`' if last[0] else 'the last'}" if last else f"`{first}`"
        for first, *last in ranges
    )


def _names_files(call: Called) -> bool:
    """Whether grep says in which file each line is."""
    words = grep_operands(call.arguments)
    has_pattern = "-e" in call.arguments or has_pattern_file(call.arguments)
    files = [word for word in words[0 if has_pattern else 1 :] if word not in ("\\;", ";", "+")]
    is_many = _has_option(call, "[rRH]") or len(files) > 1 or any("*" in file for file in files) or "+" in words
    return is_many and not any(_has_option(call, letter) for letter in "hlLq")


def _describe_ends(call: Called) -> Iterator[Fact]:
    """Which end of a text is taken, and how much of it."""
    size = re.search(r"(?:^|\s)(?:-n|-c|--lines=?|--bytes=?|-)\s*([+-]?\d+)", " ".join(call.arguments))
    number = size[1] if size else "10"
    unit = "bytes" if re.search(r"(?:^|\s)(?:-c|--bytes)", " ".join(call.arguments)) else "lines"
    many = number.lstrip("+-")
    unit = unit.removesuffix("s") if many == "1" else unit
    if call.name == "tail" and number.startswith("+"):
        said = f"all from {unit.removesuffix('s')} `{many}` on"
    elif call.name == "head" and number.startswith("-") and size and size[0].strip() != number:
        said = f"all but the last `{many}` {unit}"
    else:
        said = f"the {'first' if call.name == 'head' else 'last'} `{many}` {unit}"
    yield Fact((many,), f"Of {_name_text(call)} it takes {said}.")


def _name_text(call: Called) -> str:
    """The file whose end is taken, where one is named."""
    operands = [word for word in call.arguments if not re.fullmatch(r"[-+].*|\d+", word)]
    if len(operands) == 1 and (variable := re.fullmatch(r'"?\$\{?(\w+)\}?"?', operands[0])):
        return f"the file that `{variable[1]}` names"
    return f"`{operands[0]}`" if len(operands) == 1 and re.fullmatch(r"[\w./-]+", operands[0]) else "a text"


def _describe_find(call: Called) -> Iterator[Fact]:
    """Which names `find` looks for, and which it leaves out."""
    words = call.arguments
    negations = ("!", "\\!", "-not")
    named = [place for place, word in enumerate(words) if word.endswith(("name", "path", "regex"))]
    is_open = all(words[place - 1] in negations for place in named)
    if is_open and not {"-type", "-exec", "-delete"} & set(words):
        itself = "" if "-mindepth" in words else ", and so is the folder that is looked in"
        yield Fact((), f"Folders are given as files are{itself}.")
    if not {"-maxdepth", "-prune"} & set(words):
        yield Fact((), "What lies in folders within the folder counts too.")
    for place, word in enumerate(words[:-1]):
        value = unquote_word(words[place + 1]).replace("\\", "")
        is_excluded = words[place - 1] in ("!", "\\!", "-not") or "-prune" in words[place + 2 : place + 4]
        if word in ("-name", "-iname", "-path", "-wholename", "-ipath", "-regex"):
            kind = "Names" if word.endswith("name") and word != "-wholename" else "Paths"
            case = ", in capital or small letters" if word.startswith("-i") else ""
            role = "are left out" if is_excluded else "are meant"
            yield Fact((value,), f"{kind} that match {quote_value(value)}{case} {role}.")


def _describe_tr(call: Called, words: list[str]) -> Fact:
    first = _describe_set(words[0])
    others = "All characters but these" if _has_option(call, "[cC]") else "These characters"
    if _has_option(call, "d") or "--delete" in call.arguments:
        return Fact((words[0],), f"{others} are removed: {first}.")
    if len(words) == 1:
        return Fact((words[0],), f"It concerns {others[0].lower()}{others[1:]}: {first}.")
    if _has_option(call, "[cC]"):
        return Fact((words[0], words[1]), f"{others} become {quote_value(words[1])}: {first}.")
    return Fact((words[0], words[1]), f"Characters become others: {first} become {_describe_set(words[1])}.")


def _describe_set(text: str) -> str:
    """A set of characters, by the names of the classes that it has, and the rest as it is written."""
    if text in WHOLE or text in CLASSES:
        return quote_value(text)
    classes = re.findall(r"\[:\w+:\]", text)  # matches: [:alnum:]
    rest = re.sub(r"\[:\w+:\]", "", text)
    return ", ".join([*(quote_value(name) for name in classes), *([quote_value(rest)] if rest else [])])


def _uses_fields(call: Called) -> bool:
    """Whether a program of awk or perl speaks of single fields, and not only of their number."""
    return any(re.search(r"\$\(?(?:[1-9]|[a-zA-Z]\w*\b|NF)|\$F\[|@F\b|\bOFS\b", word) for word in call.arguments)


def _is_within(call: Called, text: str) -> bool:
    """Whether a command is called only for what it prints to become part of another one."""
    return re.search(rf"\$\([^()]*\b{re.escape(call.name)}\b", text) is not None


def _describe_printed(call: Called) -> Iterator[Fact]:
    """The texts that stand as they are in what is printed, or written, or worked out."""
    if call.arguments[:1] == ("-v",):  # it is put into a variable
        return
    words = [word for word in call.arguments if not re.fullmatch(r"-[neE]+", word)]
    for text in words[:1] if call.name == "printf" else [" ".join(words)]:
        for form in re.findall(r"%[-+ ]?\d[\d.]*[a-z]|%\.\d+[a-z]", text):
            yield Fact((form,), f"Values are written in the form `{form}`.")
        for part in WORKED_OUT.split(text):
            if re.search(r"\w", part) and "$" not in part:
                yield Fact((part.strip(),), f"The text {quote_value(part.strip())} is part of the result.")


def _program_literals(call: Called) -> list[Literal]:
    taken = {place + 1 for place, word in enumerate(call.arguments) if word in OPTION_VALUES.get(call.name, ())}
    words = [word for place, word in enumerate(call.arguments) if place not in taken]
    programs = [word for word in words if not word.startswith("-")]
    if any(re.fullmatch(r"RS=", word) for word in call.arguments):
        programs = [f"RS=\n{program}" for program in programs]
    many = len(programs) if call.name == "sed" and "-e" in call.arguments else 1
    return [literal for program in programs[:many] for literal in read_literals(call.name, program)]


def _describe_assigned(text: str) -> Iterator[Fact]:
    """The values that variables are given once, and that commands then use; counters begin somewhere, too."""
    found = ASSIGNED.findall(text)
    names = [name for name, *_ in found]
    for name, *values in found:
        value = next(filter(None, values))
        is_used = re.search(rf"\$\{{?{name}\b", text) is not None
        if is_used and names.count(name) == 1 and value not in ("0", "1") and name not in ("IFS", "LC_ALL", "LANG"):
            yield Fact((value,), f"The value of `{name}` is {quote_value(value)}.")


def _describe_globs(text: str) -> Iterator[Fact]:
    """Which files are meant by patterns of the shell: `*.jpg`, `*/`."""
    if re.search(r"\bcase\b", text):  # whose patterns are held against values
        return
    words = (word.removeprefix("./") for _, word in find_words(text))
    for word in dict.fromkeys(word for word in words if "*" in word and not word.startswith(("-", "$"))):
        if word == "*" and not RECURSIVE.search(text):
            yield Fact((), "It concerns what lies in the folder itself, not in folders within it.")
        elif word == "*/":
            yield Fact((), "It concerns the folders that lie in the folder.")
        elif re.fullmatch(r"[\w./*-]*\w[\w./*-]*", word):
            yield Fact((word,), f"Names that match {quote_value(word)} are meant.")


def _describe_expansions(text: str) -> Iterator[Fact]:
    """What parameter expansions and tests say."""
    for _, sign, old, new in REPLACEMENT.findall(text):
        often = "wherever it stands" if sign == "//" else "but only the first match"
        yield Fact((old, new), f"{quote_value(old)} becomes {quote_value(new.strip(chr(34)))}, {often}.")
    for _, sign, pattern in REMOVAL.findall(text):
        end = "beginning" if sign[0] == "#" else "end"
        size = "longest" if len(sign) == 2 else "shortest"
        yield Fact((pattern,), f"The {size} part at the {end} that matches {quote_value(pattern)} is left out.")
    for _, first, length in SLICE.findall(text):
        many = f", {length} characters" if length else ""
        yield Fact((first, length), f"The part begins at character {first}, counted from 0{many}.")
    for sign, name in FILE_TEST.findall(text):
        kind = "a folder" if sign == "d" else "a file"
        yield Fact((name,), f"It is asked whether there is {kind} `{name}`.")
    for signs in dict.fromkeys("".join(match) for match in SEPARATORS.findall(text)):
        yield Fact((signs,), f"A text is parted at each of these characters: {', '.join(map(quote_value, signs))}.")
    for value in compared_values(text):
        plain = value.strip("*")
        how = {"**": "has {} in it", "* ": "ends with {}", " *": "begins with {}"}.get(
            f"{value[:1] if value[:1] == '*' else ' '}{value[-1:] if value[-1:] == '*' else ' '}", "is, or matches, {}"
        )
        yield Fact((plain,), f"It is asked whether a value {how.format(quote_value(plain))}.")


def compared_values(script: str) -> list[str]:
    """What values are compared with in tests, as far as it is written there."""
    values = (re.sub(r"[\"']", "", value) for test in TEST.findall(script) for value in COMPARED.findall(test))
    return [value for value in dict.fromkeys(values) if "$" not in value.rstrip("$")]


def _has_option(call: Called, letter: str) -> bool:
    return any(re.fullmatch(rf"-[A-Za-z]*{letter}[A-Za-z]*-?", word) for word in call.arguments)
