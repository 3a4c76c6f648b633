"""What one command does, in sentences, and what of it no sentence tells."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import takewhile
from pathlib import Path

from crucible.datafile import read_rows
from crucible.record import Record
from pipelines.terminal.accounts.awk_programs import tell_awk
from pipelines.terminal.accounts.sed_programs import name_kind, tell_sed
from pipelines.terminal.accounts.words import tell_word
from pipelines.terminal.commands.options import given_options, unquote_word
from pipelines.terminal.commands.shell import WRAPPERS, Called
from pipelines.terminal.commands.sought import GREPS, grep_operands, has_pattern_file
from pipelines.terminal.commands.values import describe_call

TABLE = Path(__file__).with_name("accounts.toml")
EXPANSION = re.compile(r"\$\{[^}]*\}")  # matches: ${path##*/}
VARIABLE = re.compile(r"\$[{(]|\$[A-Za-z_]\w|(?<=[/|#])\$[A-Za-z_]")  # matches: ${x}, $name; not the $d of sed
SILENT = frozenset(
    {"cat", "set", "true", ":", "shopt", "export", "mapfile", "nice", "command", "env", "sync", "sleep", "wait"}
)
"""Commands of which nothing need be told."""
DEEDS = ("mv", "cp", "rm", "ln", "mkdir", "rmdir", "touch", "chmod", "tar", "zip", "rename", "sed", "git")
TYPES = {"f": "It concerns files.", "d": "It concerns folders.", "l": "It concerns links."}
HASHES = {"md5sum": "MD5", "sha1sum": "SHA-1", "sha256sum": "SHA-256", "sha512sum": "SHA-512"}
AWKS = ("awk", "gawk", "mawk")
PRINTED_FORMS = {
    "%p": "its path",
    "%f": "its name",
    "%s": "its size in bytes",
    "%d": "how deep it lies",
    "%P": "its path without the folder that it was sought in",
    "\\t": "a tab",
    "\\n": "",
    " ": "a blank",
}
COMMON = {
    "-12": "Lines that both files have are given.",
    "-23": "Lines that only the first file has are given.",
    "-13": "Lines that only the second file has are given.",
}
WC_VALUES = {"-l": "lines", "-w": "words", "-c": "bytes", "-m": "characters"}


class Command(Record):
    """What a command does."""

    names: tuple[str, ...]
    says: str = ""
    alone: str = ""
    """What it does where it is given nothing, and reads what another command gives."""
    least: int = 0
    """The sentence is for so many operands, and more."""
    unless: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()
    never: tuple[str, ...] = ()


def tell_call(call: Called, reads_pipe: bool, is_given: bool) -> tuple[str, list[str]]:
    """What a call does, and what of it is untold. `is_given`: what it gives is printed."""
    call = (
        Called(call.name, tuple(word for word in call.arguments if word not in ("\\;", ";")))
        if call.name != "find"
        else call
    )
    facts = list(dict.fromkeys(fact.sentence for fact in describe_call(call, is_passed_on=False)))
    if "{}" in call.arguments and call.name != "find":
        call = Called(call.name, tuple(word for word in call.arguments if word != "+"))
    worked_out = r"`" if call.name in AWKS else r"\$\((?!basename )|`"
    if any(re.search(worked_out, word) for word in call.arguments):
        return "", ["what is worked out"]
    if any(word.startswith((">(", "<(")) for word in call.arguments) and call.name != "comm":
        return "", ["what comes of other commands"]
    if call.name == "git":
        return _tell_git(call, facts)
    if call.name in AWKS or call.name == "sed" or (call.name == "perl" and _is_sed(call)):
        return _tell_program(call)
    row = next((each for each in _commands("command") if call.name in each.names), None)
    if row is None:
        return "", [f"what {call.name} does"]
    untold = list(_untold_options(call, row))
    own: list[str] = []
    if call.name in GREPS:
        facts, more = _tell_sought(call, facts)
        untold += more
    if call.name == "find":
        (first, *own), more = _tell_find(call)
        facts = _turn_types(call, facts)
        own = [first, *facts, *own]
        untold += more
    elif call.name == "wc":
        own, facts = _tell_wc(call, reads_pipe), []
        untold += [] if own else ["what is counted"]
    elif call.name == "tr":
        untold += [word for word in _operands(call) if re.search(r"\\[^nt\\r]", word)]
    elif call.name in ("head", "tail"):
        files = [word for word in _operands(call) if not re.fullmatch(r"[+-]?\d+", word)]
        is_many = len(files) > 1 or any("*" in word or word == "{}" for word in files)
        untold += ["what stands between files"] if is_many and not _has(call, "-q") else []
    elif call.name == "comm":
        own = [COMMON[word] for word in call.arguments if word in COMMON]
        untold += [] if own else ["which lines are given"]
    elif call.name == "paste" and "-" in call.arguments and not _has(call, "-s"):
        own = [f"Every `{call.arguments.count('-')}` lines that follow each other are joined to one."]
    elif call.name in ("echo", "printf"):
        own, more = _tell_echo(call)
        untold += more
        facts = [] if own else facts
    elif call.name == "tar":
        own, more = _tell_tar(call)
        untold += more
    elif call.name == "ls":
        own, more = _tell_ls(call)
        untold += more
    elif call.name in HASHES and reads_pipe and not _operands(call):
        own = [f"Of all that the {HASHES[call.name]} hash is given, then two blanks and `-`."]
    elif call.name == "cat":
        own = _tell_cat(call, is_given)
    elif call.name == "sort":
        is_plain = not any(fact.startswith(("Lines are put", "What decides", "Sizes", "Numbers")) for fact in facts)
        own = ["Lines are sorted by their characters."] if is_plain else []
        own += [fact for fact in facts if fact.startswith("Lines are put")]
        if _has_key(call) and not any(fact.startswith("The fields of a line") for fact in facts):
            own.append("The fields of a line are parted by blanks.")
    elif row.says and not any(_has(call, option) for option in row.unless):
        sentence = _fill(row, call)
        if sentence is None:
            untold.append(f"what {call.name} is given")
        own = [sentence or ""]
    if call.name == "cut" and any(re.search(r"Fields that it takes[^.]*(?:, | to )", fact) for fact in facts):
        facts.append("What is taken stays parted so.")
    if call.name == "paste" and not any(fact.startswith("What is joined") for fact in facts):
        facts.append("What is joined is parted by a tab.")
    told = " ".join(filter(None, [*own, *(fact for fact in facts if fact not in own)]))
    if not told and not untold and call.name not in SILENT:
        untold.append(f"what {call.name} does")
    return told, untold


def _tell_sought(call: Called, facts: list[str]) -> tuple[list[str], list[str]]:
    """What grep looks for, first, then the rest of what is told of it."""
    sought = [fact for fact in facts if fact.startswith(("It looks for", "What is sought"))]
    if any("pattern nothing" in fact for fact in sought):
        return facts, ["what is sought"]
    if not sought:
        words = grep_operands(call.arguments)
        told = tell_word(words[0]) if words and not has_pattern_file(call.arguments) else None
        if told is None:
            return facts, ["what is sought"]
        sought = [f"It looks for {told}."]
    is_extended = _has(call, "-E") or call.name == "egrep" or "--extended-regexp" in call.arguments
    kind = "extended" if is_extended else "basic"
    kind = "Perl's" if _has(call, "-P") or "--perl-regexp" in call.arguments else kind
    told_kind = [] if call.name == "fgrep" or _has(call, "-F") else name_kind(sought[0], kind)
    return [*sought, *told_kind, *(fact for fact in facts if fact not in sought)], []


def _tell_program(call: Called) -> tuple[str, list[str]]:
    """What a program that a command is given does."""
    if call.name in AWKS:
        values = [word for before, word in zip(("", *call.arguments), call.arguments, strict=False) if before == "-v"]
        settings = dict(value.partition("=")[::2] for value in map(unquote_word, values))
        settings = {name: unquote_word(value) for name, value in settings.items()}
        programs, told = _operands(call)[:1], None
        flags = [word for word in call.arguments if word.startswith("-")]
        if programs and all(re.match(r"-[vF]|-$", word) for word in flags) and "'\"" not in programs[0]:
            told = tell_awk(programs[0], {name: value for name, value in settings.items() if name != "FS"})
        separator = [
            fact.sentence for fact in describe_call(call, False) if fact.sentence.startswith("The fields of a line")
        ]
        if settings.get("FS"):
            separator = [f"The fields of a line are parted by `{settings['FS']}`."]
        uses_fields = told is not None and "field" in " ".join(told)
        if uses_fields and not separator:
            separator = ["The fields of a line are parted by blanks."]
        return " ".join([*separator, *(told or [])]), [] if told is not None else ["what the program does"]
    flags = [word for word in call.arguments if word.startswith("-")]
    bad = [word for word in flags if not re.fullmatch(r"-[nrEie]+|-i\S*|-pe|-ip?e?|--quiet|--in-place\S*|-p", word)]
    given = [
        word
        for before, word in zip(("", *call.arguments), call.arguments, strict=False)
        if before in ("-e", "-pe", "-i -pe")
    ]
    programs = given or _operands(call)[:1]
    is_silent = any(re.fullmatch(r"-[A-Za-z]*n[A-Za-z]*|--quiet", word) for word in flags) and call.name == "sed"
    has_variable = any(VARIABLE.search(program) or re.search(r"\\[`\"]", program) for program in programs)
    told = tell_sed(programs, is_silent) if not bad and not has_variable and programs else None
    if told is not None:
        is_extended = any(re.fullmatch(r"-\w*[Er]\w*", word) for word in flags)
        told += name_kind(" ".join(told), "Perl's" if call.name == "perl" else "extended" if is_extended else "basic")
    if told is not None and (kept := [word for word in flags if re.match(r"-i[^e]|--in-place", word)]):
        ending = re.sub(r"^(?:-i|--in-place=?)", "", kept[0]).strip("'\"")
        told.append("The file itself is changed.")
        told += [f"As it was it is kept with `{ending}` behind its name."] if ending else []
    elif told is not None and any(re.fullmatch(r"-[nrE]*i", word) for word in flags):
        told.append("The file itself is changed.")
    return " ".join(told or []), [] if told is not None else ["what the program does"]


def _is_sed(call: Called) -> bool:
    return any(re.fullmatch(r"-\w*p\w*e|-pe", word) for word in call.arguments)


def _tell_git(call: Called, facts: list[str]) -> tuple[str, list[str]]:
    name = next((word for word in call.arguments if not word.startswith("-")), "")
    row = next((each for each in _commands("git") if name in each.names), None)
    if row is None:
        return "", [f"what git {name} does"]
    rest = Called("git", tuple(word for word in call.arguments if word != name))
    sentence = "" if any(_has(rest, option) for option in row.unless) else _fill(row, rest) or ""
    told = [fact for fact in facts if not (sentence and fact.startswith("In git's own terms"))]
    is_told = sentence or any(not fact.startswith("In git's own terms") for fact in told)
    return " ".join(filter(None, [sentence, *told])), [] if is_told else [f"what git {name} gives"]


def _untold_options(call: Called, row: Command) -> Iterator[str]:
    """Options of a call that neither change nothing nor are described."""
    if "*" in row.silent or call.name == "find":
        return
    given = [(set(option.names), option.takes_value, value) for option, value in given_options(call)]
    described = {name for names, _, _ in given for name in names}
    words = call.arguments[: call.arguments.index("--")] if "--" in call.arguments else call.arguments
    words = tuple(takewhile(lambda word: word.startswith("-"), words)) if call.name in WRAPPERS else words
    for word in words:
        if not re.match(r"--?[A-Za-z0-9]", word) or word in row.silent or word.partition("=")[0] in row.silent:
            if word in row.never:
                yield word
            continue
        if word in row.never:
            yield word
        elif word.startswith("--"):
            if word.partition("=")[0] not in described:
                yield word
        elif not _is_told(word, described | set(row.silent), given) and not re.fullmatch(r"-\d+", word):
            yield word


def _is_told(word: str, known: set[str], given: list[tuple[set[str], bool, str]]) -> bool:
    """Whether all letters of a word of options are known, but for the value that ends it."""
    letters = word[1:]
    while letters:
        name = f"-{letters[0]}"
        if name not in known:
            return False
        letters = letters[1:]
        if any(name in names and takes_value for names, takes_value, _ in given):
            return True  # the rest is its value
        if re.match(r"[\d+,.'\"]", letters):
            return True
    return True


def _turn_types(call: Called, facts: list[str]) -> list[str]:
    """What is told of kinds, turned where `find` leaves that kind out."""
    words = call.arguments
    turned = {
        TYPES[words[place + 2]]
        for place, word in enumerate(words[:-2])
        if word in ("!", "\\!", "-not") and words[place + 1] == "-type" and words[place + 2] in TYPES
    }
    return [
        f"{fact.removeprefix('It concerns ')[:-1].capitalize()} are left out." if fact in turned else fact
        for fact in facts
    ]


def _has_key(call: Called) -> bool:
    return any("-k" in option.names for option, _ in given_options(call))


def _tell_find(call: Called) -> tuple[list[str], list[str]]:
    """What `find` does with what it finds."""
    words = list(call.arguments)
    tested = next(each.silent for each in _commands("command") if "find" in each.names)
    ends = [place for place, word in enumerate(words) if word in ("\\;", ";", "+")]
    starts = [place for place, word in enumerate(words) if word in ("-exec", "-execdir")]
    for start, end in zip(reversed(starts), reversed(ends), strict=False):
        words[start + 1 : end + 1] = []
    untold = [word for word in words if word.startswith("-") and word not in tested]
    folders = list(takewhile(lambda word: word[:1] not in "-(!\\", words))
    untold += ["where it looks"] if any("{}" in word for word in folders) else []
    named = _list_words([word for word in folders if word not in (".", "./")])
    told = [f"It looks in {named}." if named else "It looks in the whole folder."]
    if {"-o", "-or"} & set(words):
        told.append("Of what is meant one is enough.")
        is_closed = any(word.strip("\\'\"") == "(" for word in words)
        others = [
            word
            for word in words
            if re.match(r"-\w{2,}", word) and not re.fullmatch(r"-or|-i?name|-i?path|-wholename", word)
        ]
        untold += ["which belong together"] if others and not is_closed else []
        untold += ["what is done with which"] if starts or "-delete" in words or "-not" in words or "!" in words else []
    if "-execdir" in words:
        told.append("What follows is done in the folder in which each lies.")
    if "-delete" in words:
        told.append("What it finds is removed.")
    elif "-printf" in words:
        form = unquote_word(words[words.index("-printf") + 1])
        parts = re.findall(r"%\w|\\[tn]|[^%\\]+", form)
        if any(part.startswith("%") and part not in PRINTED_FORMS for part in parts):
            untold.append(form)
        said = [PRINTED_FORMS.get(part, f"`{part}`") for part in parts]
        told.append(f"Of each that it finds is given: {', '.join(filter(None, said))}.")
    elif not starts:
        begins = "" if named else ", which begins with `./`" if "." in folders or "./" in folders or not folders else ""
        told.append(f"Of each that it finds the path is given{begins}.")
    return told, untold


def _tell_wc(call: Called, reads_pipe: bool) -> list[str]:
    flags = [WC_VALUES[word] for word in call.arguments if word in WC_VALUES]
    operands = _operands(call)
    if len(flags) != 1 or len(operands) > 1 or any("*" in word or word == "{}" for word in operands):
        return []
    named = f", then a blank and `{operands[0]}`" if operands and not reads_pipe else ""
    return [f"The number of {flags[0]} is given{named}."]


def _tell_echo(call: Called) -> tuple[list[str], list[str]]:
    """What is printed."""
    words = [word for word in call.arguments if not re.fullmatch(r"-[neE]+", word)]
    if call.name == "printf":
        form, values = words[0] if words else "", words[1:]
        plain = form.removesuffix("\\n")
        if "%" not in form and not values:
            words = [plain]
        elif plain.count("%s") != len(values) or "%" in plain.replace("%s", ""):
            return [], [f"what is printed as `{form}`"]
        else:
            pieces = plain.split("%s")
            words = ["".join(piece + value for piece, value in zip(pieces, [*values, ""], strict=True))]
    words = [" ".join(words)] if words and "$" not in " ".join(words) else words
    if not any(words):
        return ["Printed is an empty line."], []
    if words[0].split()[:1] and words[0].split()[0] in DEEDS:  # it only shows what would be done
        return [], ["what is printed"]
    if any(re.search(r"[\\\"']|\{\}", word) for word in words):
        return [], ["what is printed"]
    if any(re.search(r"[*?]", EXPANSION.sub("", word)) for word in words):  # the shell may put names of files there
        return [], ["what is printed"]
    told = [tell_word(word) if "$" in word else f"`{word}`" for word in words if word]
    if None in told or any("`" in word for word in words):
        return [], ["what is printed"]
    each = ", of a list each element on a line of its own" if any("[@]" in word for word in words) else ""
    return [f"Printed is {', then a blank, then '.join(word for word in told if word)}{each}."] if told else [], []


def _tell_cat(call: Called, is_given: bool) -> list[str]:
    operands = [word for word in call.arguments if not re.match(r"-\w", word)]
    if len(operands) == 1 and "*" not in operands[0]:
        return [f"{'Given' if is_given else 'Taken'} is what is in {name_word(operands[0]) or operands[0]}."]
    if len(operands) < 2 and not any("*" in word for word in operands):
        return []
    named = ["what it is given" if word == "-" else name_word(word) or word for word in operands]
    return [f"Taken is, one after the other, what is in {_join(named)}."]


def _tell_ls(call: Called) -> tuple[list[str], list[str]]:
    """Names of what lies in a folder, or of what matches a pattern."""
    operands = _operands(call)
    if any("*" in word or word == "{}" for word in operands) and not _has(call, "-d"):
        return [], ["what is listed of folders"]
    named = _join([name_word(word) or word for word in operands])
    what = f"of {named}" if _has(call, "-d") else f"of what lies in {named}" if named else "of what lies in the folder"
    return [f"The names {what} are given, each on a line of its own, in their order unless another is told."], []


def _tell_tar(call: Called) -> tuple[list[str], list[str]]:
    """An archive that is made, unpacked or listed."""
    first, *rest = call.arguments or ("",)
    letters = first.lstrip("-") if re.fullmatch(r"-?[a-zA-Z]+", first) else ""
    if not set(letters) <= set("cxtvzjJfp") or "f" not in letters or not set("cxt") & set(letters):
        return [], ["what tar does"]
    into, words = "", list(rest)
    if "-C" in words[:-1] and "x" in letters:
        place = words.index("-C")
        into = f" into the folder `{words[place + 1]}`"
        del words[place : place + 2]
    if not words or any(word.startswith("-") for word in words):
        return [], [word for word in words if word.startswith("-")] or ["what tar does"]
    if "t" in letters and "v" in letters:
        return [], ["what is told of each path"]
    archive, others = words[0], _join([f"`{word}`" for word in words[1:]])
    if any("{}" in word or "*" in word for word in words):
        return [], ["which archives"]
    if "c" in letters and others:
        return [f"The archive `{archive}` is made of {others}."], []
    if "x" in letters:
        what = f"Of the archive `{archive}` {others} is" if others else f"The archive `{archive}` is"
        return [f"{what} unpacked{into}."], []
    return [f"The paths in the archive `{archive}` are given, each on a line of its own."], []


def _fill(row: Command, call: Called) -> str | None:
    """The sentence of a command with what it is given; None when that cannot be told."""
    operands = [word for word in _operands(call) if word not in ("\\;", ";", "+")]
    operands = [part for word in operands for part in expand_braces(word)]
    if call.name == "ln" and (operands[-1:] == ["."] or any("*" in word for word in operands)):
        return None
    if len(operands) < row.least and not any("*" in word for word in operands):
        return ""
    if "{" not in row.says:
        return row.says
    if not operands:
        return row.alone or None
    told = [name_word(word) for word in operands]
    if any(word is None for word in told):
        return None
    words = [word for word in told if word is not None]
    parts = {
        "operands": _join(words),
        "first": words[0],
        "last": words[-1],
        "others": _join(words[:-1] or ["What it is given"]),
        "rest": _join(words[1:] or ["what it is given"]),
    }
    says = row.says.replace("{operands} is", "{operands} are") if len(words) > 1 else row.says
    sentence = re.sub(r"\{(\w+)\}", lambda hole: parts[hole[1]], says).replace("each of each of", "each of")
    return sentence[0].upper() + sentence[1:]


def name_word(word: str) -> str | None:
    """A word that a command is given."""
    if word == "{}":
        return "each of these"
    if word == ".":
        return "the folder itself"
    if re.search(r"\{\d+\.\.\d+\}.|.\{\d+\.\.\d+\}", word) or word == "":
        return None
    if word == "-":
        return "what it is given"
    if "{}" in word:
        return f"`{word}` (`{{}}` stands for each of these)"
    if "$" in word:
        told = tell_word(word)
        return f"({told})" if told and ", then " in told else told
    if re.search(r"\{[^}]*\{", word):
        return None
    return name_glob(word)


def expand_braces(word: str) -> list[str]:
    """The words that a word with one pair of braces stands for."""
    braces = re.fullmatch(r"([^{}]*)\{([^{}]*,[^{}]*)\}([^{}]*)", word)
    return [f"{braces[1]}{part}{braces[3]}" for part in braces[2].split(",")] if braces else [word]


def name_glob(word: str) -> str:
    """A word, or what it matches where it is a pattern."""
    word = unquote_word(word).replace('"', "").replace("'", "")
    if word in ("*", "./*"):
        return "all that lies in the folder itself, but for names that begin with a dot"
    if word in ("*/", "./*/"):
        return "the folders that lie in the folder, each with `/` behind its name"
    if numbers := re.fullmatch(r"\{(\d+)\.\.(\d+)\}", word):
        return f"the numbers `{numbers[1]}` to `{numbers[2]}`"
    if len(parts := expand_braces(word)) > 1:
        return _join([name_glob(part) for part in parts])
    return f"what matches `{word}`" if "*" in word else f"`{word}`"


def _list_words(words: list[str]) -> str:
    return _join([f"`{unquote_word(word)}`" for word in words])


def _join(words: list[str]) -> str:
    return " and ".join(words)


def _operands(call: Called) -> list[str]:
    """The words of a call that are neither options nor the values of those that are described."""
    taken = {value for option, value in given_options(call) if option.takes_value}
    befores = ("", *call.arguments)
    return [
        word
        for before, word in zip(befores, call.arguments, strict=False)
        if (not word.startswith("-") or (word == "-" and call.name != "cat") or before == "--")
        and not (before.startswith("-") and unquote_word(word) in taken)
        and not (call.name in AWKS and before == "-v")
    ]


def _has(call: Called, option: str) -> bool:
    if option.startswith("--") or len(option) > 2:
        return any(word.partition("=")[0] == option for word in call.arguments)
    return any(re.fullmatch(rf"-[A-Za-z]*{re.escape(option[1:])}[A-Za-z]*", word) for word in call.arguments)


@cache
def _commands(table: str) -> tuple[Command, ...]:
    return read_rows(TABLE, table, Command)
